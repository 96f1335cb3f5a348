let last: HTMLElement | null = null

/** What on the page itself had the focus last, whatever dialogs and menus have had since. */
export const lastFocused = () => last

/** Called once, when the page starts. */
export function watchFocus() {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest('[role="dialog"], [role="menu"]')) last = target
  })
}
