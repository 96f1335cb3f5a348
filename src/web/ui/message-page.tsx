import type { ReactNode } from 'react'
import styles from './message-page.module.css'

interface MessagePageProps {
  title: string
  detail: ReactNode
  action?: ReactNode
  /** Small print, for example the number of the request. */
  note?: string
}

/** One message in the middle of the page, with the way on. */
export function MessagePage({ title, detail, action, note }: MessagePageProps) {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.detail}>{detail}</p>
      <div className={styles.actions}>{action}</div>
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
