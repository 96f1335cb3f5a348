import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { CALL, payloads } from './payloads.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'
import { watch, type Watched } from './page-violations.ts'

// Hostile texts wherever a text can reach a page, under the policies that are shipped: none becomes script,
// and none even tries to.

const COUNT = process.env.LONG ? 500 : 60
const texts = payloads(COUNT)
const textAt = (at: number, most = 120) =>
  texts
    .filter(text => text.length <= most)
    .at((at % COUNT) % texts.filter(text => text.length <= most).length) ?? ''

let product: RunningProduct
let browser: Browser
let context: BrowserContext
let page: Page
let watched: Watched
let token = ''
let planted: Awaited<ReturnType<typeof plant>>

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startPrepared(), sharedBrowser()])
  const { access } = await call<{ access: string }>('POST', '/api/token/', {
    username: 'manager',
    password: 'sheetcast-demo',
  })
  token = access
  planted = await plant()
  context = await openWindow(browser, { viewport: { width: 1280, height: 900 } })
  watched = await watch(context)
  page = await context.newPage()
  await becomeManager()
})
// The text of the page says more than a locator that was not found.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    console.error(page.url(), await page.locator('body').ariaSnapshot(), watched)
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})

/** Repeats the request, as a client does, while the product is too busy. */
async function call<Reply>(method: string, path: string, body?: object, tries = 30): Promise<Reply> {
  const response = await fetch(product.origin + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: body ? JSON.stringify(body) : null,
  })
  if (response.status === 503 && tries > 0) {
    await sleep(1000 * Number(response.headers.get('retry-after') ?? 1))
    return await call(method, path, body, tries - 1)
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (response.status === 204 ? null : await response.json()) as Reply
}

