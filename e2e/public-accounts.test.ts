import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findProblems } from './axe.ts'
import { openWindow } from './browser.ts'
import { start } from './test-product.ts'
import { changeLook } from './user-window.ts'

const started = start()

// It sees one account more than the demo agency's own login.
const TOKEN = 'sandbox-admin'
const WRONG_TOKEN = 'EAAB-canary-9f31'
const PATH = '/setting/public-account'

let page: Page
/** Every response to the superuser's browser. */
const responses: string[] = []

beforeAll(async () => {
  page = await signedIn('superuser')
  page.on('response', async response => {
    if (response.url().includes('/api/')) responses.push(await response.text().catch(() => ''))
  })
})

async function signedIn(username: string, look: Parameters<Browser['newContext']>[0] = {}) {
  const context = await openWindow(started.browser, {
    viewport: { width: 1440, height: 1000 },
    ...look,
  })
  const opened = await context.newPage()
  await opened.goto(`${started.product.origin}/sign-in`)
  await opened.getByLabel('User name').fill(username)
  await opened.getByLabel('Password', { exact: true }).fill('sheetcast-demo')
  await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
  await opened.getByRole('navigation').first().waitFor()
  return opened
}

const tokenIn = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'access_token')?.value ?? ''

const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })
const row = (name: string) => page.getByRole('row', { name })
const act = async (name: string, entry: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page
    .getByRole('menu', { name: `Actions for ${name}` })
    .getByRole('menuitem', { name: entry, exact: true })
    .click()
}

describe('a director', () => {
  it('has no menu item, no page and no API', async () => {
    const theirs = await signedIn('director')
    await theirs.getByRole('link', { name: 'Auto-update reports' }).first().waitFor()
    await expect.poll(() => theirs.getByRole('link', { name: 'Public accounts' }).count()).toBe(0)
    await theirs.goto(`${started.product.origin}${PATH}`)
    await theirs.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    const authorization = `Bearer ${await tokenIn(theirs.context())}`
    for (const path of ['/api/public-account/', '/api/public-account/1/', '/api/public-account-platform/'])
      expect((await fetch(started.product.origin + path, { headers: { authorization } })).status).toBe(403)
    await theirs.context().close()
  })
})

describe('a superuser', () => {
  it('sees which platforms are connected', async () => {
    await page.getByRole('link', { name: 'Public accounts' }).click()
    await row('Meta (agency)').getByText('Connected').waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(5)
  })

  it('sees at each field what a login lacks', async () => {
    await page.getByRole('button', { name: 'Connect a platform' }).click()
    await dialog().getByRole('combobox', { name: 'Platform' }).click()
    await page.getByRole('option', { name: 'Google Analytics 4' }).click()
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog().getByText('Please fill this in.').waitFor()
    await field('Service account key (JSON)').fill('{ "type": "service_account" }')
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog().getByText('This value is not valid.').waitFor()
    await dialog().getByRole('combobox', { name: 'Sign in with' }).click()
    await page.getByRole('option', { name: 'Client ID + Client secret + Refresh token' }).click()
    await expect.poll(() => field('Service account key (JSON)').count()).toBe(0)
    await expect.poll(() => field('Client secret').getAttribute('type')).toBe('password')
  })

  it('pastes a token that stays hidden unless they want to see it', async () => {
    await dialog().getByRole('combobox', { name: 'Platform' }).click()
    await page.getByRole('option', { name: 'Meta' }).click()
    await dialog().getByText('Enter keys by hand').click()
    const token = field('System user access token')
    await token.fill(WRONG_TOKEN)
    expect([await token.getAttribute('type'), await token.getAttribute('autocomplete')]).toEqual([
      'password',
      'new-password',
    ])
    await dialog().getByRole('button', { name: 'Show System user access token' }).click()
    await expect.poll(() => token.getAttribute('type')).toBe('text')
    await dialog().getByRole('button', { name: 'Hide System user access token' }).click()
  })

  it('connects a platform, and reads in the list that it refuses the login', async () => {
    await field('Name').fill('Second agency')
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click()
    await row('Second agency').getByText('Refused').waitFor()
    await row('Second agency').getByText('The shared login of the platform has expired.').waitFor()
    await page.getByRole('alert').getByText('Second agency: the request failed.').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
  })

  it('replaces the login and tests it', async () => {
    await act('Second agency', 'Replace login')
    await field('System user access token').fill(` ${TOKEN}\n`)
    await dialog().getByRole('button', { name: 'Replace login' }).click()
    await page.getByText('Login of Second agency replaced.').waitFor()
    await row('Second agency').getByText('Not tested').waitFor()
    await act('Second agency', 'Test connection')
    await row('Second agency').getByText('Connected').waitFor()
    await row('Second agency').getByText('Sees at least 18 accounts').waitFor()
  })

  it('imports what the login sees', async () => {
    await act('Second agency', 'Import accounts')
    await page.getByText('Second agency: 18 accounts imported, 1 of them new.').waitFor()
    await row('Second agency').getByRole('cell', { name: '1', exact: true }).waitFor()
  })

  it('renames it, and finds it by its name and by its platform', async () => {
    await act('Second agency', 'Rename')
    await field('Name').fill('Agency of 2026')
    await dialog().getByRole('button', { name: 'Rename' }).click()
    await row('Agency of 2026').waitFor()
    await page.getByRole('searchbox').fill('of 2026')
    await page.waitForURL(/search=of/)
    await row('LINE Ads (agency)').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('meta')
    await row('Meta (agency)').waitFor()
    await row('Agency of 2026').waitFor()
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No matching logins').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await row('LINE Ads (agency)').waitFor()
  })

  it('deletes it after a confirmation that names the consequences', async () => {
    await act('Agency of 2026', 'Delete')
    await dialog().getByText('1 account will lose its connection').waitFor()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Agency of 2026 deleted.').waitFor()
    await row('Agency of 2026').waitFor({ state: 'detached' })
  })

  it('has never received anything of a login again', async () => {
    expect(responses.filter(response => response.includes('login_fields')).length).toBeGreaterThan(5)
    expect(responses.filter(response => response.includes(TOKEN) || response.includes(WRONG_TOKEN))).toEqual(
      [],
    )
    const { storage, page: shown } = await page.evaluate(() => ({
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
      page: document.documentElement.outerHTML,
    }))
    expect(storage + shown + started.product.output()).not.toContain(WRONG_TOKEN)
  })
})

// The page and its empty dialog are checked with all the others.
it('the dialog with what is wrong in it passes the checks of WCAG 2.2 AA and fits, wide and on a phone', async () => {
  const light = { colorScheme: 'light', width: 1440 } as const
  const dialogPage = await signedIn('superuser', { colorScheme: 'light', reducedMotion: 'reduce' })
  await dialogPage.goto(`${started.product.origin}${PATH}`)
  await dialogPage.getByRole('button', { name: 'Connect a platform' }).click()
  const opened = dialogPage.getByRole('dialog')
  await opened.getByRole('combobox', { name: 'Platform' }).click()
  await dialogPage.getByRole('option', { name: 'Google Ads' }).click()
  await opened.getByRole('button', { name: 'Connect', exact: true }).click()
  await opened.getByText('Please fill this in.').waitFor()
  await dialogPage.getByRole('listbox').waitFor({ state: 'hidden' })
  const problems: string[] = []
  for (const look of [light, { colorScheme: 'dark', width: 360 } as const]) {
    await changeLook(dialogPage, look)
    problems.push(...(await findProblems(dialogPage, look.colorScheme, { within: '[role="dialog"]' })))
  }
  await dialogPage.context().close()
  expect(problems).toEqual([])
})
