import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findProblems } from './axe.ts'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'

let product: RunningProduct
let browser: Browser
let context: BrowserContext
let page: Page

const VIEWPORT = { width: 1280, height: 900 }

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startPrepared(), sharedBrowser()])
  await enter()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(page.url(), await page.locator('body').ariaSnapshot())
  await makeAsNew()
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})

async function enter() {
  context = await openWindow(browser, { viewport: VIEWPORT })
  page = await context.newPage()
  await page.goto(`${product.origin}/sign-in`)
  await page.getByRole('button', { name: 'Sign in as Sasha Lin' }).click()
  await side().waitFor()
}

/** A window costs more than the page in it; only a test that has replaced the clock gets its own. */
let hasOwnTime = false
async function makeAsNew() {
  if (hasOwnTime) {
    hasOwnTime = false
    await context.close()
    return await enter()
  }
  await page.unrouteAll({ behavior: 'wait' })
  await context.setOffline(false)
  await page.setViewportSize(VIEWPORT)
  await page.mouse.move(0, 0)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}
async function takeTimeOver() {
  hasOwnTime = true
  await page.clock.install()
}

const open = (path: string) => page.goto(product.origin + path)
const main = () => page.getByRole('main')
const side = () => page.getByRole('navigation', { name: 'Main navigation' })

describe('a notice', () => {
  const notices = () => page.getByRole('region', { name: 'Notifications' })
  const saved = () => notices().getByRole('status').filter({ hasText: 'Profile saved' })
  const failed = () => notices().getByRole('alert')
  const save = async () => {
    await page.getByLabel('Position').fill(`Position ${Math.random()}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved().waitFor()
  }
  const fail = async () => {
    await page.route('**/api/gs-template-execution/', route => route.abort())
    await page.getByRole('button', { name: 'Run now' }).click()
    await failed().waitFor()
  }

  it('is a card of 400 px right of the side navigation and moves with it', async () => {
    await open('/profile')
    await save()
    const card = async () => {
      const box = await saved().evaluate(each => each.getBoundingClientRect().toJSON())
      return { left: Math.round(box.left), width: Math.round(box.width) }
    }
    await expect.poll(card).toEqual({ left: 228 + 16, width: 400 })
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect.poll(card).toEqual({ left: 56 + 16, width: 400 })
    await page.setViewportSize({ width: 360, height: 800 })
    await expect.poll(card).toEqual({ left: 16, width: 328 })
  })

  it('closes by itself after five seconds, also under a resting pointer', async () => {
    await takeTimeOver()
    await open('/profile')
    await save()
    await saved().hover()
    await page.clock.runFor(3000)
    await expect.poll(() => saved().count()).toBe(1)
    await page.clock.runFor(2100)
    await saved().waitFor({ state: 'detached' })
  })

  it.each([1280, 390])('leaves the state of saving in sight, %d px wide', async width => {
    await page.setViewportSize({ width, height: 800 })
    await open('/gs-template/template?id=1')
    await page.getByRole('textbox', { name: 'Report name' }).fill(`Named ${width}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const toast = notices().getByRole('status')
    await toast.waitFor()
    const bar = page.getByText('All changes saved')
    await bar.waitFor()
    const [above, below] = await Promise.all([toast.boundingBox(), bar.boundingBox()])
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  })

  it('of an error never closes by itself, and closes when it is clicked away', async () => {
    await takeTimeOver()
    await open('/gs-template/history?id=8')
    await fail()
    await page.mouse.move(1200, 500)
    await page.clock.runFor(600_000)
    await expect.poll(() => failed().count()).toBe(1)
    await failed().getByRole('button', { name: 'Close' }).click()
    await failed().waitFor({ state: 'detached' })
  })

  it('disappears with the page that it was about', async () => {
    await open('/gs-template/history?id=8')
    await fail()
    await side().getByRole('link', { name: 'Spreadsheets' }).click()
    await failed().waitFor({ state: 'detached' })
  })
})

/** Holds the code of pages back until they are let go, one way or the other. */
async function holdPages() {
  const held = Promise.withResolvers<'continue' | 'abort'>()
  await page.route(/\/assets\/.*\.js$/, async route =>
    (await held.promise) === 'abort' ? route.abort() : route.continue(),
  )
  return held.resolve
}

describe('the progress bar', () => {
  const bar = () => page.getByRole('progressbar', { name: 'Loading page' })
  it('is there from the start of a navigation to its end', async () => {
    await open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const release = await holdPages()
    await side().getByRole('link', { name: 'Auto-update reports' }).click()
    await bar().waitFor()
    release('continue')
    await page.getByRole('heading', { name: 'Auto-update reports', level: 1 }).waitFor()
    await bar().waitFor({ state: 'detached' })
  })

  it('ends as well when the page cannot be loaded, which offers to load the new version', async () => {
    await open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const release = await holdPages()
    await side().getByRole('link', { name: 'Auto-update reports' }).click()
    await bar().waitFor()
    release('abort')
    await page.getByRole('heading', { name: 'Sheetcast has been updated' }).waitFor()
    await bar().waitFor({ state: 'detached' })
    await expect.poll(() => page.title()).toContain('Sheetcast has been updated')
    expect(await findProblems(page, 'new version')).toEqual([])
    await page.unroute(/\/assets\/.*\.js$/)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Auto-update reports', level: 1 }).waitFor()
  })
})

