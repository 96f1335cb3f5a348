import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useState,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import { useEscape } from './escape.ts'

interface OnceOpenedProps {
  opened: boolean
  /** Has the focus again when it is closed and nothing else has. */
  opener?: RefObject<HTMLElement | null>
  /** Escape has been pressed, and nothing is open inside of it. */
  onEscape: () => void
  /** Renders it; called with whether it is open. */
  children: (opened: boolean) => ReactNode
}

/**
 * What can be opened, drawn from the first time on that it is. A page has dozens of menus and lists, of which
 * a person opens one; the placing, the focus and the roles of those that stayed closed took a sixth of the
 * script's time until a list was drawn.
 */
export function LazyOverlay({ opened, opener, onEscape, children }: OnceOpenedProps) {
  useEscape(opened, onEscape)
  const [drawn, setDrawn] = useState(false)
  // Drawn closed first, and open before it is painted: only what is opened then notes where the focus was, to
  // give it back.
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the first of two drawings is what is meant
    if (opened) setDrawn(true)
  }, [opened])
  // Mantine gives the focus back to where it was; where nothing moves and the machine is busy, it notes that
  // too late: inside of what closes.
  useEffect(
    () => (opened ? () => void setTimeout(() => giveFocus(opener?.current), RETURN_MS) : undefined),
    [opened, opener],
  )
  return opened || drawn ? children(opened && drawn) : null
}

/** After Mantine's own 10 ms. */
const RETURN_MS = 50

function giveFocus(opener: HTMLElement | null | undefined) {
  if (!opener) return
  const { activeElement, body } = opener.ownerDocument
  if (activeElement === body) opener.focus({ preventScroll: true })
}

interface AnchorProps<Of extends HTMLElement> {
  /** Is on the page already. */
  of: RefObject<Of | null>
  ref?: Ref<HTMLElement | null>
}

/**
 * For Menu.Target and Popover.Target: an element that is mounted elsewhere, so that it need not be rendered
 * anew when what hangs from it is.
 */
export function Anchor<Of extends HTMLElement>({ of, ref }: AnchorProps<Of>) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => of.current, [of])
  return null
}
