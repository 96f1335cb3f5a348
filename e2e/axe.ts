import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
// Required here though WCAG does not: a dialog has a name, a page one main part and one first heading.
const BEYOND = ['aria-dialog-name', 'landmark-one-main', 'landmark-unique', 'page-has-heading-one']

/**
 * Rules of axe that run once for each theme: three quarters of the time go to colours, which change with the
 * theme and neither with the language nor with the width.
 */
export type Rules = 'all' | 'colours' | 'all but colours' | 'none'

interface Judging {
  rules?: Rules
  /**
   * A menu or list lies over the page, and what shows of a control behind it need not be large enough to hit.
   */
  covered?: boolean
  /** Only this part is checked. */
  within?: string
}

/**
 * What breaks WCAG 2.2 AA on the current page, is wider than the window or hard to hit; each with where it
 * was found. The long form runs all rules each time.
 */
export async function findProblems(page: Page, where: string, judging: Judging = {}): Promise<string[]> {
  const { covered = false, within } = judging
  const found = [
    ...(await askAxe(page, judging)),
    ...(await findOverflow(page)),
    ...(covered && within === undefined ? [] : await findSmallTargets(page, within)),
  ]
  return found.map(problem => `${where} ${problem}`)
}

async function askAxe(page: Page, { rules = 'all', covered = false, within }: Judging): Promise<string[]> {
  const ruleset = process.env.LONG ? 'all' : rules
  if (ruleset === 'none') return []
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const options: RunOptions = {
    // No page has frames, and only violations have to come back.
    iframes: false,
    resultTypes: ['violations'],
    ...(ruleset === 'colours'
      ? { runOnly: { type: 'rule', values: ['color-contrast'] } }
      : {
          runOnly: LEVELS,
          rules: {
            ...Object.fromEntries(BEYOND.map(rule => [rule, { enabled: true }])),
            'color-contrast': { enabled: ruleset === 'all' },
            'target-size': { enabled: ruleset === 'all' && !covered },
          },
        }),
  }
  const violations = await page.evaluate(
    async (run): Promise<AxeResults['violations']> =>
      (await Object(globalThis).axe.run(run.within ?? document, run.options)).violations,
    { within, options },
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.target} ${node.html}`).join(' | ')}`,
  )
}

/**
 * Checks the current page on a wide window and on a phone: all rules in English, on the phone those that are
 * not of colours in Chinese.
 */
export async function expectUsable(page: Page, where: string, language: 'en' | 'zh-TW') {
  const isEnglish = language === 'en'
  const wide = page.viewportSize() ?? { width: 1440, height: 1000 }
  const problems = await findProblems(page, where, { rules: isEnglish ? 'all' : 'none' })
  await page.setViewportSize({ width: 360, height: 800 })
  // A chart draws itself in the frame after its measurement.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  const onPhone = { rules: isEnglish ? 'none' : 'all but colours' } as const
  problems.push(...(await findProblems(page, `${where} at 360 px`, onPhone)))
  await page.setViewportSize(wide)
  expect(problems).toEqual([])
}

/**
 * What makes the page wider than the window, and stays so: the innermost parts that reach beyond it. A chart
 * follows a window that has become narrower some frames later.
 */
export async function findOverflow(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const measure = () => document.documentElement.scrollWidth - window.innerWidth
    for (let frames = 0; frames < 60 && measure() > 0; frames++)
      await new Promise(resolve => requestAnimationFrame(resolve))
    const overflow = measure()
    if (overflow <= 0) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      each =>
        each.getBoundingClientRect().right > window.innerWidth &&
        ![...each.children].some(child => child.getBoundingClientRect().right > window.innerWidth),
    )
    return [
      `is ${overflow} px too wide: ${wide
        .slice(0, 5)
        .map(each => each.outerHTML.slice(0, 120))
        .join(' | ')}`,
    ]
  })
}

/** Words of at most 14 letters that are broken onto two lines: a column is too narrow for them. */
export async function findBrokenWords(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const broken: string[] = []
    const texts = document.createTreeWalker(
      document.querySelector('main') ?? document.body,
      NodeFilter.SHOW_TEXT,
    )
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? ''
      for (const { 0: word, index } of text.matchAll(/(?<!\S)[a-z]{2,14}(?!\S)/gi)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(`breaks “${word}” of “${text.slice(0, 80)}”`)
      }
    }
    return broken
  })
}

/**
 * Controls under 24 × 24 px that have another within 24 px of their middle (WCAG 2.5.8), links in running
 * text left out. axe reports only some of them, and none that lie in a scrolled part.
 */
async function findSmallTargets(page: Page, within = 'body'): Promise<string[]> {
  return await page.evaluate(scope => {
    const modal = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].findLast(each =>
      each.checkVisibility(),
    )
    const controls = [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, [role="tab"], [role^="menuitem"], [role="option"]',
      ),
    ]
      .filter(each => each.checkVisibility({ visibilityProperty: true, opacityProperty: false }))
      // What lies behind a dialog cannot be hit at all.
      .filter(each => !modal || modal.contains(each))
      .filter(each => each.closest(scope) && !each.closest('p, [aria-hidden="true"], [inert]'))
      // Its label can be clicked as well.
      .map(each =>
        each instanceof HTMLInputElement && each.labels?.[0] && /checkbox|radio/.test(each.type)
          ? (each.labels[0].parentElement?.parentElement ?? each)
          : each,
      )
      .map(each => ({ each, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1)
      // What has been scrolled away, or behind something else, cannot be hit there.
      .filter(({ each, box: { x, y, width, height } }) => {
        const at = { x: x + width / 2, y: y + height / 2 }
        for (let part = each.parentElement; part; part = part.parentElement) {
          const { left, right } = part.getBoundingClientRect()
          if (getComputedStyle(part).overflowX !== 'visible' && (at.x < left || at.x > right)) return false
        }
        const top = document.elementFromPoint(at.x, at.y)
        return top === null || top.contains(each) || each.contains(top)
      })
    const middle = (box: DOMRect) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
    const isNear = (a: DOMRect, b: DOMRect) => {
      const at = middle(a)
      const x = Math.max(b.left, Math.min(at.x, b.right)) - at.x
      const y = Math.max(b.top, Math.min(at.y, b.bottom)) - at.y
      return Math.hypot(x, y) < 12
    }
    return controls
      .filter(({ box }) => Math.round(box.width) < 24 || Math.round(box.height) < 24)
      .filter(small =>
        controls.some(
          other =>
            other.each !== small.each &&
            !other.each.contains(small.each) &&
            !small.each.contains(other.each) &&
            isNear(small.box, other.box),
        ),
      )
      .map(
        ({ each, box }) =>
          `${each.outerHTML.slice(0, 120)} is ${Math.round(box.width)} × ${Math.round(box.height)}`,
      )
  }, within)
}
