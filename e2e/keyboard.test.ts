import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openWindow } from './browser.ts'
import { waitForFocusIn } from './focus.ts'
import { signIn, openPage } from './user-window.ts'
import { start } from './test-product.ts'

const started = start()

// The product without a mouse.

let context: BrowserContext
let page: Page

beforeAll(async () => {
  context = await openWindow(started.browser, {
    viewport: { width: 1280, height: 900 },
  })
  await signIn(context, started.product, { username: 'manager', language: 'en' })
  page = await context.newPage()
})

const press = (key: string) => page.keyboard.press(key)
const focusedName = () =>
  page.evaluate(() => {
    const active = document.activeElement
    return active?.getAttribute('aria-label') ?? active?.textContent ?? ''
  })

describe.each([
  ['the overview', '/'],
  ['the list', '/gs-template?p=0'],
  ['the editor', '/gs-template/template?id=1'],
  ['the history', '/gs-template/history?id=8'],
  ['the spreadsheets', '/sheets'],
])('%s', (_, path) => {
  it('is walked through with Tab alone: in the order of the page, each stop seen, no trap', async () => {
    await openPage(page, started.product.origin + path)
    await page.evaluate(mark)
    const stops: Stop[] = []
    for (let step = 0; step < 400; step++) {
      await press('Tab')
      const stop = await page.evaluate(focusedStop)
      // The focus has left the page: all stops are known.
      if (stop === null) break
      stops.push(stop)
    }
    expect(stops.length).toBeGreaterThan(8)
    expect(stops.length).toBeLessThan(400)
    expect(stops[0]?.name).toBe('Skip to content')
    expect(stops.filter(stop => !stop.is_visible).map(stop => stop.name)).toEqual([])
    expect(stops.filter(stop => !stop.in_view).map(stop => stop.name)).toEqual([])
    // Elements that were rendered since the beginning have no index.
    const indexes = stops.map(stop => stop.index).filter(index => index >= 0)
    expect(indexes.length).toBeGreaterThan(stops.length / 2)
    expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
    const unnamed = stops.filter(stop => stop.name === '').map(stop => stop.index)
    expect(unnamed).toEqual([])
    expect(new Set(indexes).size).toBe(indexes.length)
  })
})

it('the skip link leads past the navigation', async () => {
  await openPage(page, `${started.product.origin}/gs-template?p=0`)
  await press('Tab')
  await press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  await press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

it('a report is found, its menu opened, a confirmation opened and cancelled, and the focus is back where it was', async () => {
  await openPage(page, `${started.product.origin}/gs-template?p=0`)
  const button = page
    .getByRole('button', { name: /^Actions for / })
    .and(page.locator('tbody button'))
    .first()
  const name = await button.getAttribute('aria-label')
  await button.focus()
  await press('Enter')
  // The menu takes the focus a moment after it is drawn; keys before that are the button's.
  await expect.poll(focusedName).toBe('Edit')
  await press('End')
  await expect.poll(focusedName).toBe('Delete')
  await press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor()
  await waitForFocusIn(page, '[role="dialog"]')
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focusedName).toBe(name)
})

it('the focus stays in a dialog while it is open', async () => {
  await openPage(page, `${started.product.origin}/sheets`)
  await page.getByRole('button', { name: 'New spreadsheet' }).focus()
  await press('Enter')
  await waitForFocusIn(page, '[role="dialog"]')
  for (let step = 0; step < 8; step++) {
    await press(step < 5 ? 'Tab' : 'Shift+Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true)
  }
  await press('Escape')
  await expect.poll(focusedName).toBe('New spreadsheet')
})

describe('what screen readers announce', () => {
  it.each([
    ['/', ['navigation "Main navigation"', 'main', 'heading', 'region "Notifications"']],
    [
      '/gs-template?p=0',
      ['navigation "Folders"', 'searchbox', 'table "Reports"', 'columnheader', 'navigation "Pages"'],
    ],
    [
      '/gs-template/template?id=1',
      ['textbox "Report name', 'switch "Fill with 0', 'combobox "Time', 'list "'],
    ],
    ['/sheets', ['table "Spreadsheets"', 'button "New spreadsheet"']],
  ])('of %s has its landmarks and names', async (path, lines) => {
    await openPage(page, started.product.origin + path)
    const snapshot = await page.locator('body').ariaSnapshot()
    for (const line of lines) expect(snapshot).toContain(line)
    // A control without a name is read as its kind alone.
    const nameless = snapshot
      .split('\n')
      .filter(line =>
        /- (button|link|textbox|combobox|checkbox|switch|img|table|searchbox)( \[[^\]]*\])*:?$/.test(
          line.trim(),
        ),
      )
      .filter(line => !/- img/.test(line))
    expect(nameless).toEqual([])
  })
})

interface Stop {
  index: number
  name: string
  is_visible: boolean
  in_view: boolean
}

/** Records how everything looks without the focus, and its index in the page. */
function mark() {
  document.querySelectorAll<HTMLElement>('*').forEach((each, index) => {
    Object.assign(each, { page_index: index, style_at_rest: styleOf(each) })
  })
  Object.assign(globalThis, { styleOf })
  // The page runs this function by itself: nothing outside of it is there.
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  function styleOf(element: Element) {
    const { outlineStyle, outlineWidth, boxShadow, borderColor, transform } = getComputedStyle(element)
    return [outlineStyle === 'none' ? '0' : outlineWidth, boxShadow, borderColor, transform].join(' ')
  }
}

/** The focused element now; null when the focus has left the page. */
async function focusedStop(): Promise<Stop | null> {
  // What the focus changes is drawn with the next frames.
  for (let frame = 0; frame < 3; frame++) await new Promise(resolve => requestAnimationFrame(resolve))
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active === document.body) return null
  const box = active.getBoundingClientRect()
  const around: Element[] = [active, active.parentElement, active.parentElement?.parentElement].filter(
    each => each instanceof Element,
  )
  // Of a switch the label beside it is what is drawn.
  if (active instanceof HTMLInputElement) around.push(...(active.parentElement?.children ?? []))
  const { styleOf } = Object(globalThis)
  const labels = active instanceof HTMLInputElement ? [...(active.labels ?? [])] : []
  return {
    index: Object(active).page_index ?? -1,
    name: (
      active.getAttribute('aria-label') ??
      (active.getAttribute('aria-labelledby')
        ? 'labelled'
        : (labels[0]?.textContent ?? active.textContent)) ??
      ''
    ).trim(),
    is_visible: around.some(each => styleOf(each) !== Object(each).style_at_rest),
    in_view: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  }
}
