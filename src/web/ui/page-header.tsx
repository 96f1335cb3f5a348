import type { ReactNode } from 'react'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: ReactNode
  /** One line about the purpose of the page, or the state of the object. */
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
