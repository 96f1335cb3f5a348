import { useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react'
import styles from './block-card.module.css'

export const blockDeeds = ['up', 'down', 'copy', 'remove'] as const
export type BlockDeed = (typeof blockDeeds)[number]

interface SortableBlockProps {
  index: number
  /** The block that is being dragged; null: none. */
  dragged: number | null
  onDrag: (index: number | null) => void
  onDrop: (from: number, to: number) => void
  /** A key on the handle. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onDeed: (deed: BlockDeed) => void
  children: ReactNode
}

/**
 * The place of one block: its header drags it, and what its buttons do is heard here, so that the card itself need not be drawn anew whenever
 * its neighbours change.
 */
export function SortableBlock({
  index,
  dragged,
  onDrag,
  onDrop,
  onKeyDown,
  onDeed,
  children,
}: SortableBlockProps) {
  const [over, setOver] = useState(false)
  const side =
    dragged === null || dragged === index || !over ? undefined : dragged < index ? 'after' : 'before'
  return (
    // The buttons inside are what is pressed; this listens for all of them.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.place}
      data-block={index}
      data-dragged={dragged === index || undefined}
      data-drop={side}
      onClick={event => {
        const pressed = blockDeeds.find(deed => isWithin(event.target, `[data-deed="${deed}"]`))
        if (pressed) onDeed(pressed)
      }}
      onKeyDown={event => {
        if (isWithin(event.target, '[data-handle]')) onKeyDown(event)
      }}
      onDragStart={event => {
        if (!isWithin(event.target, '[data-grip]')) return
        showWhole(event)
        onDrag(index)
      }}
      onDragEnd={() => onDrag(null)}
      onDragOver={event => {
        if (dragged === null) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        setOver(false)
        if (dragged === null) return
        event.preventDefault()
        onDrop(dragged, index)
      }}
    >
      {children}
    </div>
  )
}

/** What is seen while dragging is the card, not the header alone. */
function showWhole({ dataTransfer, currentTarget, clientX, clientY }: DragEvent<HTMLElement>) {
  const { left, top } = currentTarget.getBoundingClientRect()
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setDragImage(currentTarget, clientX - left, clientY - top)
}

const isWithin = (target: EventTarget, selector: string) =>
  target instanceof Element && target.closest(selector) !== null
