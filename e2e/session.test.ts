import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'

let product: RunningProduct
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startPrepared(), sharedBrowser()])
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})
beforeEach(async () => {
  await context?.close()
  context = await openWindow(browser, { viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
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
const sessionCookies = async () =>
  (await context.cookies()).map(each => each.name).filter(name => name.includes('token'))
const forget = (name: string) => context.clearCookies({ name })
/** Counts renewals from here on. */
function countRenewals() {
  const renewals = { count: 0 }
  context.on('request', request => {
    if (new URL(request.url()).pathname === '/api/token/refresh/') renewals.count++
  })
  return renewals
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
    // An open page would renew it by itself as soon as it receives an event of a run.
    await page.goto('about:blank')
    await forget('access_token')
    // With it the server would draw the page, which needs no renewal.
    await forget('look')
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

  it('survives a network that intercepts requests, and continues afterwards', async () => {
    await signIn()
    await page.goto('about:blank')
    await forget('access_token')
    const renewal = '**/api/token/refresh/'
    await page.route(renewal, route =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Please accept our terms</h1>' }),
    )
    await page.goto(`${product.origin}/gs-template`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute(renewal)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
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
    // The next request of the page finds out; a run in progress makes it send one by itself, and then there
    // is no link left to click.
    const pressed = page.getByRole('link', { name: 'Spreadsheets' }).click({ timeout: 5000 })
    await Promise.all([page.waitForURL(/\/expired\?redirect=/), pressed.catch(() => undefined)])
    expect(await sessionCookies()).toEqual([])
  })

  it('ends for good when the identity call refuses it, whatever the refusal is, and takes the refresh token along', async () => {
    for (const status of [401, 403, 404]) {
      await signIn()
      const refresh = await cookie('refresh_token')
      const refusal = { status, contentType: 'application/problem+json', body: '{}' }
      // A page that the server draws brings along who is there.
      await forget('look')
      await page.route('**/users/identity/', route => route.fulfill(refusal))
      const revoked = page.waitForResponse(response => response.url().endsWith('/api/token/revoke/'))
      await page.goto(`${product.origin}/gs-template`)
      await page.waitForURL(/\/expired\?redirect=/)
      await revoked
      expect([status, await sessionCookies()]).toEqual([status, []])
      const renewal = await fetch(`${product.origin}/api/token/refresh/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh }),
      })
      expect([status, renewal.status]).toEqual([status, 401])
      await page.unroute('**/users/identity/')
    }
  })

  it('ends in this browser when it is ended from another one’s list, with all its cookies', async () => {
    await signIn()
    const other = await openWindow(browser)
    const elsewhere = await other.newPage()
    await elsewhere.goto(`${product.origin}/profile`)
    await elsewhere.getByRole('button', { name: 'Sign in as Alice Aurora' }).click()
    await elsewhere.waitForURL(/\/profile/)
    const card = elsewhere.locator('#sessions')
    await card.getByText('This browser').waitFor()
    const buttons = card.getByRole('button', { name: /^Sign out Chrome/ })
    await buttons.first().waitFor()
    for (let left = await buttons.count(); left > 0; left -= 1) {
      await buttons.first().click()
      await elsewhere.waitForFunction(
        most => document.querySelectorAll('#sessions li button').length < most,
        left,
      )
    }
    const pressed = page.getByRole('link', { name: 'Spreadsheets' }).click({ timeout: 5000 })
    await Promise.all([page.waitForURL(/\/expired\?redirect=/), pressed.catch(() => undefined)])
    expect(await sessionCookies()).toEqual([])
    await card.getByText('This browser').waitFor()
    await other.close()
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

  it('shows no expired page to a person who signs out while requests are under way', async () => {
    await signIn()
    const pages: string[] = []
    page.on('framenavigated', frame => pages.push(new URL(frame.url()).pathname))
    const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/\/api\/(?!token\/)/, async route => {
      if (new URL(route.request().url()).pathname === '/api/sheets/') held.resolve()
      await ended.promise
      // Leaving a page aborts its requests.
      await route.continue().catch(() => undefined)
    })
    await page.getByRole('link', { name: 'Spreadsheets' }).click()
    // Signed out before it is sent, the page would send no request that could be refused.
    await held.promise
    await page.route('**/api/token/logout/', async route => {
      const response = await route.fetch()
      const refusal = page.waitForResponse(each => each.status() === 401)
      ended.resolve()
      await refusal
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Alice Aurora' }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Bo Borealis' }).waitFor()
    expect(pages).toContain('/sign-in')
    expect(pages).not.toContain('/expired')
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

describe('a set-password link', () => {
  it('leaves its token neither in the address bar nor in a request', async () => {
    const urls: string[] = []
    page.on('request', request => urls.push(request.url()))
    const token = 'made-up-token-of-somebody'
    for (const link of [`/set-password#token=${token}`, `/set-password?token=${token}`]) {
      await page.goto('about:blank')
      urls.length = 0
      await page.goto(product.origin + link)
      await page.getByLabel('New password').fill('a phrase of my own')
      await page.getByLabel('Repeat the password').fill('a phrase of my own')
      await page.waitForURL(`${product.origin}/set-password`)
      const sent = page.waitForRequest('**/api/set-password/')
      await page.getByRole('button', { name: 'Set password' }).click()
      expect((await sent).postDataJSON()).toEqual({ token, password: 'a phrase of my own' })
      await page.getByText('has already been used or is older than 24 hours').waitFor()
      expect(urls.filter(url => url.includes(token))).toHaveLength(link.includes('?') ? 1 : 0)
    }
  })
})
