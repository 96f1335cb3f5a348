import styles from './page-loading.module.css'

/** Placeholder for a page that takes a while to load. */
export function PageLoading() {
  return (
    <div className={styles.page} aria-busy>
      <div className={styles.title} />
      <div className={styles.block} />
    </div>
  )
}
