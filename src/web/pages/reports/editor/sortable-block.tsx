import { useState, type ReactNode } from 'react'
import { blockId } from './block-actions.ts'
import styles from './block-card.module.css'

interface SortableBlockProps {
  index: number
  /** The block that is being dragged; null: none. */
  dragged: number | null
  onDrop: (from: number) => void
  children: ReactNode
}

/** The position of one block: another one that is dragged by its header can be dropped here. */
export function SortableBlock({ index, dragged, onDrop, children }: SortableBlockProps) {
  const [isOver, setIsOver] = useState(false)
  const side =
    dragged === null || dragged === index || !isOver ? undefined : dragged < index ? 'after' : 'before'
  return (
    <div
      className={styles.position}
      id={blockId(index)}
      data-dragged={dragged === index || undefined}
      data-drop={side}
      onDragOver={event => {
        if (dragged === null) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={event => {
        setIsOver(false)
        if (dragged === null) return
        event.preventDefault()
        onDrop(dragged)
      }}
    >
      {children}
    </div>
  )
}
