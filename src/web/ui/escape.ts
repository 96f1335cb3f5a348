import { useEffect, useEffectEvent } from 'react'

/** What is open, outermost first: dialogs, and what hangs from their fields. */
const layers: (() => void)[] = []

/**
 * While `opened`, Escape closes it, unless something else has been opened from it since: each press closes
 * the innermost thing alone. Mantine's dialogs listen by themselves, and would close together with the
 * calendar in them.
 */
export function useEscape(opened: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!opened) return undefined
    const layer = () => close()
    layers.push(layer)
    if (layers.length === 1) addEventListener('keydown', closeInnermost, { capture: true })
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('keydown', closeInnermost, { capture: true })
    }
  }, [opened])
}

function closeInnermost(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.isComposing || closesItsOwn(event.target)) return
  event.stopPropagation()
  // The browser would close a popover of its own as well, such as the bell's under a dialog.
  event.preventDefault()
  layers.at(-1)?.()
}

/** A select whose list is open and the entries of a menu: Mantine closes these on Escape. */
const closesItsOwn = (target: EventTarget | null) =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true'
