import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what had it when something opened, once that closes or goes away. Mantine does so only for what was there before
 * it opened; most of ours is drawn when it is wanted.
 */
export function useFocusBack(opened: boolean) {
  const [kept, setKept] = useState(() => ({ opened, opener: opened ? currentOpener() : null }))
  if (kept.opened !== opened) setKept({ opened, opener: opened ? currentOpener() : kept.opener })
  const { opener } = kept
  useEffect(() => {
    if (!opened) return undefined
    let known = opener
    // A menu gives the focus back 10 ms after it closes: what is drawn within them finds that nothing has it, and is told now.
    const learn = ({ target }: FocusEvent) => {
      if (known === null && target instanceof HTMLElement && !target.closest('[role="dialog"]'))
        known = target
    }
    document.addEventListener('focusin', learn)
    return () => {
      document.removeEventListener('focusin', learn)
      const closing = dialogOf(document.activeElement)
      requestAnimationFrame(() => giveBack(known, closing))
    }
  }, [opened, opener])
}

/** What has the focus; of an entry of a menu the button that had opened the menu, since the entry is gone afterwards. */
function currentOpener(): HTMLElement | null {
  const active = document.activeElement
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = button ? document.getElementById(button) : active
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

const dialogOf = (element: Element | null) => element?.closest('[role="dialog"]') ?? null

/** Unless somebody has put it elsewhere meanwhile, such as into the next dialog. */
function giveBack(opener: HTMLElement | null, closing: Element | null) {
  const active = document.activeElement
  const is_free = active === null || active === document.body || (closing && dialogOf(active) === closing)
  if (is_free && opener?.isConnected) opener.focus({ preventScroll: true })
}
