import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '#shared/api/reports.ts'
import { frequency } from '#shared/schedule.ts'
import { callAs, visit } from './test-product.ts'

/** From the gallery of new reports to the table in the spreadsheet. */
const MOST_CLICKS = 8

const visited = visit('Mika Chen')
const page = () => visited.page
const call = <Reply>(method: string, path: string) => callAs<Reply>(visited, method, path)

let clicks: string[] = []

beforeAll(async () => {
  await visited.page.exposeFunction('countClick', (on: string) => clicks.push(on))
  // A press of the pointer is a click of the person, whatever the page makes of it.
  await visited.page.addInitScript(() =>
    window.addEventListener(
      'pointerdown',
      event => {
        const on = event.target instanceof Element ? (event.target.textContent ?? '') : ''
        void (window as unknown as { countClick: (on: string) => void }).countClick(on.slice(0, 40))
      },
      { capture: true },
    ),
  )
})
// The text of the page says more than a locator that was not found.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(clicks, await page().locator('body').ariaSnapshot())
})

/** From the gallery to the run: of an example, in a spreadsheet that is created for it. */
async function runFirstReport() {
  await page().goto(`${visited.product.origin}/gs-template/new`)
  clicks = []
  await page()
    .getByRole('radio', { name: /Aurora Cosmetics/ })
    .locator('..')
    .click()
  await page()
    .getByRole('link', { name: /Daily performance/ })
    .click()
  await page().getByRole('button', { name: 'Create a spreadsheet for me' }).click()
  await page()
    .getByText(/can be written to/)
    .waitFor()
  await page().getByRole('button', { name: 'Save and run' }).click()
}

describe('the first report of an account manager', () => {
  it('is a table in a new spreadsheet, and scheduled, within eight clicks from the gallery', async () => {
    await runFirstReport()
    await page().getByText('1 completed, 0 failed, 0 waiting, of 1').waitFor({ state: 'attached' })
    await page().getByRole('link', { name: 'Open spreadsheet' }).first().click()
    await page().getByRole('gridcell', { name: 'Meta ads', exact: true }).first().waitFor()
    const { results } = await call<{ results: Report[] }>(
      'GET',
      '/api/gs-template-setting/?search=Daily+performance&ordering=-id&limit=1',
    )
    const [report] = results
    expect(report).toMatchObject({ update_frequency: frequency.daily, status: 1, gaps: [] })
    expect(report?.channels.length).toBeGreaterThanOrEqual(2)
    expect(clicks.length, clicks.join(' | ')).toBeLessThanOrEqual(MOST_CLICKS)
  })

  it('shows how its run goes on a phone, too', async () => {
    await page().setViewportSize({ width: 390, height: 844 })
    await runFirstReport()
    const run = page().getByRole('heading', { name: 'One-click execution' })
    await expect.poll(() => run.isVisible()).toBe(true)
    await page().getByText('1 completed, 0 failed, 0 waiting, of 1').waitFor({ state: 'attached' })
    await expect.poll(() => run.isVisible()).toBe(true)
  })
})
