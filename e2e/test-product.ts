import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'

interface Started {
  product: RunningProduct
  browser: Browser
}

/** A product of its own for one test file, and a browser. Both are there after the first `beforeAll`. */
export function start(): Started {
  const started = {} as Started
  beforeAll(async () => {
    const [product, browser] = await Promise.all([startPrepared(), sharedBrowser()])
    Object.assign(started, { product, browser })
  })
  afterAll(async () => {
    await closeWindows(started.browser)
    await started.product?.stop()
  })
  return started
}

interface Visit extends Started {
  context: BrowserContext
  page: Page
}

/** The same, with one of the demo's people signed in. */
export function visit(person: string): Visit {
  const visited = start() as Visit
  beforeAll(async () => {
    Object.assign(visited, await enterAs(visited, person))
  })
  return visited
}

/** One of the demo's people, in a browser window of their own, before their reports. */
export async function enterAs({ product, browser }: Started, person: string) {
  const context = await openWindow(browser, { viewport: { width: 1440, height: 1000 } })
  const page = await context.newPage()
  await page.goto(`${product.origin}/gs-template`)
  await page.getByRole('button', { name: `Sign in as ${person}` }).click()
  await page.getByRole('heading', { name: 'Auto-update reports', level: 1 }).waitFor()
  return { context, page }
}

/** A client of the same person's API. */
export async function callAs<Reply>(
  { context, product }: Pick<Visit, 'context' | 'product'>,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const token = (await context.cookies()).find(each => each.name === 'access_token')?.value
  const response = await fetch(`${product.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text === '' ? 'null' : text) as Reply
}

const DEMO_PASSWORD = 'sheetcast-demo'

/** An API client of one of the demo's people, which returns any response without judging it. */
export async function callerOf(
  { product }: Pick<Started, 'product'>,
  username: string,
  password = DEMO_PASSWORD,
) {
  const signIn = await fetch(`${product.origin}/api/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const { access, user_id } = Object(await signIn.json())
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(product.origin + path, {
      method,
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    })
    return { status: response.status, body: Object(JSON.parse((await response.text()) || 'null')) }
  }
  return Object.assign(call, { user_id: user_id as number })
}

/** Waits for the demo's own first runs: what they report would appear while a person is writing. */
export async function untilFirstRunsEnded(started: Pick<Started, 'product'>) {
  const superuser = await callerOf(started, 'superuser')
  const running = async () => (await superuser('GET', '/api/gs-template-setting/?scope=all&status=2')).body
  while ((await running()).count > 0) await sleep(200)
}

/** An API client of a new person of the agency, described as the API takes it, with this password. */
export async function createPerson(
  started: Pick<Started, 'product'>,
  { password, ...profile }: { username: string; password: string; [field: string]: unknown },
) {
  const superuser = await callerOf(started, 'superuser')
  const { body: made } = await superuser('POST', '/api/user/', {
    identity: 'staff',
    department: 2,
    full_name: profile.username,
    ...profile,
  })
  const { body: link } = await superuser('POST', `/api/user/${made.user_id}/password-link/`)
  const token = new URLSearchParams(new URL(link.url).hash.slice(1)).get('token')
  await superuser('POST', '/api/set-password/', { token, password })
  return await callerOf(started, profile.username, password)
}

/** A person who reads this language, signed in by name in a browser window of their own. */
export async function signInAs(started: Started, username: string, language: string): Promise<Page> {
  const api = await callerOf(started, username)
  await api('PATCH', `/users/${api.user_id}/`, { language })
  return await signInWith(started, username, DEMO_PASSWORD)
}

/** The same with a password, in the language that they have. */
export async function signInWith(started: Started, username: string, password: string): Promise<Page> {
  const context = await openWindow(started.browser, {
    viewport: { width: 1440, height: 1000 },
  })
  const page = await context.newPage()
  await page.goto(`${started.product.origin}/sign-in`)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
  return page
}
