import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPageRenderer } from '#server/rendering/renderer.ts'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { watch } from './page-violations.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'

// Pages arrive drawn; the browser continues with the same elements.

let product: RunningProduct
let browser: Browser

beforeAll(async () => {
  // However busy the machine is: a page is sent once all of it has been read.
  ;[product, browser] = await Promise.all([startPrepared({ RENDER_PAGES_MS: '10000' }), sharedBrowser()])
  // The first pages are left to their browsers, while the interface is loaded.
  const signIn = async () =>
    await (await fetch(`${product.origin}/sign-in`, { headers: { accept: 'text/html' } })).text()
  while (!(await signIn()).includes('id="drawn"')) await sleep(50)
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})

declare global {
  var drawnFirst: Element[] | undefined
  var drawnTitle: string | undefined
}

/** Signed in, and with a look that the server knows. */
async function visitor(name: string) {
  const context = await openWindow(browser, { viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${product.origin}/profile`)
  await page.getByRole('button', { name: `Sign in as ${name}` }).click()
  await page.getByRole('navigation').first().waitFor()
  await context.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      globalThis.drawnTitle = document.title
      globalThis.drawnFirst = [...document.querySelectorAll('#root :is(a, h1, nav, main, input, label, td)')]
    })
  })
  return { context, page }
}

/** Opens it, and how many of the elements that came with it are left once React has taken over. */
async function openDrawn(page: Page, path: string) {
  await page.goto(product.origin + path)
  await page.waitForFunction(() => globalThis.takenOver === undefined)
  return await page.evaluate(() => ({
    drawn: globalThis.drawnFirst?.length ?? 0,
    gone: globalThis.drawnFirst
      ?.filter(element => !element.isConnected)
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
    titles: [globalThis.drawnTitle, document.title],
  }))
}

const paths = [
  '/',
  '/gs-template',
  '/gs-template/template?id=1',
  '/gs-template/history?id=1',
  '/gs-template/new',
  '/profile',
  '/sheets',
  '/mailbox',
  '/customer/advertiser',
  '/customer/insertion-order',
  '/customer/insertion-order/payments',
  '/advertisement/create-link',
  '/advertisement/target-audience',
  '/material/image',
  '/lta-audience/audience-list',
  '/setting/users',
  '/support',
  '/nowhere',
]

describe('a drawn page', () => {
  it('is continued with the elements that came with it, in both languages', async () => {
    const { context, page } = await visitor('Mika Chen')
    const watched = await watch(context)
    // What is known of a report's spreadsheet changes the page: it stays unknown.
    await page.route(/gs_permission_check/, () => {})
    for (const language of ['English', '繁體中文']) {
      for (const path of paths) {
        const { drawn, gone, titles } = await openDrawn(page, path)
        expect({ path, is_drawn: drawn > 10, gone }).toEqual({ path, is_drawn: true, gone: [] })
        expect(titles).toEqual([expect.stringMatching(/.+ · Sheetcast$/), titles[0]])
      }
      if (language !== 'English') continue
      await page.getByRole('button', { name: 'Language' }).click()
      const saved = page.waitForResponse(response => response.request().method() === 'PATCH')
      await page.getByText('繁體中文').click()
      await saved
      await page.getByRole('button', { name: '語言' }).waitFor()
    }
    expect(watched).toEqual({ struck: [], violations: [], failures: [] })
  })

  it('has the parts whose code comes later, which are continued as well', async () => {
    const { context, page } = await visitor('Alice Aurora')
    const watched = await watch(context)
    const list = /<ul[^>]*>.*Aurora daily performance/
    expect(await sourceOf(context, '/')).toMatch(list)
    await page.goto(`${product.origin}/`)
    const line = await page.getByRole('link', { name: 'Aurora daily performance' }).first().elementHandle()
    await page.waitForFunction(() => globalThis.takenOver === undefined)
    // By then what waits for a moment without work has been drawn, too.
    await page.getByRole('heading', { name: 'Spend' }).waitFor()
    expect(await line?.evaluate(element => element.isConnected)).toBe(true)
    expect(watched).toEqual({ struck: [], violations: [], failures: [] })
  })

  it('looks as the browser last did: dark, with a rail instead of the sidebar', async () => {
    const { page } = await visitor('Sam Huang')
    await page.getByRole('button', { name: 'Collapse' }).click()
    await page.getByRole('button', { name: 'Theme' }).click()
    // Until it is saved, the browser draws by itself.
    const saved = page.waitForResponse(response => response.request().method() === 'PATCH')
    await page.getByText('Dark').click()
    await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark')
    await saved
    await openDrawn(page, '/sheets')
    const { gone } = await openDrawn(page, '/gs-template')
    expect(gone).toEqual([])
    const html = await sourceOf(page.context(), '/gs-template')
    expect(html).toContain('data-mantine-color-scheme="dark"')
    expect(html).toContain('data-sidebar="rail"')
  })

  it('is painted before any script but the one that loads the others', async () => {
    const { page } = await visitor('Dana Wu')
    await openDrawn(page, '/gs-template')
    const early = await page.evaluate(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => name.endsWith('.js') && startTime < (paint?.startTime ?? 0))
        .map(({ name }) => new URL(name).pathname.replace(/-[\w-]{8}\.js$/, ''))
    })
    expect(early).toEqual(['/assets/first-paint'])
  })

  it('does afterwards what somebody did before its scripts were there', async () => {
    const { page } = await visitor('Dana Wu')
    const search = page.getByRole('searchbox').first()
    const row = page.getByRole('row').nth(1)
    let proceed = await openHeld(page, '/gs-template')
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Theme' }).click()
    expect(await page.getByRole('menu', { name: 'Theme' }).isVisible()).toBe(false)
    proceed()
    await page.getByRole('menu', { name: 'Theme' }).waitFor()
    await page.getByText('1 selected').waitFor()
    proceed = await openHeld(page, '/gs-template')
    const name = await row.getByRole('link').first().innerText()
    await search.fill(name)
    proceed()
    await page.waitForURL(url => url.searchParams.get('search') === name)
    expect(await search.inputValue()).toBe(name)
  })

  it('shows the section that its address leads to, though the server has drawn no more than its place', async () => {
    const { page } = await visitor('Mika Chen')
    await page.goto(`${product.origin}/gs-template/template?id=1#spreadsheet`)
    const section = page.locator('#spreadsheet')
    // In whichever language she reads by then.
    await section.getByRole('textbox').first().waitFor()
    await expect.poll(async () => (await section.boundingBox())?.y ?? 1000).toBeLessThan(700)
  })

  it('leaves no page by a link where that would lose what has been typed', async () => {
    const { page } = await visitor('Dana Wu')
    const proceed = await openHeld(page, '/gs-template/template')
    await page.getByLabel('Report name').fill('Typed at once')
    await page.getByRole('link', { name: 'Spreadsheets' }).first().click()
    proceed()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByLabel('Report name').inputValue()).toBe('Typed at once')
  })

  it('takes keys and forms that were sent before its scripts were there', async () => {
    const context = await openWindow(browser, {})
    const page = await context.newPage()
    const gate = Promise.withResolvers<void>()
    await page.route(/\/assets\/index-[^/]*\.js/, async route => {
      await gate.promise
      await route.continue()
    })
    await page.goto(`${product.origin}/sign-in`, { waitUntil: 'commit' })
    await page.getByLabel('User name').fill('staff')
    await page.waitForFunction(() => globalThis.takenOver !== undefined)
    await page.getByLabel('Password', { exact: true }).fill('sheetcast-demo')
    await page.getByLabel('Password', { exact: true }).press('Enter')
    gate.resolve()
    await page.getByRole('navigation').first().waitFor()
    const proceed = await openHeld(page, '/gs-template')
    await page.getByRole('combobox', { name: 'Status' }).press('ArrowDown')
    proceed()
    await page.getByRole('listbox', { name: 'Status' }).waitFor()
  })

  it('shows nobody what is somebody else’s, however many are drawn at once', async () => {
    const [alice, bo] = await Promise.all([visitor('Alice Aurora'), visitor('Bo Borealis')])
    const pages = ['/', '/gs-template', '/profile', '/sheets']
    const sources = await Promise.all(
      Array.from({ length: 5 }, () => pages)
        .flat()
        .flatMap(path => [
          sourceOf(alice.context, path).then(html => ({ html, own: 'Aurora', other: 'Borealis' })),
          sourceOf(bo.context, path).then(html => ({ html, own: 'Borealis', other: 'Aurora' })),
        ]),
    )
    // More at once than are drawn: the others are left to their browsers, and empty.
    const drawn = sources.filter(({ html }) => html.includes('id="drawn"'))
    expect(drawn.length).toBeGreaterThan(7)
    for (const { html, own, other } of drawn)
      expect({ own: html.includes(own), other: html.includes(other) }).toEqual({ own: true, other: false })
  })

  it('is drawn for who comes back after the access token has expired, who goes on working', async () => {
    const { context, page } = await visitor('Alice Aurora')
    await context.clearCookies({ name: 'access_token' })
    const { drawn, gone } = await openDrawn(page, '/gs-template')
    expect({ is_drawn: drawn > 10, gone }).toEqual({ is_drawn: true, gone: [] })
    await page.getByRole('link', { name: 'Spreadsheets' }).click()
    await page.getByRole('heading', { level: 1, name: 'Spreadsheets' }).waitFor()
  })

  it('is left to its browser when nobody knows in time who is there', async () => {
    const stopping = new AbortController()
    const problems: string[] = []
    const renderer = createPageRenderer({
      entry: join(import.meta.dirname, '../dist/web-renderer/render-page.js'),
      limit_ms: 1,
      stopping: stopping.signal,
      warn: problem => problems.push(problem),
    })
    while (!renderer.isReady()) await sleep(10)
    const look = { is_dark: false, time_zone: 'UTC', stored: {} }
    const cookies = 'access_token=a.b.c'
    const page = { href: '/gs-template', origin: product.origin, cookies, look, at_ms: 0 }
    let reads = 0
    const never = () => {
      reads += 1
      return new Promise<never>(() => {})
    }
    expect(await renderer.draw(page, never)).toBeNull()
    expect({ problems, isRead: reads > 0 }).toEqual({ problems: [], isRead: true })
    stopping.abort()
  })

  it('is empty for somebody who has signed out, or whose session was ended', async () => {
    const { context, page } = await visitor('Alice Aurora')
    expect(await sourceOf(context, '/gs-template')).toContain('id="drawn"')
    const cookies = await context.cookies()
    await page.getByRole('button', { name: 'Alice Aurora' }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(/sign-in/)
    expect(await sourceOf(context, '/gs-template')).not.toContain('id="drawn"')
    await context.addCookies(cookies)
    expect(await sourceOf(context, '/gs-template')).not.toContain('Aurora')
  })
})

/** Opens it as it is before its scripts are there; they are once the result is called. */
async function openHeld(page: Page, path: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  const scripts = /\/assets\/index-[^/]*\.js/
  await page.unroute(scripts)
  await page.route(scripts, async route => {
    await gate.promise
    await route.continue()
  })
  await page.goto(product.origin + path, { waitUntil: 'commit' })
  await page.waitForFunction(() => globalThis.takenOver !== undefined)
  return gate.resolve
}

/** The page as the server sends it. */
async function sourceOf(context: BrowserContext, path: string): Promise<string> {
  const response = await context.request.get(product.origin + path, { headers: { accept: 'text/html' } })
  expect(response.headers()['cache-control']).toMatch(/no-store|no-cache/)
  return await response.text()
}
