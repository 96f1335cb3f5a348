import { Skeleton } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './overview.module.css'

/** Placeholders in the layout of the page. */
export function OverviewLoading({ internal }: { internal: boolean }) {
  const { t } = useTranslation('ui')
  return (
    <output className={styles.page} aria-label={t('loading')}>
      {internal && (
        <span className={styles.tiles}>
          {['completed', 'failed', 'running', 'to_come'].map(tile => (
            <Skeleton key={tile} height={106} radius="md" />
          ))}
        </span>
      )}
      <Skeleton height={320} radius="md" className={styles.wide} />
    </output>
  )
}
