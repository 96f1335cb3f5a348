import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { versions as en } from '#web/i18n/en/versions.ts'
import { callAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page
let report = 0

beforeAll(async () => {
  ;({ page } = visited)
  const { results } = await call('GET', '/api/ad/account/?channel=fb&search=Aurora+Cosmetics+Taiwan')
  const channels = [{ channel: 'fb', accounts: [results?.[0]?.id], metrics: ['impressions', 'cost'] }]
  const { id } = await call('POST', '/api/gs-template-setting/', { name: 'Before', channels })
  report = Number(id)
  const path = `/api/gs-template-setting/${report}/`
  await call('PATCH', path, { version: 1, name: 'After', dimensions: ['campaign'] })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const say = (text: string, version: number) => text.replace('{{version}}', String(version))

describe('the versions of a report', () => {
  it('are reached from its editor, and say who has changed what', async () => {
    await page.goto(`${visited.product.origin}/gs-template/template?id=${report}`)
    await page.getByRole('link', { name: en.title }).click()
    const row = page.getByRole('row').filter({ hasText: en.current })
    await row.getByRole('cell', { name: 'Name, dimensions' }).waitFor()
    await row.getByRole('cell', { name: 'Mika Chen' }).waitFor()
    await page.getByRole('cell', { name: en.created }).waitFor()
  })

  it('are compared field by field, in words', async () => {
    await button(say(en.compare.of, 2)).click()
    const table = page.getByRole('table').filter({ hasText: en.compare.older })
    const cells = (name: string) =>
      table
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
        .getByRole('cell')
    await expect.poll(() => cells('Name').allTextContents()).toEqual(['Before', 'After'])
    expect(await cells('Dimensions').allTextContents()).toEqual(['Date', 'Campaign'])
    expect(await table.getByRole('rowheader').count()).toBe(2)
    await page.reload()
    await expect.poll(() => cells('Name').allTextContents()).toEqual(['Before', 'After'])
    await button(en.compare.close).click()
    await table.waitFor({ state: 'hidden' })
  })

  it('are restored after confirmation, which can be undone', async () => {
    await button(say(en.restore.of, 1)).click()
    await page.getByRole('dialog').getByRole('button', { name: en.restore.button }).click()
    await page.getByText(say(en.restore.done, 1)).waitFor()
    await page.getByRole('heading', { name: 'Before', level: 1 }).waitFor()
    await button(en.restore.undo).click()
    await page.getByText(en.restore.undone).waitFor()
    await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(5)
  })
})

interface Body {
  id?: number
  results?: { id: number }[]
}
const call = (method: string, path: string, body?: object) => callAs<Body>(visited, method, path, body)
