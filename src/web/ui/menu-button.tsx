import { createContext, use, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './menu-button.module.css'

interface MenuButtonProps {
  /** What the button is called. */
  label: string
  /** The entries of the menu. */
  face: ReactNode
  /** A further class of the button. */
  className?: string | undefined
  children: ReactNode
}

/**
 * A button with a small menu, for the header. The browser's own popover closes it on a click outside and on
 * Escape. The richer menus of the pages are Mantine's, which bring 14 kB of positioning code; this one keeps
 * them out of the first page.
 */
export function MenuButton({ label, face, className, children }: MenuButtonProps) {
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  function positionMenu() {
    const box = button.current?.getBoundingClientRect()
    if (!box || !popover.current) return
    popover.current.style.top = `${box.bottom + 6}px`
    const right = Math.max(8, document.documentElement.clientWidth - box.right)
    popover.current.style.setProperty('--menu-right', `${right}px`)
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className ?? styles.button}
        aria-label={label}
        aria-haspopup="menu"
        title={label}
        popoverTarget={id}
      >
        {face}
      </button>
      <div
        ref={popover}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        className={styles.menu}
        onBeforeToggle={positionMenu}
        onToggle={event => {
          if (event.newState === 'open') itemsOf(event.currentTarget)[0]?.focus()
        }}
        onKeyDown={moveFocus}
      >
        <CloseMenu value={() => popover.current?.hidePopover()}>{children}</CloseMenu>
      </div>
    </>
  )
}

const CloseMenu = createContext(() => {})

interface MenuEntryProps {
  icon?: ReactNode
  /** For an entry of a choice: whether it is the chosen one. */
  checked?: boolean
  lang?: string | undefined
  onClick: () => void
  children: ReactNode
}

export function MenuEntry({ icon, checked, lang, onClick, children }: MenuEntryProps) {
  const close = use(CloseMenu)
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      tabIndex={-1}
      lang={lang}
      className={styles.entry}
      onClick={() => {
        close()
        onClick()
      }}
    >
      {icon}
      <span>{children}</span>
      {checked === true && <span className={styles.check} aria-hidden />}
    </button>
  )
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const at = items.findIndex(item => item === document.activeElement)
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const next = to[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}