async function asOwner<Reply>(path: string, body: object): Promise<Reply> {
  const response = await fetch(product.sandbox + path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-user:manager@sheetcast.demo',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Reply
}

/**
 * Names accept no character that changes direction or hides; tabs, cells, filters and mocked responses have
 * them all.
 */
const asName = (text: string) => text.replaceAll(/[\u2028\u202e\ufeff]/g, '').trim()

/** Every text of the manager's, and of a spreadsheet of theirs, becomes a payload. */
async function plant() {
  const { user_id } = await call<{ user_id: number }>('GET', '/users/identity/')
  await call('PATCH', `/users/${user_id}/`, {
    full_name: asName(textAt(1)),
    position: asName(textAt(2)),
    contacts: [{ type: 0, value: asName(textAt(3)) }],
  })
  const { results: accounts } = await call<{ results: { id: number }[] }>(
    'GET',
    '/api/ad/account/?channel=fb&ordering=name&limit=2',
  )
  const sheet = await plantSheet()
  const reports: number[] = []
  for (const [at, name] of texts.entries()) {
    const { id } = await call<{ id: number }>('POST', '/api/gs-template-setting/', {
      name: asName(name),
      spreadsheet_url: `${product.sandbox}/spreadsheets/d/${sheet}/edit`,
      sheet_name: textAt(at, 90).replaceAll(':', ''),
      channels: [
        {
          channel: 'fb',
          label: asName(textAt(at + 1, 60)),
          accounts: accounts.map(account => account.id),
          metrics: ['cost'],
          filters: [{ field: 'campaign_name', rule: 'CONTAINS', values: [textAt(at + 2), textAt(at + 3)] }],
        },
      ],
    })
    reports.push(id)
  }
  const folders: number[] = []
  for (const name of texts.slice(0, 6)) {
    const folder = await call<{ id: number }>('POST', '/api/gs-template-folder/', {
      name: asName(name),
    }).catch(() => null)
    if (folder) folders.push(folder.id)
  }
  return { reports, folders, sheet, ...(await plantCustomer()) }
}

/** A customer with an order and an audience, all with a hostile text wherever they take one. */
async function plantCustomer() {
  const names = { name: asName(textAt(5, 60)), name_zh: asName(textAt(6, 60)) }
  const contact = { name: asName(textAt(7)), title: asName(textAt(8, 80)), phone: asName(textAt(9, 40)) }
  const facts = { name: asName(textAt(10)), note: asName(textAt(11)), contacts: [contact] }
  const industry = await call<{ id: number }>('POST', '/api/industry/', names)
  const agent = await call<{ id: number }>('POST', '/api/agent/', facts)
  const advertiser = await call<{ id: number }>('POST', '/api/advertiser/', {
    ...facts,
    legal_name: asName(textAt(12)),
    tax_country: 'other',
    tax_id: asName(textAt(13, 30)),
    address: asName(textAt(14)),
    industry: industry.id,
    agent: agent.id,
  })
  const order = await call<{ id: number }>('POST', '/api/ad_insertion/quotation/', {
    advertiser: advertiser.id,
    title: asName(textAt(15)),
    terms: asName(textAt(16)),
    internal_note: asName(textAt(17)),
    client_po: asName(textAt(18, 60)),
    lines: texts.slice(0, 20).map((text, at) => ({
      title: asName(textAt(at)),
      publisher: asName(textAt(at + 1)),
      description: asName(text).slice(0, 500),
      start: '2026-11-01',
      end: '2026-11-30',
      budget: 1_000_000,
    })),
  })
  const audience = await call<{ id: number }>('POST', '/api/lta/', {
    advertiser: advertiser.id,
    kind: 'customer_file',
    name: asName(textAt(19)),
    description: asName(textAt(20)),
    basis: asName(textAt(21)),
  })
  return {
    advertiser: advertiser.id,
    order: order.id,
    audience: audience.id,
    ...(await plantPlans(advertiser.id, audience.id)),
  }
}

/** Whom a campaign of theirs is for, where it leads to and with whom it is booked. */
async function plantPlans(advertiser: number, audience: number) {
  const target = await call<{ id: number }>('POST', '/api/targetaudience/', {
    advertiser,
    name: asName(textAt(22)),
    interests: [asName(textAt(23, 60))],
    locations: [{ country: 'TW', city: asName(textAt(24, 80)) }],
    audience_lists: { include: [audience] },
    note: asName(textAt(25)),
  })
  const site = await call<{ id: number }>('POST', '/api/site/', {
    advertiser,
    name: asName(textAt(26)),
    url: `https://shop.example/?q=${encodeURIComponent(textAt(27, 60))}`,
  })
  const publisher = await call<{ id: number }>('POST', '/api/publisher/', {
    name: asName(textAt(28)),
    contacts: [{ name: asName(textAt(29)), title: asName(textAt(30, 80)) }],
    note: asName(textAt(31)),
  })
  return { target: target.id, site: site.id, publisher: publisher.id }
}

async function plantSheet() {
  const { spreadsheetId: id } = await asOwner<{ spreadsheetId: string }>('/v4/spreadsheets', {
    properties: { title: textAt(4) },
    sheets: [...new Set(Array.from({ length: 12 }, (_, at) => textAt(at, 90)))].map(title => ({
      properties: { title },
    })),
  })
  const rows = texts.map((text, at) => [
    text,
    textAt(at + 1),
    `=CONCATENATE("<img src=x ","onerror=${CALL}()>")`,
  ])
  const title = textAt(0, 90).replaceAll("'", "''")
  await asOwner(`/v4/spreadsheets/${id}/values:batchUpdate`, {
    valueInputOption: 'RAW',
    data: [{ range: `'${title}'!A1`, values: rows }],
  })
  return id
}

/** Opens an address of the product and waits until it shows what it has. */
async function open(path: string) {
  await page.goto(product.origin + path)
  await page.locator('main').filter({ hasText: /\S/ }).waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
}

async function becomeManager() {
  await context.clearCookies()
  await page.goto(`${product.origin}/sign-in`)
  await page.getByRole('button', { name: 'Sign in as Mika Chen' }).click()
  await page.waitForURL(url => url.pathname !== '/sign-in')
  await page.locator('main').waitFor()
}

const clean = { struck: [], violations: [], failures: [] }

describe('a hostile text', () => {
  it('would be noticed if it became script or broke the policy', async () => {
    const own = await openWindow(browser)
    const noticed = await watch(own)
    const tried = await own.newPage()
    await tried.goto(`${product.origin}/sign-in`)
    await tried.evaluate(() => {
      try {
        document.body.innerHTML = '<b>text</b>'
      } catch {
        // Trusted Types refuse it, and report it.
      }
      Object(globalThis).struck()
    })
    await expect.poll(() => noticed.struck.length).toBe(1)
    await expect.poll(() => noticed.violations.join()).toContain('require-trusted-types-for')
    await own.close()
  })

  it('is text in lists, folders, editors, histories and profiles', async () => {
    for (let at = 1; at <= Math.ceil(COUNT / 20); at++) await open(`/gs-template?p=0&page=${at}`)
    await page.locator('main').filter({ hasText: CALL }).waitFor()
    for (const id of drawn(planted.folders, 3, 'folders')) await open(`/gs-template?p=${id}`)
    for (const id of drawn(planted.reports.slice(0, 3), 3, 'reports')) {
      await open(`/gs-template/template?id=${id}`)
      await open(`/gs-template/setting?id=${id}`)
      await open(`/gs-template/history?id=${id}`)
    }
    for (const path of ['/', '/profile', ...customerPages()]) await open(path)
    expect(watched).toEqual(clean)
  })

  it('is text in the built-in spreadsheets and in the viewer of the service itself', async () => {
    await open('/sheets')
    await page.locator('main').filter({ hasText: CALL }).waitFor()
    await open(`/sheets/${planted.sheet}`)
    await page.getByRole('gridcell', { name: CALL }).first().waitFor()
    for (const tab of await page.getByRole('tab').all()) await tab.click()
    await page.goto(`${product.sandbox}/spreadsheets/d/${planted.sheet}/edit`)
    await page.getByLabel('View as').fill('manager@sheetcast.demo')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('cell', { name: CALL }).first().waitFor()
    expect(watched).toEqual(clean)
  })

  it('is text in search boxes and in addresses', async () => {
    await open('/gs-template')
    const search = page
      .getByRole('searchbox')
      .or(page.getByRole('textbox', { name: /search/i }))
      .first()
    for (const text of drawn(texts, 10, 'searches')) await search.fill(text)
    const names = ['p', 'id', 'gid', 'search', 'execution', 'page', 'ordering', 'run', 'scope']
    const paths = [
      '/gs-template',
      '/gs-template/new',
      '/gs-template/template',
      '/gs-template/history',
      `/sheets/${planted.sheet}`,
    ]
    for (const [at, text] of drawn(texts, 20, 'addresses').entries()) {
      const query = new URLSearchParams(names.map((name, more) => [name, textAt(at + more)]))
      await open(`${paths[at % paths.length]}?${query}#${encodeURIComponent(text)}`)
    }
    await page.goto(`${product.origin}/${encodeURIComponent(texts[0] ?? '')}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(watched).toEqual(clean)
  })

  it('leads nowhere else as the page to go to after signing in', async () => {
    const targets = [
      '//evil.example',
      `javascript:${CALL}()`,
      `data:text/html,<script>${CALL}()</script>`,
      '/\\evil.example',
      '/\t/evil.example',
      'https:evil.example',
      '/@evil.example//',
    ]
    for (const target of drawn(targets, 2, 'targets')) {
      await context.clearCookies()
      await page.goto(`${product.origin}/sign-in?redirect=${encodeURIComponent(target)}`)
      await page.getByRole('button', { name: 'Sign in as Mika Chen' }).click()
      await page.waitForURL(url => url.pathname !== '/sign-in')
      await page.locator('main').waitFor()
      expect(new URL(page.url()).origin).toBe(product.origin)
    }
    expect(watched).toEqual(clean)
  })

  it('is text when the server itself returns it, in every field of every response', async () => {
    let count = 0
    await page.route(/\/(api|users)\//, async route => {
      if (/events|token|exports?/.test(route.request().url())) return await route.continue()
      const response = await route.fetch()
      const body = await response.text()
      const type = response.headers()['content-type'] ?? ''
      await route.fulfill({
        response,
        body: type.includes('json') ? spoken(body, () => textAt(count++)) : body,
      })
    })
    for (const path of walked()) await open(path)
    await page.unrouteAll({ behavior: 'wait' })
    // A response that no server gives may break a page, but never run or load anything.
    expect({ ...watched, failures: [] }).toEqual(clean)
  })

  it('is text in refusals', async () => {
    let count = 0
    await page.route(/\/api\/(gs|ad|fb-business|agent|industry|sheets|events)/, async route => {
      const text = textAt(count++)
      const refusal = {
        type: text,
        title: text,
        status: 400,
        code: text,
        detail: text,
        request_id: text,
        name: [text],
      }
      await route.fulfill({
        status: [400, 403, 404, 500][count % 4] ?? 500,
        contentType: 'application/problem+json',
        body: JSON.stringify(refusal),
      })
    })
    for (const path of walked()) {
      await page.goto(product.origin + path)
      await page.locator('main').waitFor()
    }
    await page.unrouteAll({ behavior: 'wait' })
    expect({ ...watched, failures: [] }).toEqual(clean)
  })
})

const walked = () => [
  '/',
  '/gs-template?p=0',
  `/gs-template/template?id=${planted.reports[0]}`,
  `/gs-template/setting?id=${planted.reports[0]}`,
  `/gs-template/history?id=${planted.reports[0]}`,
  '/sheets',
  `/sheets/${planted.sheet}`,
  '/profile',
  ...customerPages(),
]

const customerPages = () => [
  '/bm-management',
  '/bm-management?account=1',
  '/lta-audience/audience-list',
  ...['overview', 'shares', 'uploads'].map(
    tab => `/lta-audience/audience-list?audience=${planted.audience}&tab=${tab}`,
  ),
  '/material/image',
  '/material/image?layout=table',
  '/material/file',
  '/customer/industry',
  '/customer/agent',
  '/customer/advertiser',
  ...['', '?tab=data', '?tab=orders'].map(tab => `/customer/advertiser/${planted.advertiser}${tab}`),
  '/customer/insertion-order',
  `/customer/insertion-order/${planted.order}`,
  `/customer/insertion-order/${planted.order}/edit`,
  '/advertisement/target-audience',
  `/advertisement/target-audience?target_audience=${planted.target}`,
  '/material/site',
  `/material/site?site=${planted.site}`,
  '/material/media',
  `/material/media?publisher=${planted.publisher}`,
]

/** A response with a payload instead of each text that people have written, or that is shown to them. */
const spoken = (body: string, next: () => string) =>
  JSON.stringify(
    JSON.parse(body, (key: string, value: unknown) =>
      typeof value === 'string' && SHOWN_KEYS.test(key) ? next() : value,
    ),
  )

const SHOWN_KEYS =
  /name$|^(title|label|owner|description|detail|position|email|note|terms|address|phone|publisher|client_po|shared_by|currency|code|result|system_user|url|spreadsheet_url|value)$/
