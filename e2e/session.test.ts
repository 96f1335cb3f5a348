import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, PATIENCE_MS } from './browser.ts'
import { startPrepared } from './prepared.ts'
import type { RunningProduct } from './product.ts'

let product: RunningProduct
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startPrepared(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(async () => {
  await context?.close()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
})

async function signIn(path = '/gs-template') {
  await page.goto(`${product.origin}${path}`)
  await become('Alice Aurora')
}
/** Signs in with one click, as the demo allows. */
async function become(name: string) {
  await page.getByText(name).click()
  await page.waitForURL(url => url.pathname !== '/sign-in')
  await page.getByRole('navigation').first().waitFor()
}
const cookie = async (name: string) => (await context.cookies()).find(each => each.name === name)?.value
const forget = (name: string) => context.clearCookies({ name })
/** Counts renewals from here on. */
function countRenewals() {
  const seen = { count: 0 }
  context.on('request', request => {
    if (new URL(request.url()).pathname === '/api/token/refresh/') seen.count++
  })
  return seen
}

describe('a session in the browser', () => {
  it('keeps the refresh token out of reach of the page', async () => {
    await signIn()
    const readable = await page.evaluate(() => document.cookie)
    expect(readable).toContain('access_token=')
    expect(readable).toContain('refresh_token_exp=')
    expect(readable).not.toMatch(/refresh_token=/)
  })

  it('is renewed once before the requests of a page that has no access token any more', async () => {
    await signIn()
    const address = page.url()
    // A page that is still open would renew it by itself as soon as it hears of a run.
    await page.goto('about:blank')
    await forget('access_token')
    const renewals = countRenewals()
    await page.goto(address)
    await page.getByRole('heading', { name: 'Auto-update reports' }).waitFor()
    await page.getByRole('table').waitFor()
    expect(renewals.count).toBe(1)
    expect(await cookie('access_token')).toBeTruthy()
  })

  it('retries a request once after a 401, with a new token', async () => {
    await signIn()
    const stale = `${(await cookie('access_token'))?.slice(0, -6)}AAAAAA`
    const address = page.url()
    await page.goto('about:blank')
    await context.addCookies([{ name: 'access_token', value: stale, url: product.origin }])
    const renewals = countRenewals()
    await page.goto(address)
    await page.getByRole('table').waitFor()
    expect(renewals.count).toBe(1)
    expect(await cookie('access_token')).not.toBe(stale)
  })

  it('goes to the expired page when nothing can renew it, and back to where the person was after signing in', async () => {
    await signIn('/sheets')
    await context.clearCookies()
    await page.goto(`${product.origin}/gs-template?p=0`)
    await page.waitForURL(/\/(expired|sign-in)\?redirect=/)
    if (new URL(page.url()).pathname === '/expired')
      await page
        .getByRole('link', { name: /sign in/i })
        .or(page.getByRole('button', { name: /sign in/i }))
        .first()
        .click()
    await become('Alice Aurora')
    await page.waitForURL(/\/gs-template\?p=0/)
  })

  it('says that it has expired when the refresh token was revoked meanwhile, and clears both tokens', async () => {
    await signIn()
    const access = await cookie('access_token')
    const everywhere = await fetch(`${product.origin}/api/token/logout/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      body: '{"everywhere":true}',
    })
    expect(everywhere.ok).toBe(true)
    // Whatever the page asks for next finds out; a run that moves makes it ask by itself, and then there is no link left to press.
    const pressed = page.getByRole('link', { name: 'Spreadsheets' }).click({ timeout: 5000 })
    await Promise.all([page.waitForURL(/\/expired\?redirect=/), pressed.catch(() => undefined)])
    expect(await cookie('access_token')).toBeUndefined()
    expect(await cookie('refresh_token_exp')).toBeUndefined()
  })

  it('accepts as a redirect only a path of this site', async () => {
    await page.goto(`${product.origin}/sign-in?redirect=${encodeURIComponent('//evil.example/steal')}`)
    await become('Alice Aurora')
    expect(new URL(page.url()).origin).toBe(product.origin)
  })

  it('is one for two tabs: both renew at the same time and neither signs the other out', async () => {
    await signIn()
    const other = await context.newPage()
    await other.goto(`${product.origin}/gs-template`)
    await other.getByRole('table').waitFor()
    for (let round = 0; round < 5; round++) {
      await forget('access_token')
      await Promise.all([page.reload(), other.reload()])
      await Promise.all([page, other].map(tab => tab.getByRole('table').waitFor()))
    }
    expect(new URL(page.url()).pathname).toBe('/gs-template')
    expect(new URL(other.url()).pathname).toBe('/gs-template')
  })

  it('ends in every tab on signing out, and shows nothing of the last person to the next', async () => {
    await signIn()
    await page.getByRole('button', { name: 'Alice Aurora' }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(/sign-in/)
    await become('Bo Borealis')
    await page.getByRole('link', { name: 'Auto-update reports' }).first().click()
    await page.getByRole('table').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('Aurora')
  })
})
