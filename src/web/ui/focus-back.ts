import { useEffect, useState } from 'react'
import { lastFocused } from './last-focused.ts'

/**
 * Gives the focus back to what had it when something opened, once that closes or goes away. Mantine does so
 * only for what was there before it opened; most of ours is drawn when it is wanted.
 */
export function useFocusBack(opened: boolean) {
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
 * What has the focus; of an entry of a menu the button that had opened the menu, since the entry is gone
 * afterwards. For the moment in which a menu has closed and has not yet given the focus back, nothing has it:
 * what had it last is meant.
 */
function currentOpener(): HTMLElement | null {
  const active = document.activeElement
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = button ? document.getElementById(button) : active
  return opener instanceof HTMLElement && opener !== document.body ? opener : lastFocused()
}

const dialogOf = (element: Element | null) => element?.closest('[role="dialog"]') ?? null

/**
 * Unless somebody has put it elsewhere meanwhile, such as into the next dialog. One that took the place of
 * another was opened by what had opened that.
 */
function giveBack(opener: HTMLElement | null, closing: Element | null) {
  const active = document.activeElement
  const isFree = active === null || active === document.body || (closing && dialogOf(active) === closing)
  const target = opener?.isConnected ? opener : lastFocused()
  if (isFree && target?.isConnected) target.focus({ preventScroll: true })
}
