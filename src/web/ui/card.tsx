import type { ReactNode } from 'react'
import styles from './card.module.css'

interface CardProps {
  title?: ReactNode
  /** Right of the title. */
  actions?: ReactNode
  /** flush: the content brings its own edges, as a table does. */
  padding?: 'normal' | 'flush'
  children: ReactNode
}

/** A surface that holds one thing. */
export function Card({ title, actions, padding = 'normal', children }: CardProps) {
  return (
    <section className={styles.card}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles.header}>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      <div className={styles.body} data-padding={padding}>
        {children}
      </div>
    </section>
  )
}
