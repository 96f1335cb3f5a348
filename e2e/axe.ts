import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
// Held here too though WCAG does not ask for them: a dialog has a name, a page one main part and one first heading.
const BEYOND = ['aria-dialog-name', 'landmark-one-main', 'landmark-unique', 'page-has-heading-one']

/**
 * What breaks WCAG 2.2 AA on the page as it stands, or is wider than the window; each with where it was seen. `covered`: a menu or list lies
 * over the page, and what shows of a control behind it need not be large enough to hit. `within`: only this part is judged.
 */
export async function findProblems(
  page: Page,
  where: string,
  { covered = false, within }: { covered?: boolean; within?: string } = {},
): Promise<string[]> {
  const builder = new AxeBuilder({ page })
  if (within !== undefined) builder.include(within)
  const { violations } = await builder
    .options({
      runOnly: LEVELS,
      rules: {
        ...Object.fromEntries(BEYOND.map(rule => [rule, { enabled: true }])),
        'target-size': { enabled: !covered },
      },
    })
    .analyze()
  return [
    ...violations.map(
      ({ id, nodes }) => `${where} ${id}: ${nodes.map(node => `${node.target} ${node.html}`).join(' | ')}`,
    ),
    ...(await findOverflow(page)).map(problem => `${where} ${problem}`),
  ]
}

/** What makes the page wider than the window: the innermost parts that reach beyond it. */
export async function findOverflow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const overflow = document.documentElement.scrollWidth - window.innerWidth
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

/**
 * Controls under 24 × 24 px that have another within 24 px of their middle (WCAG 2.5.8), links in running text left out. axe reports only
 * some of them, and none that lie in a scrolled part.
 */
export async function findSmallTargets(page: Page, within = 'body'): Promise<string[]> {
  return await page.evaluate(scope => {
    const seen = [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, [role="tab"], [role^="menuitem"], [role="option"]',
      ),
    ]
      .filter(each => each.checkVisibility({ visibilityProperty: true, opacityProperty: false }))
      .filter(each => each.closest(scope) && !each.closest('p, [aria-hidden="true"], [inert]'))
      // Its label is pressed as well.
      .map(each =>
        each instanceof HTMLInputElement && each.labels?.[0] && /checkbox|radio/.test(each.type)
          ? (each.labels[0].parentElement?.parentElement ?? each)
          : each,
      )
      .map(each => ({ each, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1)
    const middle = (box: DOMRect) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
    const isNear = (a: DOMRect, b: DOMRect) => {
      const at = middle(a)
      const x = Math.max(b.left, Math.min(at.x, b.right)) - at.x
      const y = Math.max(b.top, Math.min(at.y, b.bottom)) - at.y
      return Math.hypot(x, y) < 12
    }
    return seen
      .filter(({ box }) => Math.round(box.width) < 24 || Math.round(box.height) < 24)
      .filter(small =>
        seen.some(
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
