import type { ReactNode } from 'react'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: ReactNode
  /** One line on what the page is for, or on the state of the thing. */
  detail?: ReactNode
  /** Buttons, the most important one last. */
  actions?: ReactNode
}

/** The top of a page. */
export function PageHeader({ title, detail, actions }: PageHeaderProps) {
  return (
    <div className={styles.header}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {detail && <p>{detail}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
