import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './table-loading.module.css'

/** As high as the table that replaces it, so that nothing jumps. */
export function TableLoading({ rows }: { rows: number }) {
  const { t } = useTranslation('ui')
  return (
    <output className={styles.table} aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.row}>
          <div className={styles.bar} style={{ width: `${34 + ((row * 7) % 16)}%` }} />
          <div className={styles.bar} style={{ width: '14%' }} />
          <div className={styles.bar} style={{ width: '18%' }} />
        </div>
      ))}
    </output>
  )
}
