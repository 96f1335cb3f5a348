import {
  chromium as playwright,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { findChromium } from './chromium.ts'
import { untilPrepared } from './prepared.ts'

/**
 * How long a step may take before it counts as failed: a machine may be busy with other things, and a step
 * that is done costs no wait.
 */
export const PATIENCE_MS = 120_000

/**
 * A page of a test lives for seconds: what its scripts gain by being compiled for speed is less than the
 * compiler takes. A sixth of what loading a page takes of the processor. What draws and what fetches are in
 * the process of the browser: a twentieth.
 */
const SHORT_LIVED = [
  '--js-flags=--max-optimized-bytecode-size=0,--min-semi-space-size=16',
  '--num-raster-threads=1',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
]

let shared: Promise<Browser> | undefined

/**
 * The one browser of all test files of this process; each opens windows of its own, and closes them by
 * `closeWindows`.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (shared ??= untilPrepared().then(() => openBrowser(SHORT_LIVED)))
  if (browser.isConnected()) return browser
  shared = undefined
  return await sharedBrowser()
}

/** The text of each open page, for a test that has failed: it says more than a locator that was not found. */
export async function describePages(): Promise<string[]> {
  const pages = (await shared)?.contexts().flatMap(context => context.pages()) ?? []
  return await Promise.all(
    pages.map(async page => `${page.url()}\n${await page.locator('body').ariaSnapshot()}`),
  )
}

export async function closeWindows(browser: Browser | undefined) {
  await Promise.all(browser?.contexts().map(context => context.close()) ?? [])
}

/** A real Chromium, as `findChromium` finds it. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--font-render-hinting=none',
    ...more,
  ]
  return await playwright.launch({ ...(await findChromium()), args })
}

/** A window of its own, in English, without animations, so that no test waits for them. */
export async function openWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  context.on('page', untilTakenOver)
  return context
}

declare global {
  /** Until React has taken over what the server has drawn (src/web/first-paint.ts). */
  var takenOver: (() => void) | undefined
}

/**
 * A page that arrives drawn is open once React has taken it over: what somebody does before has a test of its
 * own (drawn-pages.test.ts), which opens its pages until `commit`.
 */
function untilTakenOver(page: Page) {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  // A page that goes on elsewhere meanwhile is waited for by its test.
  const takenOver = () => page.waitForFunction(() => globalThis.takenOver === undefined).catch(() => null)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil === undefined) await takenOver()
    return response
  }
  page.reload = async options => {
    const response = await reload(options)
    await takenOver()
    return response
  }
}
