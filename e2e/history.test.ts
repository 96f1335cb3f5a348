import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { history as en } from '#web/i18n/en/history.ts'
import { history as zh } from '#web/i18n/zh-TW/history.ts'
import { control } from './product.ts'
import { callAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page
let report = 0
let sheet = ''
/** The contents of the spreadsheet after each run. */
const tables: unknown[][][] = []
const runs: string[] = []

beforeAll(async () => {
  ;({ page } = visited)
  const made = await call('POST', '/api/sheets/', { title: 'History' })
  sheet = String(made.id)
  const { system_user, url } = await call('GET', `/api/sheets/${sheet}/`)
  await call('POST', `/api/sheets/${sheet}/share/`, { email: system_user, role: 'writer' })
  const query = new URLSearchParams({ spreadsheet_url: String(url), sheet_name: 'Sheet1' })
  await call('GET', `/api/ad/gs_permission_check/?${query}`)
  const { results } = await call('GET', '/api/ad/account/?channel=fb&search=Aurora+Cosmetics+Taiwan')
  const today = new Date()
  const day = (back: number) => new Date(today.getTime() - back * 86_400_000).toISOString().slice(0, 10)
  const { id } = await call('POST', '/api/gs-template-setting/', {
    name: 'Conversions by day',
    spreadsheet_url: url,
    sheet_name: 'Sheet1',
    start_cell: 'B2',
    channels: [{ channel: 'fb', accounts: [results?.[0]?.id], metrics: ['impressions', 'conversions'] }],
    date_range: { start: day(20), end: day(2), dynamic_range: 0 },
  })
  report = Number(id)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const stages = (title: string) => page.getByRole('list', { name: title }).locator('> li')

describe('the history of a report', () => {
  it('has a heading and a way out where no report is named', async () => {
    await page.goto(`${visited.product.origin}/gs-template/history`)
    await page.getByRole('heading', { name: 'Run history', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Go to reports' }).waitFor()
    await page.goto(`${visited.product.origin}/gs-template/setting`)
    await page.getByRole('heading', { name: 'Permission settings', level: 1 }).waitFor()
  })

  it('says what to do while there is none', async () => {
    await page.goto(`${visited.product.origin}/gs-template/history?id=${report}`)
    await page.getByText('This report has not run yet').waitFor()
  })

  it('shows a run while it goes on and when it has ended, and survives a reload', async () => {
    await button('Run now').click()
    await page.waitForURL(/run=/)
    await page.getByText(en.changes.first).waitFor()
    await page.reload()
    await stages(en.timeline.title).last().getByText(en.timeline.completed).waitFor()
    const texts = await stages(en.timeline.title).allInnerTexts()
    const names = [en.timeline.queued, en.timeline.fetching, en.timeline.storing, en.timeline.writing]
    for (const name of names) expect(texts.join('\n')).toContain(name)
    await expect
      .poll(() => page.getByRole('term').allInnerTexts())
      .toEqual(expect.arrayContaining(['Meta', 'Spreadsheet']))
    // There is no older table.
    await expect.poll(() => button(en.undo.undo).count()).toBe(0)
    await rememberRun()
  })

  it('shows which days changed when the platform has corrected its numbers', async () => {
    // Conversions arrive late: three days on, more of them are known.
    const { now } = Object(await control(visited.product, 'clock', { method: 'GET' }))
    const later = new Date(Date.parse(String(now)) + 3 * 86_400_000)
    await control(visited.product, 'clock', { body: { now: later.toISOString() } })
    await button('Run now').click()
    const table = page.getByRole('table', { name: en.changes.table })
    await table.waitFor()
    await rememberRun()
    expect(tables[1]).not.toEqual(tables[0])
    const lines = await table.getByRole('row').allInnerTexts()
    expect(lines.slice(1).every(line => line.includes('Conversions') && line.includes('+'))).toBe(true)
    await page.getByText(/\d+ days? changed/).waitFor()
  })

  it('restores the previous table, and says until when it stays', async () => {
    await button(en.undo.undo).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(en.undo.no_next_run).waitFor()
    await dialog.getByRole('button', { name: en.undo.write_back }).click()
    await page.waitForURL(url => url.searchParams.get('run') !== runs[1])
    await page.getByText(/restored by Mika Chen\./).waitFor()
    expect(await values()).toEqual(tables[0])
    expect((await stages(en.timeline.title).allInnerTexts()).join('\n')).not.toContain(en.timeline.fetching)
    await page.getByRole('link', { name: en.all_runs }).click()
    await page.getByRole('cell', { name: /^Restore · table of .* · by Mika Chen$/ }).waitFor()
  })

  it('and the editor name one size of the table, the written one', async () => {
    const rows = (tables[0] ?? []).filter(row => row.some(cell => cell !== null && cell !== '')).length - 1
    await page.goto(`${visited.product.origin}/gs-template/template?id=${report}`)
    await page.getByText('As in the spreadsheet.').waitFor()
    await page.getByText(`${rows} rows × 3 columns`).waitFor()
    expect(await page.getByText(/^About \d+ rows/).count()).toBe(0)
  })

  it('does the same in Chinese, and restores the newer table from its own run', async () => {
    const { user_id } = await call('GET', '/users/identity/')
    await call('PATCH', `/users/${user_id}/`, { language: 'zh-TW' })
    await page.goto(`${visited.product.origin}/gs-template/history?id=${report}&run=${runs[1]}`)
    await button(zh.undo.write_back).click()
    await page.getByRole('dialog').getByRole('button', { name: zh.undo.write_back }).click()
    await page.getByText(/，由 Mika Chen 還原。/).waitFor()
    expect(await values()).toEqual(tables[1])
    await page.getByRole('heading', { name: zh.changes.title }).waitFor()
    await page.getByText(/\d+ 個日期有異動/).waitFor()
    await call('PATCH', `/users/${user_id}/`, { language: 'en' })
  })

  it('writes new numbers with the next run', async () => {
    await page.goto(`${visited.product.origin}/gs-template/history?id=${report}`)
    await button('Run now').click()
    await page.waitForURL(/run=/)
    await stages(en.timeline.title).last().getByText(en.timeline.completed).waitFor()
    expect(await values()).toEqual(tables[1])
    await page.getByText(/^Nothing has changed since/).waitFor()
  })

  it('draws the runs as a chart, lists them by outcome and trigger, and exports them as a file', async () => {
    await page.getByRole('link', { name: en.all_runs }).click()
    const chart = page.getByRole('figure', { name: en.chart_rows })
    await chart.waitFor()
    await chart.getByRole('button').first().click()
    await chart.getByRole('table').waitFor()
    const rows = page.getByRole('table', { name: 'Runs', exact: true }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(1 + 5)
    await choose('Trigger', 'Restore')
    await expect.poll(() => rows.count()).toBe(1 + 2)
    expect(new URL(page.url()).searchParams.get('trigger')).toBe('undo')
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1 + 2)
    const [file] = await Promise.all([page.waitForEvent('download'), button(en.csv).click()])
    expect(file.suggestedFilename()).toBe('Run history.csv')
    await choose('Outcome', 'Failed')
    await page.getByText(en.none_title).waitFor()
    await button(en.clear).click()
    await expect.poll(() => rows.count()).toBe(1 + 5)
  })

  it('does not offer to restore a table that was written elsewhere', async () => {
    const { version } = await call('GET', `/api/gs-template-setting/${report}/`)
    await call('PATCH', `/api/gs-template-setting/${report}/`, { version, start_cell: 'B3' })
    await page.goto(`${visited.product.origin}/gs-template/history?id=${report}&run=${runs[0]}`)
    await page.getByText(en.undo.elsewhere).waitFor()
    await expect.poll(() => button(en.undo.write_back).count()).toBe(0)
  })
})

async function choose(field: string, option: string) {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Remembers the run that has just ended and what it has written. */
async function rememberRun() {
  runs.push(new URL(page.url()).searchParams.get('run') ?? '')
  tables.push(await values())
}

async function values(): Promise<unknown[][]> {
  const window = 'gid=0&first_row=0&rows=40&first_column=0&columns=8'
  const { values: cells } = await call('GET', `/api/sheets/${sheet}/values/?${window}`)
  return cells ?? []
}

interface Body {
  [field: string]: unknown
  results?: { id: number }[]
  values?: unknown[][]
}

/** A client of the same person's API. */
const call = (method: string, path: string, body?: object) => callAs<Body>(visited, method, path, body)
