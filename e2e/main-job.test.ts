import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { expectedRows } from './oracle.ts'
import { untilPrepared } from './prepared.ts'
import { startProduct, type RunningProduct } from './product.ts'
import { untilFirstRunsEnded } from './test-product.ts'

let product: RunningProduct
let browser: Browser
let context: BrowserContext
let page: Page
const violations: string[] = []

beforeAll(async () => {
  await untilPrepared()
  ;[product, browser] = await Promise.all([startProduct(), sharedBrowser()])
  await untilFirstRunsEnded({ product })
  context = await openWindow(browser, { viewport: { width: 1440, height: 1000 } })
  page = await context.newPage()
  page.on('pageerror', error => violations.push(error.message))
  page.on('console', message => message.type() === 'error' && violations.push(message.text()))
})
// The text of the page says more than a locator that was not found.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(page.url(), await page.locator('body').ariaSnapshot())
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const choose = async (field: string, options: (string | RegExp)[]) => {
  await page.getByRole('button', { name: field, exact: true }).click()
  for (const name of options) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
}

describe('the main job', () => {
  let address = ''
  let spreadsheetId = ''

  it('lets an account manager sign in', async () => {
    await page.goto(`${product.origin}/gs-template`)
    await page.getByLabel('User name').fill('manager')
    await page.getByLabel('Password', { exact: true }).fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Password', { exact: true }).fill('sheetcast-demo')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Auto-update reports' }).waitFor()
    // The browser itself logs the refused attempt.
    violations.length = 0
  })

  it('has a spreadsheet of their own, shared with nobody', async () => {
    await page.getByRole('link', { name: 'Spreadsheets' }).click()
    await button('New spreadsheet').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Proof')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Proof' }).waitFor()
    spreadsheetId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    address = `${product.sandbox}/spreadsheets/d/${spreadsheetId}/edit#gid=0`
  })

  it('describes a report over two accounts with a filter, a dynamic range, two dimensions and six metrics', async () => {
    await page.getByRole('link', { name: 'Auto-update reports' }).first().click()
    await button('New report')
      .or(page.getByRole('link', { name: 'New report' }))
      .first()
      .click()
    await page.getByRole('link', { name: 'Blank report' }).click()
    await page.getByLabel('Report name').fill('Proof of the main job')
    await button('Add Meta ads').click()
    await choose('Accounts', [/^Aurora Cosmetics Taiwan/, /^Aurora Cosmetics Outlet/])
    await button('Add common metrics').click()
    await button('Add filter').click()
    await chooseInCombobox('Field', 'Campaign name')
    await page.getByRole('combobox', { name: 'Values' }).fill('SALE')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Campaign', exact: true }).click()
    await chooseInCombobox('Dynamic range', 'Last month till now')
    await page.getByText(/A run today covers/).waitFor()
  })

  it('learns that the spreadsheet is not shared, shares it, and chooses tab and start cell', async () => {
    await page.getByLabel('Spreadsheet address').fill(address)
    await page
      .getByText(/not shared with the system user/i)
      .first()
      .waitFor()
    await button('Save').first().click()
    await page.getByText('All changes saved').waitFor()
    const editor = page.url()

    await page.goto(`${product.origin}/sheets/${spreadsheetId}`)
    await button('Share').click()
    await button('Share as Editor').click()
    await page
      .getByText('Sheetcast can write here')
      .or(page.getByRole('listitem').filter({ hasText: 'sheetcast@' }))
      .first()
      .waitFor()

    await page.goto(editor)
    await chooseInCombobox('Tab', /^Sheet1/)
    await page.getByLabel('Starting cell').fill('A0')
    await page.getByText('Please enter the correct cell format.').waitFor()
    await page.getByLabel('Starting cell').fill('c4')
    await page.getByText(/starts at C4/i).waitFor()
  })

  it('runs it and watches it complete', async () => {
    await button('Save and run').click()
    await page.getByRole('heading', { name: 'One-click execution' }).waitFor()
    await page.getByText('1 completed, 0 failed, 0 waiting, of 1').waitFor({ state: 'attached' })
    await page
      .getByText(/[\d,]+ rows/)
      .first()
      .waitFor()
  })

  it('finds in the spreadsheet, cell for cell, what the platform says', async () => {
    const range = lastMonthTillNow(new Date())
    const accounts = await accountIds(['Aurora Cosmetics Taiwan', 'Aurora Cosmetics Outlet'])
    const expected = await expectedRows(product.sandbox, { accounts, range, campaign_contains: 'SALE' })
    expect(expected.length).toBeGreaterThan(20)
    const cells = await valuesOf(`Sheet1!C4:J${4 + expected.length + 5}`)
    expect(cells[0]).toEqual([
      'Date',
      'Campaign',
      'Impressions',
      'Clicks',
      'Cost',
      'CTR',
      'Conversions',
      'ROAS',
    ])
    expect(cells.slice(1)).toEqual(expected.map(withoutTrailingBlanks))
  })

  it('shows the same in the built-in viewer, formatted', async () => {
    await page.goto(`${product.origin}/sheets/${spreadsheetId}`)
    await page.getByRole('gridcell', { name: 'Impressions' }).waitFor()
    await page
      .getByRole('gridcell', { name: /^\d{4}-\d\d-01$/ })
      .first()
      .waitFor()
  })

  it('has caused no error and no violation of the content security policy', () => {
    expect(violations).toEqual([])
  })

  /** Every cell as it is stored, as the person whose file it is would read it. */
  async function valuesOf(range: string) {
    const url = `${product.sandbox}/v4/spreadsheets/${spreadsheetId}/values/${encodeURIComponent(range)}?valueRenderOption=UNFORMATTED_VALUE`
    const response = await fetch(url, {
      headers: { authorization: 'Bearer sandbox-user:manager@sheetcast.demo' },
    })
    return ((await response.json()) as { values: (string | number)[][] }).values
  }
})

async function chooseInCombobox(field: string | RegExp, option: string | RegExp) {
  await page
    .getByRole('combobox', { name: field, exact: typeof field === 'string' })
    .first()
    .click()
  await page.getByRole('option', { name: option }).click()
}

/** From the 1st of last month to today, in Taipei. */
function lastMonthTillNow(now: Date) {
  const end = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Taipei' }).format(now)
  const [year = 0, month = 0] = end.split('-').map(Number)
  return { start: new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 10), end }
}

/** The service leaves empty cells at the end of a row out. */
function withoutTrailingBlanks(row: (string | number)[]) {
  const last = row.findLastIndex(cell => cell !== '')
  return row.slice(0, last + 1)
}

async function accountIds(names: string[]) {
  const url = `${product.sandbox}/v25.0/me/adaccounts?fields=account_id,name&limit=200`
  const response = await fetch(url, { headers: { authorization: 'Bearer sandbox-admin' } })
  const { data } = (await response.json()) as { data: { account_id: string; name: string }[] }
  return names.map(name => data.find(account => account.name === name)?.account_id ?? '')
}
