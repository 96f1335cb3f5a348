import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openWindow } from './browser.ts'
import { callerOf, start } from './test-product.ts'

const started = start()
let page: Page
const contexts: BrowserContext[] = []

/** As one of the demo's people, in a browser of their own. */
async function signIn(person: string, { width = 1280, language = 'en' } = {}) {
  const context = await openWindow(started.browser, {
    viewport: { width, height: 900 },
    timezoneId: 'Asia/Taipei',
  })
  contexts.push(context)
  page = await context.newPage()
  await page.goto(`${started.product.origin}/sign-in`)
  await page.getByText(person).first().click()
  await page.getByRole('heading', { level: 1 }).filter({ hasText: person }).waitFor()
  if (language === 'zh-TW') {
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: '繁體中文' }).click()
    await page.getByRole('heading', { name: `${person}，您好` }).waitFor()
  }
}

/** Lets a report of theirs fail for want of data, which may be there another time. */
async function failFor(username: string): Promise<string> {
  const api = await callerOf(started, username)
  const name = 'Aurora campaigns by week'
  const search = `?scope=mine&search=${encodeURIComponent(name)}`
  const report = async () => (await api('GET', `/api/gs-template-setting/${search}`)).body.results[0]
  // A click joins a run that is under way, such as the demo's first one.
  await expect.poll(async () => (await report()).last_run?.status).toMatch(/^(completed|error)$/)
  const { id, version, channels } = await report()
  const filters = [{ field: 'campaign_name', rule: 'CONTAINS', values: ['no such campaign'] }]
  const changed = await api('PATCH', `/api/gs-template-setting/${id}/`, {
    version,
    channels: channels.map((channel: object) => ({ ...channel, filters })),
  })
  expect(changed.status).toBe(200)
  await api('POST', '/api/gs-template-execution/', { reports: [id] })
  await expect.poll(async () => (await report()).last_run?.code).toBe('channel_no_data')
  return name
}

const tile = (label: string) => page.locator('dl > div').filter({ hasText: label })
const card = (title: string | RegExp) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) })
const palette = (name = 'Search') => page.getByRole('combobox', { name, exact: true })

describe("a manager's overview", () => {
  it('says what ran and what failed, and why', async () => {
    await signIn('Mika Chen')
    await tile('Completed today')
      .getByText(/^[1-9]\d*$/)
      .waitFor()
    const failures = card(/^Needs your attention/)
    const line = failures.getByRole('listitem').filter({ hasText: 'Fjord Japan (access was revoked)' })
    await line.getByText('The account can no longer be used.').waitFor()
    // Running it again would not bring the access back.
    await line.getByRole('link', { name: /^Open the instructions: / }).waitFor()
    expect(await line.getByRole('button', { name: /^Run / }).count()).toBe(0)
    const incomplete = failures.getByRole('listitem').filter({ hasText: 'Aurora brand campaigns' })
    await incomplete.getByText('Cannot run. Not set: tab, access to the spreadsheet.').waitFor()
    await card('Next due').getByRole('link', { name: 'Aurora daily performance' }).waitFor()
    await card('Recently modified').getByRole('listitem').first().waitFor()
  })

  it('runs a failed report again, and counts it', async () => {
    const name = await failFor('manager')
    await page.reload()
    const failed = tile('Failed today').locator('dd').first()
    const again = page.getByRole('button', { name: `Run ${name} again` })
    await again.waitFor()
    const before = Number(await failed.innerText())
    await again.click()
    await page.getByText(`${name} is running again.`).waitFor()
    await failed.getByText(String(before + 1), { exact: true }).waitFor()
  })

  it('draws what the channels cost, with its table behind a toggle and every point by keyboard', async () => {
    const spend = card(/^Spend$/)
    await spend.getByText(/accounts. Data until/).waitFor()
    await spend.getByText('TWD', { exact: true }).click()
    const points = spend.getByRole('slider')
    await points.focus()
    await page.keyboard.press('Home')
    const first = (await points.getAttribute('aria-valuetext')) ?? ''
    expect(first).toMatch(/^\d{4}-\d\d-\d\d: .*Meta ads NT\$[\d,.]+.*Total NT\$[\d,]+/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => points.getAttribute('aria-valuetext')).not.toBe(first)
    await spend.getByRole('button', { name: 'Show as table' }).click()
    const table = spend.getByRole('table', { name: 'Daily spend by channel (TWD)' })
    await expect.poll(() => table.getByRole('row').count()).toBe(31)
    const [day = '', total = ''] = [first.slice(0, 10), /Total (NT\$[\d,]*\d)/.exec(first)?.[1]]
    await table.getByRole('row', { name: day }).getByRole('cell', { name: total, exact: true }).waitFor()
  })

  it('stays whole where the code of its chart cannot be loaded, and offers to load again', async () => {
    const spend = card(/^Spend$/)
    await page.route(/\/chart-[^/]*\.js$/, route => route.abort())
    await page.reload()
    const missing = spend.getByRole('alert')
    await missing.getByText('This part could not be loaded.').waitFor()
    await card('Recently modified').getByRole('listitem').first().waitFor()
    await page.getByRole('button', { name: /notification/i }).waitFor()
    await page.unroute(/\/chart-[^/]*\.js$/)
    await missing.getByRole('button', { name: 'Reload' }).click()
    await spend.getByRole('figure').waitFor()
  })

  it('sends the server one request about today, whatever there is to show', async () => {
    const paths: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/gs-template-') || pathname === '/api/overview/') paths.push(pathname)
    })
    // Without it the server would have read everything itself.
    await page.context().clearCookies({ name: 'look' })
    await page.reload()
    await tile('Completed today').waitFor()
    await card('Recently modified').getByRole('listitem').first().waitFor()
    expect([...new Set(paths)]).toEqual(['/api/overview/'])
  })
})

