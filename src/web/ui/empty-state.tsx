import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  icon: Icon
  title: string
  /** What would be here, and what to do for it. */
  detail?: ReactNode
  actions?: ReactNode
}

/** Shown instead of a list without entries: what the list is for and how to add the first one. */
export function EmptyState({ icon: Glyph, title, detail, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <Glyph size={22} stroke={1.5} aria-hidden />
      </span>
      <p className={styles.title}>{title}</p>
      {detail && <p className={styles.detail}>{detail}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
