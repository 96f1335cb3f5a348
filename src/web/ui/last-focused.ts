let last: Element | null = null

/** What on the page itself had the focus last, whatever dialogs, menus and lists over it have had since. */
export const lastFocused = () => (last instanceof HTMLElement ? last : null)

/** Called once, when the page starts. */
export function watchFocus() {
  addEventListener('focusin', () => {
    const { activeElement } = document
    if (!activeElement?.closest('[role=dialog],[role=menu],[data-portal]')) last = activeElement
  })
}