describe('without a connection', () => {
  it('says so, and recovers by itself when the server responds again', async () => {
    await open('/sheets')
    await page.getByRole('table').waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    expect(await findProblems(page, 'offline')).toEqual([])
    await context.setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })

  it('waits with a page whose code is not there yet, and opens it then', async () => {
    await open('/sheets')
    await page.getByRole('table').waitFor()
    await context.setOffline(true)
    await side().getByRole('link', { name: 'Overview' }).click()
    await main().getByRole('heading', { name: 'You are offline.' }).waitFor()
    expect(await findProblems(page, 'not loaded')).toEqual([])
    await context.setOffline(false)
    await main().getByRole('heading', { name: /Sasha/ }).waitFor()
  })

  it('has a page of its own when nothing at all could be loaded, and recovers by itself', async () => {
    await page.route('**/users/identity/', route => route.abort())
    // With it the server would draw the page.
    await page.context().clearCookies({ name: 'look' })
    await open('/sheets')
    await main().getByRole('heading', { name: 'The server cannot be reached.' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await findProblems(page, 'no identity')).toEqual([])
    await page.unroute('**/users/identity/')
    await page.getByRole('heading', { name: 'Spreadsheets', level: 1 }).waitFor()
  })
})

it('nothing in the header moves when the code of the bell and of the help arrives', async () => {
  const held: (() => void)[] = []
  await page.route(/\/assets\/(bell|help-menu)-.*\.js$/, async route => {
    await new Promise<void>(resolve => held.push(resolve))
    await route.continue()
  })
  await open('/profile')
  await expect.poll(() => held.length).toBe(2)
  const places = () =>
    Promise.all(
      ['Language', 'Theme', 'Account of Sasha Lin'].map(name =>
        page.getByRole('button', { name }).boundingBox(),
      ),
    )
  const before = await places()
  for (const release of held) release()
  await page.getByRole('button', { name: 'Help', exact: true }).waitFor()
  await page
    .getByRole('button', { name: /notification|^Notifications$/i })
    .first()
    .waitFor()
  expect(await places()).toEqual(before)
  await page.unroute(/\/assets\/(bell|help-menu)-.*\.js$/)
})

describe('the side navigation', () => {
  it('collapses its groups for good, but opens the one of the current page', async () => {
    await open('/profile')
    const group = () => side().getByRole('button', { name: 'Reports' })
    const entry = () => side().getByRole('link', { name: 'Spreadsheets' })
    await expect.poll(() => group().getAttribute('aria-expanded')).toBe('true')
    await group().press('Enter')
    await entry().waitFor({ state: 'hidden' })
    await page.reload()
    await group().waitFor()
    await expect.poll(() => group().getAttribute('aria-expanded')).toBe('false')
    await open('/sheets')
    await entry().waitFor()
    await expect.poll(() => entry().getAttribute('aria-current')).toBe('page')
    await expect.poll(() => group().getAttribute('aria-expanded')).toBe('true')
  })

  it('shows icons alone when it is closed, each with its name, and stays so', async () => {
    await open('/sheets')
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
    await side().getByRole('link', { name: 'Auto-update reports' }).click()
    await page.getByRole('heading', { name: 'Auto-update reports', level: 1 }).waitFor()
    await expect
      .poll(() => side().getByRole('link', { name: 'Auto-update reports' }).getAttribute('aria-current'))
      .toBe('page')
  })

  it('keeps the entry of the page in view in a low window, between the brand and its own button', async () => {
    await page.setViewportSize({ width: 1280, height: 480 })
    await open('/setting/users')
    const entry = side().getByRole('link', { name: 'Users' })
    await entry.waitFor()
    const boxes = () =>
      Promise.all(
        [
          page.getByRole('link', { name: 'Sheetcast', exact: true }),
          entry,
          page.getByRole('button', { name: 'Collapse sidebar' }),
        ].map(each => each.boundingBox()),
      )
    await expect
      .poll(async () => (await boxes()).map(box => (box ? box.y >= 0 && box.y + box.height <= 480 : false)))
      .toEqual([true, true, true])
    expect(await findProblems(page, 'low window')).toEqual([])
  })

  it('is a drawer on phones, which closes when a page opens and returns the focus on Escape', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    await open('/sheets')
    const button = page.getByRole('button', { name: 'Open navigation' })
    await button.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: 'Overview' }).waitFor()
    expect(await findProblems(page, 'drawer')).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate(each => each === document.activeElement)).toBe(true)
    await button.press('Enter')
    await drawer.getByRole('link', { name: 'Auto-update reports' }).click()
    await page.getByRole('heading', { name: 'Auto-update reports', level: 1 }).waitFor()
    await drawer.waitFor({ state: 'detached' })
  })
})

it('an unknown address is shown in the frame, with the way back', async () => {
  await open('/no/such/page')
  await main().getByRole('heading', { name: 'This page does not exist' }).waitFor()
  await side().waitFor()
  await expect.poll(() => page.title()).toBe('This page does not exist · Sheetcast')
  expect(await findProblems(page, '404')).toEqual([])
})

it('a folder that must not be dropped into another opens the dialog that says why', async () => {
  const token = (await context.cookies()).find(each => each.name === 'access_token')?.value
  await open('/gs-template')
  const bearer =
    token ?? (await context.cookies(product.origin)).find(each => each.name === 'access_token')?.value
  const make = async (name: string, parent: number | null) => {
    const response = await fetch(`${product.origin}/api/gs-template-folder/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, parent }),
    })
    return ((await response.json()) as { id: number }).id
  }
  const outer = await make('Outer', null)
  await make('Inner', outer)
  await make('Other', null)
  await page.reload()
  const folders = page.getByRole('navigation', { name: 'Folders' })
  await folders.getByRole('link', { name: 'Outer' }).dragTo(folders.getByRole('link', { name: 'Other' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The folder to move must not contain any folder.').waitFor()
  expect(await findProblems(page, 'information')).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
})
