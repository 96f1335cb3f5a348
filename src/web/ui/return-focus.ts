import { useEffect, useState } from 'react'
import { lastFocused } from './last-focused.ts'

/**
 * Returns the focus to the element that had it when something opened, once that closes. Mantine does so only
 * for elements that were mounted before it opened; most of ours are mounted on demand.
 */
export function useReturnFocus(opened: boolean) {
  const [state, setState] = useState(() => ({ opened, opener: opened ? currentOpener() : null }))
  if (state.opened !== opened) setState({ opened, opener: opened ? currentOpener() : state.opener })
  const { opener } = state
  useEffect(() => {
    if (!opened) return undefined
    return () => {
      const closing = dialogOf(document.activeElement)
      requestAnimationFrame(() => giveBack(opener, closing))
    }
  }, [opened, opener])
}

/**
 * The focused element; for a menu entry the button that had opened the menu, since the entry is gone
 * afterwards. For the moment in which a menu has closed and has not yet returned the focus, nothing has it:
 * then the last one counts.
 */
function currentOpener(): HTMLElement | null {
  const active = document.activeElement
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = button ? document.getElementById(button) : active
  return opener instanceof HTMLElement && opener !== document.body ? opener : lastFocused()
}

const dialogOf = (element: Element | null) => element?.closest('[role="dialog"]') ?? null

/**
 * Unless the focus has moved elsewhere meanwhile, such as into the next dialog. A dialog that replaced
 * another one returns the focus to what had opened the first.
 */
function giveBack(opener: HTMLElement | null, closing: Element | null) {
  const active = document.activeElement
  const isFree = active === null || active === document.body || (closing && dialogOf(active) === closing)
  const target = opener?.isConnected ? opener : lastFocused()
  if (isFree && target?.isConnected) target.focus({ preventScroll: true })
}
