import type { Browser, BrowserContext, ElementHandle, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isDrawn } from '#server/testing/random.ts'
import { openWindow } from './browser.ts'
import { findOverflow, findProblems } from './axe.ts'
import { waitForFocusIn } from './focus.ts'
import { enter, openPage, signIn } from './user-window.ts'
import { start } from './test-product.ts'

const started = start()
/** What opens something: each is clicked, whatever it is called. */
const OPENERS =
  '[aria-haspopup]:not([disabled], [role="combobox"]), main button[aria-expanded="false"]:not([disabled]), main [role="combobox"]:not([disabled])'

/** Where it shows its content. */
const OPENED = '[role="menu"], [role="listbox"], [role="dialog"]'

describe.each([
  { language: 'zh-TW', colorScheme: 'dark', width: 360 },
  { language: 'en', colorScheme: 'light', width: 1440 },
] as const)('everything that opens, in $language, $colorScheme, $width px wide', look => {
  it('passes the checks of WCAG 2.2 AA and closes on Escape', async () => {
    const { context, page } = await enter(started, look)
    const problems: string[] = []
    const colours = knownColours()
    for (const path of ['/', '/gs-template?p=0', '/gs-template/template?id=1', '/setting/public-account']) {
      await openPage(page, started.product.origin + path)
      const kinds = new Set<string>()
      // The elements, not their index: one that has unfolded is not among them any more.
      const openers = (await page.locator(OPENERS).elementHandles()) as ElementHandle<HTMLElement>[]
      for (const opener of openers) {
        if (!(await opener.isVisible())) continue
        // Rows are alike: one of a kind is enough.
        const kind = await opener.evaluate(each =>
          each.closest('tbody, li') ? each.className : (each.getAttribute('aria-label') ?? each.id),
        )
        if (kinds.has(kind)) continue
        kinds.add(kind)
        const name = (await opener.getAttribute('aria-label')) ?? (await opener.innerText())
        if (!isDrawn(4, `${path} ${name} ${look.language}`)) continue
        const isField = (await opener.getAttribute('role')) === 'combobox'
        const isPart = isField || (await opener.getAttribute('aria-haspopup')) !== null
        await opener.press(isField ? 'ArrowDown' : 'Enter')
        const where = `${path} "${name}"`
        // The page around it is checked elsewhere; what unfolds in the page has no part of its own.
        const own = page.locator(OPENED).filter({ visible: true })
        const role = isPart ? await own.last().getAttribute('role') : null
        const found = await findProblems(page, where, {
          covered: true,
          rules: colours.isKnown(role) ? 'all but colours' : 'all',
          ...(role !== null && { within: OPENED }),
        })
        problems.push(...found)
        if (role !== null) await waitForFocusIn(page, OPENED)
        await page.keyboard.press('Escape')
        await expect.poll(() => own.count()).toBe(0)
      }
      expect(kinds.size).toBeGreaterThan(1)
    }
    await context.close()
    expect(problems).toEqual([])
  })
})

/**
 * What opens in the same part has the same colours: three of each are enough. What unfolds in the page itself
 * has its own.
 */
function knownColours() {
  const counts = new Map<string, number>()
  return {
    isKnown(role: string | null) {
      if (role === null) return false
      counts.set(role, (counts.get(role) ?? 0) + 1)
      return (counts.get(role) ?? 0) > 3
    },
  }
}

describe('people who see, move or read differently', () => {
  const enterWith = async (options: Parameters<Browser['newContext']>[0]) => {
    const context: BrowserContext = await openWindow(started.browser, options)
    const page: Page = await context.newPage()
    await signIn(context, started.product, { username: 'superuser', language: 'en' })
    return { context, page }
  }
  const some = ['/', '/gs-template?p=0', '/gs-template/template?id=1', '/gs-template/history?id=8']

  it('lose nothing at 200 % zoom', async () => {
    const { context, page } = await enterWith({
      viewport: { width: 640, height: 400 },
      deviceScaleFactor: 2,
    })
    for (const path of some) {
      await openPage(page, started.product.origin + path)
      expect({ path, overflow: await findOverflow(page) }).toEqual({ path, overflow: [] })
    }
    await context.close()
  })

  it('see no motion when they prefer reduced motion', async () => {
    const { context, page } = await enterWith({ reducedMotion: 'reduce' })
    for (const path of some) {
      await openPage(page, started.product.origin + path)
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter(each => {
            const { transitionDuration, animationDuration, animationName } = getComputedStyle(each)
            const longest = (text: string) =>
              Math.max(...text.split(',').map(part => Number.parseFloat(part)))
            return (
              longest(transitionDuration) > 0.01 ||
              (animationName !== 'none' && longest(animationDuration) > 0.01)
            )
          })
          .map(each => each.outerHTML.slice(0, 100)),
      )
      expect({ path, moving }).toEqual({ path, moving: [] })
    }
    await context.close()
  })

  it('find controls and choices in forced colours', async () => {
    const { context, page } = await enterWith({
      forcedColors: 'active',
      viewport: { width: 1280, height: 900 },
    })
    await openPage(page, `${started.product.origin}/gs-template/template?id=1`)
    // What is drawn by its background alone is not there any more.
    const lost = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, [role="switch"], [role="checkbox"]')]
        .filter(each => each.checkVisibility() && each.getBoundingClientRect().width > 1)
        .filter(each => {
          const { borderStyle, appearance } = getComputedStyle(each)
          return (
            borderStyle === 'none' && appearance === 'none' && !each.innerText && !each.querySelector('svg')
          )
        })
        .map(each => each.outerHTML.slice(0, 160)),
    )
    expect(lost).toEqual([])
    const name = page.getByLabel('Report name')
    await name.focus()
    await page.keyboard.press('Tab')
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
      return `${outlineStyle} ${outlineWidth}`
    })
    expect(outline).not.toMatch(/none|^\w+ 0px/)
    await context.close()
  })
})