describe('the search palette', () => {
  it('finds a report and opens it without a mouse', async () => {
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type('aurora camp')
    const group = page.getByRole('group', { name: 'Reports' })
    await group.getByRole('option', { name: 'Aurora campaigns by week' }).waitFor()
    await expect.poll(selected).toMatch(/^Aurora/)
    await page.keyboard.press('ArrowUp')
    const last = await page.getByRole('option').last().innerText()
    await expect.poll(selected).toBe(last)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: last, level: 1 }).waitFor()
    await palette().waitFor({ state: 'detached' })
  })

  it('remembers what was opened last', async () => {
    const [opened] = (await page.title()).split(' · ')
    await page.keyboard.press('Control+k')
    await page
      .getByRole('group', { name: 'Recent reports' })
      .getByRole('option', { name: opened ?? '' })
      .waitFor()
  })

  it('finds a page by its name in the other language, and a folder', async () => {
    await page.keyboard.type('試算')
    await page.getByRole('group', { name: 'Pages' }).getByRole('option', { name: 'Spreadsheets' }).waitFor()
    await palette().fill('cosmetics')
    await page.getByRole('group', { name: 'Folders' }).getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Aurora Cosmetics', level: 1 }).waitFor()
  })

  it('returns the focus, and says when there is no result', async () => {
    const button = page.getByRole('button', { name: 'Search', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await palette().fill('no such thing')
    await page.getByText('No results for “no such thing”.').waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate(element => element === document.activeElement)).toBe(true)
  })

  const selected = () => page.getByRole('option', { selected: true }).innerText()
})

describe("a client's overview", () => {
  it('says in plain words how fresh each report is, and opens its spreadsheet', async () => {
    await signIn('Alice Aurora', { width: 360, language: 'zh-TW' })
    const reports = card('您的報表')
    const line = reports.getByRole('listitem').filter({ hasText: 'Aurora daily performance' })
    await line.getByText(/^今天 (凌晨|上午|下午) \d\d:\d\d 已更新。/).waitFor()
    await card(/^花費$/)
      .getByText(/個帳戶。 資料完整至/)
      .waitFor()
    await expect.poll(() => page.getByText(/Borealis|Fjord/).count()).toBe(0)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    ).toBe(true)
    await line.getByRole('link', { name: '開啟「Aurora daily performance」的試算表' }).click()
    await page.waitForURL(/\/sheets\//)
  })

  it("finds nothing of another client's, and no page that is not for clients", async () => {
    await page.keyboard.press('Control+k')
    const box = palette('搜尋')
    await box.fill('Borealis')
    await page.getByText('找不到符合「Borealis」的結果。').waitFor()
    await box.fill('Public')
    await page.getByText('找不到符合「Public」的結果。').waitFor()
    await box.fill('new rep')
    await page.getByRole('option', { name: '新增報表' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/gs-template\/new/)
    await page.goto(`${started.product.origin}/setting/public-account`)
    await page.getByRole('navigation', { name: '頁面路徑' }).getByText('找不到此頁面').waitFor()
    expect(await page.getByText('公用帳號').count()).toBe(0)
  })
})
