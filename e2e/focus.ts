import type { Page } from 'playwright-core'

/**
 * Waits until the focus is in what has opened (a selector), or in a field that keeps it and says that it is
 * open. A busy browser moves it there after drawing; earlier keys go to the button that opened it.
 */
export const waitForFocusIn = (page: Page, opened: string) => page.waitForFunction(hasFocusIn, opened)

const hasFocusIn = (opened: string) =>
  document.activeElement?.matches(`:is(${opened}) *, :is(${opened}), [role="combobox"][aria-expanded="true"]`)
