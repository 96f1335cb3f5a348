import type { Overview } from '#shared/api/overview.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './overview.module.css'

/** Which day "today" is, where the server does not know the browser's time zone. */
export function UnknownZone({ overview: { unknown_timezone: zone, timezone } }: { overview: Overview }) {
  const { t } = useTranslation('overview_later')
  return (
    zone !== null && (
      <p role="status" className={styles.zone}>
        {t('unknown_zone', { zone, instead: timezone })}
      </p>
    )
  )
}
