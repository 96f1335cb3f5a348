import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { en } from '#web/i18n/en.ts'
import { zhTW } from '#web/i18n/zh-TW.ts'
import { drawn } from '#server/testing/random.ts'
import { openWindow } from './browser.ts'
import { start } from './test-product.ts'

const started = start()
let page: Page

/** A text of the interface with its values, up to the first part that stays open. */
function say(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}

const languages = [
  { language: 'en', texts: en },
  { language: 'zh-TW', texts: zhTW },
] as const
const drawnLanguages = drawn(languages, 2, 'preview')

describe.each(drawnLanguages)('describing a report in $language', ({ language, texts }) => {
  const { preview, target, editor, budget } = texts
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const region = () => page.getByRole('region', { name: preview.region })
  const sheet = `成效 ${language}`
  let spreadsheetId = ''
  let report = 0
  let api: Awaited<ReturnType<typeof apiOf>>

  beforeAll(async () => {
    const context = await openWindow(started.browser, {
      viewport: { width: 1440, height: 1000 },
    })
    page = await context.newPage()
    // Reports of the demo fail meanwhile, and each failure shows a toast.
    const failure = page.locator('[role="alert"][data-severity="error"]').filter({
      has: page.getByRole('button', { name: /^(Close|關閉)$/ }),
    })
    await page.addLocatorHandler(failure.first(), toast =>
      toast.getByRole('button', { name: /^(Close|關閉)$/ }).click(),
    )
    await page.goto(`${started.product.origin}/sign-in`)
    await page.getByRole('button', { name: /Mika Chen/ }).click()
    await page.waitForURL(url => url.pathname !== '/sign-in')
    api = await apiOf(page)
    await api.speak(language)
    const { results } = await api.get('/api/gs-template-setting/?search=Aurora daily performance')
    spreadsheetId = /\/d\/([\w-]+)/.exec(results[0].spreadsheet_url)?.[1] ?? ''
    const accounts = (await api.get('/api/ad/account/?channel=fb&search=Aurora Cosmetics Taiwan')).results
    report = (
      await api.post('/api/gs-template-setting/', {
        name: `Walk ${language}`,
        dimensions: ['date', 'campaign'],
        header_language: language,
        channels: [
          { channel: 'fb', accounts: [accounts[0].id], metrics: ['impressions', 'clicks', 'cost', 'ctr'] },
        ],
        date_range: { start: null, end: null, dynamic_range: 2 },
      })
    ).id
  })

  it('says what is missing while there is nothing to show', async () => {
    await page.goto(`${started.product.origin}/gs-template/template`)
    await page.getByText(preview.empty.title).waitFor()
    await page.getByRole('link', { name: preview.empty.channels }).waitFor()
  })

  it('shows the first rows, formatted, with the titles in the language of the headers', async () => {
    await page.goto(`${started.product.origin}/gs-template/template?id=${report}`)
    await region().getByRole('row').nth(50).waitFor()
    const titles = { en: ['Date', 'Campaign'], 'zh-TW': ['日期', '廣告活動'] }[language]
    expect((await region().getByRole('columnheader').allTextContents()).slice(0, 2)).toEqual(titles)
    const [day, , impressions] = await cellsOf(2)
    expect(day).toMatch(/^\d{4}-\d\d-01$/)
    expect(impressions).toMatch(/^[\d,]+$/)
    await page.getByText(preview.updated_now).waitFor()
    // By keys, too.
    await region().focus()
    await page.keyboard.press('End')
  })

  it('looks at the rows by a column, and keeps that order in the report', async () => {
    const title = { en: 'Cost', 'zh-TW': '花費' }[language]
    const costs = async () => {
      const cells = await region().locator('tbody tr td:nth-child(6)').allTextContents()
      return cells.map(text => Number(text.replaceAll(',', '')))
    }
    const sorted = (cells: number[]) => cells.toSorted((one, other) => other - one)
    const before = await costs()
    await region().getByRole('button', { name: title, exact: true }).click()
    await expect.poll(costs).toEqual(sorted(before))
    await button(preview.order.reset).click()
    expect(await costs()).toEqual(before)
    await region().getByRole('button', { name: title, exact: true }).click()
    await button(preview.order.keep).click()
    await expect
      .poll(
        async () => (await page.getByRole('combobox', { name: editor.table.sort }).inputValue()) === title,
      )
      .toBe(true)
    await page.getByText(preview.updated_now).waitFor()
    // Of all rows and not only of those that were in view.
    await expect.poll(async () => (await costs())[0]).toBeGreaterThanOrEqual(sorted(before)[0] ?? 0)
    expect(await costs()).toEqual(sorted(await costs()))
    await page.getByLabel(editor.table.limit).fill('7')
    await expect.poll(async () => (await costs()).length).toBe(7)
    const total = { en: 'Total of the first 7 rows', 'zh-TW': '前 7 列總計' }[language]
    await region().getByRole('rowheader', { name: total }).waitFor()
    await page.getByLabel(editor.table.limit).fill('')
    await page.getByRole('combobox', { name: editor.table.sort }).click()
    await page.getByRole('option', { name: editor.table.sort_default }).click()
    await expect.poll(costs).toEqual(before)
  })

  it('fills the window when it is enlarged, and is as wide as its divider says', async () => {
    await button(preview.enlarge).click()
    const dialog = page.getByRole('dialog', { name: preview.title })
    await dialog.getByRole('region', { name: preview.region }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const divider = page.getByRole('separator', { name: preview.divider })
    const width = async () => (await region().boundingBox())?.width ?? 0
    const before = await width()
    await divider.focus()
    await page.keyboard.press('Home')
    await expect.poll(width).toBeGreaterThan(before)
    await page.reload()
    await region().waitFor()
    await expect.poll(width).toBeGreaterThan(before)
    await divider.dblclick()
    await expect.poll(width).toBe(before)
    // What it says follows the window, too.
    const said = async () => Number(await divider.getAttribute('aria-valuenow'))
    const narrow = await said()
    await page.setViewportSize({ width: 1900, height: 1000 })
    await expect.poll(said).toBeGreaterThan(narrow)
    await page.setViewportSize({ width: 1440, height: 1000 })
    await expect.poll(said).toBe(narrow)
  })

  it('keeps the previous rows while it loads, and marks them as old', async () => {
    const held = Promise.withResolvers<void>()
    await page.route('**/preview/', async route => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('switch', { name: editor.table.fill_zero }).click({ force: true })
    await page.getByText(preview.updating).waitFor()
    await expect.poll(() => region().getByRole('row').count()).toBeGreaterThan(50)
    held.resolve()
    await page.getByText(preview.updated_now).waitFor()
    await page.unroute('**/preview/')
    await page.getByRole('switch', { name: editor.table.fill_zero }).click({ force: true })
    await page.getByText(preview.updated_now).waitFor()
  })

  it('draws where the table will be and what it would overlap, and moves it to the first free cell', async () => {
    await page
      .getByLabel(target.url)
      .fill(`${started.product.sandbox}/spreadsheets/u/1/d/${spreadsheetId}/edit?usp=sharing#gid=0`)
    await page.getByRole('combobox', { name: target.sheet_name }).click()
    await page.getByRole('option', { name: 'Daily', exact: true }).click()
    const figure = page.getByRole('figure')
    await figure.getByText('Aurora daily performance').waitFor()
    await page.getByText(editor.setup.overlaps).waitFor()
    await page.getByRole('meter', { name: budget.meter }).waitFor()
    await button(say(target.map.move, { cell: 'I1' })).click()
    await figure.getByText(target.map.free).waitFor()
    await expect.poll(() => page.getByLabel(target.start_cell).inputValue()).toBe('I1')
  })

  it('says what is wrong with a starting cell', async () => {
    const cell = page.getByLabel(target.start_cell)
    await cell.fill('')
    const messages = {
      en: ['Please enter the starting cell.', 'Please enter the correct cell format.'],
      'zh-TW': ['請輸入起始儲存格。', '請輸入正確的儲存格格式。'],
    }[language]
    await page
      .getByText(messages[0] ?? '')
      .first()
      .waitFor()
    await cell.fill('A0')
    await page
      .getByText(messages[1] ?? '')
      .first()
      .waitFor()
    await cell.fill('A1')
  })

  it('warns when it is saved over another report’s table', async () => {
    await page.getByText(editor.setup.overlaps).waitFor()
    await button(editor.bar.save).click()
    await page.getByText(`${editor.saved} ${editor.overlaps}`).waitFor()
  })

  it('creates a tab, runs, and writes exactly what the preview showed', async () => {
    await button(target.new_sheet.open).click()
    const dialog = page.getByRole('dialog')
    const name = dialog.getByRole('textbox', { name: target.new_sheet.name })
    await expect.poll(() => name.inputValue()).toBe(`Walk ${language}`)
    await name.fill('daily')
    await dialog.getByRole('button', { name: target.new_sheet.submit }).click()
    await dialog
      .getByText({ en: 'This name is already taken.', 'zh-TW': '此名稱已被使用。' }[language])
      .waitFor()
    await name.fill(sheet)
    await dialog.getByRole('button', { name: target.new_sheet.submit }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByRole('combobox', { name: target.sheet_name }).inputValue()).toBe(sheet)
    // Without the totals, which are not part of the table.
    const previewed = await region()
      .locator(':is(thead, tbody) tr:not([aria-hidden])')
      .evaluateAll(rows =>
        rows.map(row => [...row.querySelectorAll('td:not([aria-hidden]), th')].map(cell => cell.textContent)),
      )
    await button(editor.bar.save_and_run).click()
    await expect
      .poll(async () => (await api.get(`/api/gs-template-setting/${report}/`)).last_run?.status)
      .toBe('completed')
    const written = await api.formatted(spreadsheetId, sheet)
    expect(previewed.length).toBe(51)
    expect(previewed).toEqual(written.slice(0, 51))
  })

  it('picks up a renamed tab, on the page of permission settings', async () => {
    await api.rename(spreadsheetId, sheet, `${sheet} new`)
    await page.goto(`${started.product.origin}/gs-template/setting?id=${report}`)
    await page.getByText(target.result.sheet_name_mismatch).waitFor()
    await page.getByText(target.checks.wrong.sheet).waitFor()
    await button(say(target.use_new_name, { name: `${sheet} new` })).click()
    await page.getByText(target.map.free).waitFor()
    await button(target.save).click()
    await page.getByText(target.saved).waitFor()
  })

  const cellsOf = async (row: number) =>
    await region().getByRole('row').nth(row).getByRole('cell').allTextContents()
})

/** The API as the person in the browser. */
async function apiOf(of: Page) {
  const token = (await of.context().cookies()).find(each => each.name === 'access_token')?.value ?? ''
  const ask = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    })
    if (!response.ok) throw new Error(`${url}: ${await response.text()}`)
    return await response.json()
  }
  const here = (path: string) => started.product.origin + path
  const asOwner = { authorization: 'Bearer sandbox-user:manager@sheetcast.demo' }
  const book = (id: string) => `${started.product.sandbox}/v4/spreadsheets/${id}`
  return {
    get: (path: string) => ask(here(path)),
    post: (path: string, body: object) => ask(here(path), { method: 'POST', body: JSON.stringify(body) }),
    async speak(language: string) {
      const { user_id } = await ask(here('/users/identity/'))
      await ask(here(`/users/${user_id}/`), { method: 'PATCH', body: JSON.stringify({ language }) })
    },
    /** The cells of a sheet as their formats show them. */
    async formatted(id: string, sheet: string): Promise<string[][]> {
      const range = encodeURIComponent(`'${sheet}'`)
      return (
        await ask(`${book(id)}/values/${range}?valueRenderOption=FORMATTED_VALUE`, { headers: asOwner })
      ).values
    },
    async rename(id: string, sheet: string, title: string) {
      const { sheets } = await ask(`${book(id)}?fields=sheets.properties`, { headers: asOwner })
      const { sheetId } = sheets.find(
        (each: { properties: { title: string } }) => each.properties.title === sheet,
      ).properties
      const requests = [{ updateSheetProperties: { properties: { sheetId, title }, fields: 'title' } }]
      await ask(`${book(id)}:batchUpdate`, {
        method: 'POST',
        headers: asOwner,
        body: JSON.stringify({ requests }),
      })
    },
  }
}
