import { useState, type ReactNode } from 'react'
import styles from './links.module.css'

interface FoldProps {
  title: string
  /** How much of what is inside is filled in. */
  count: number
  /** Something inside needs attention: it opens. */
  isUrgent: boolean
  children: ReactNode
}

/** Fields that are seldom needed. */
export function Fold({ title, count, isUrgent, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(isUrgent)
  const [wasUrgent, setWasUrgent] = useState(isUrgent)
  if (isUrgent !== wasUrgent) {
    setWasUrgent(isUrgent)
    if (isUrgent) setIsOpen(true)
  }
  return (
    <details className={styles.fold} open={isOpen}>
      <summary
        onClick={event => {
          // The element would open before what is inside has been drawn.
          event.preventDefault()
          setIsOpen(!isOpen)
        }}
      >
        {title}
        {count > 0 && <span data-tabular>{count}</span>}
      </summary>
      {isOpen && <div className={styles.folded}>{children}</div>}
    </details>
  )
}
