import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { preview } from '#web/i18n/en/preview.ts'
import { runs as runsEn } from '#web/i18n/en/runs.ts'
import { sheets as en } from '#web/i18n/en/sheets.ts'
import { callAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page
let sheet = ''
let report = 0

beforeAll(async () => {
  ;({ page } = visited)
  const made = await call('POST', '/api/sheets/', { title: 'Followed' })
  sheet = String(made.id)
  const { system_user, url } = await call('GET', `/api/sheets/${sheet}/`)
  await call('POST', `/api/sheets/${sheet}/share/`, { email: system_user, role: 'writer' })
  const query = new URLSearchParams({ spreadsheet_url: String(url), sheet_name: 'Sheet1' })
  await call('GET', `/api/ad/gs_permission_check/?${query}`)
  const { results } = await call('GET', '/api/ad/account/?channel=fb&search=Aurora+Cosmetics+Taiwan')
  const { id } = await call('POST', '/api/gs-template-setting/', {
    name: 'Followed',
    spreadsheet_url: url,
    sheet_name: 'Sheet1',
    dimensions: ['date', 'campaign'],
    channels: [{ channel: 'fb', accounts: [results?.[0]?.id], metrics: ['impressions'] }],
    date_range: { start: null, end: null, dynamic_range: 2 },
  })
  report = Number(id)
})

const cell = (name: string) => page.locator(`[role=gridcell][data-cell=${name}]`)
const run = () => call('POST', '/api/gs-template-execution/', { reports: [report] })

describe('an open spreadsheet', () => {
  it('shows what a report writes to it, formatted, without losing the selection', async () => {
    await page.goto(`${visited.product.origin}/sheets/${sheet}`)
    await cell('B3').click()
    await run()
    await cell('A1').getByText('Date').waitFor()
    await page.getByText(preview.updated_now).waitFor()
    expect(await cell('B3').getAttribute('aria-selected')).toBe('true')
    for (const [name, look] of [
      ['A1', { bold: 'true', align: null }],
      ['A2', { bold: null, align: 'end' }],
      ['B2', { bold: null, align: null }],
      ['C2', { bold: null, align: 'end' }],
    ] as const) {
      expect(await cell(name).getAttribute('data-bold'), name).toBe(look.bold)
      expect(await cell(name).getAttribute('data-align'), name).toBe(look.align)
    }
    expect((await cell('B1').boundingBox())?.width).toBeGreaterThan(150)
  })

  it('keeps its header in view', async () => {
    const grid = page.getByRole('grid')
    await grid.focus()
    for (let pages = 0; pages < 2; pages++) await page.keyboard.press('PageDown')
    await expect.poll(() => grid.evaluate(element => element.scrollTop)).toBeGreaterThan(200)
    expect(await cell('A1').isVisible()).toBe(true)
  })

  it('has named ranges; a protected one keeps a report from writing, and the run says which', async () => {
    await page.getByRole('button', { name: en.ranges, exact: true }).click()
    await page.getByRole('menuitem', { name: en.edit_ranges }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(en.range_name, { exact: true }).fill('two words')
    await dialog.getByLabel(en.range_cells).fill('A1:C5')
    await dialog.getByRole('switch', { name: en.range_protected }).click({ force: true })
    await dialog.getByRole('button', { name: en.add_range, exact: true }).click()
    await dialog.getByText(en.range_name_wrong).waitFor()
    await dialog.getByLabel(en.range_name, { exact: true }).fill('Budget')
    await dialog.getByRole('button', { name: en.add_range, exact: true }).click()
    await dialog.getByRole('list', { name: en.named_ranges }).getByText('Budget').waitFor()

    const { reports } = await run()
    await page.goto(`${visited.product.origin}/gs-template/history?id=${report}&run=${reports?.[0]?.run}`)
    await page.getByText(runsEn.detail.named_ranges.replace('{{names}}', 'Budget')).waitFor()
  })
})

interface Body {
  [field: string]: unknown
  results?: { id: number }[]
  reports?: { run: string }[]
}

const call = (method: string, path: string, body?: object) => callAs<Body>(visited, method, path, body)
