import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './block-line.module.css'

/** What a platform has said, marked as its own words. */
export function PlatformMessage({ message }: { message: string }) {
  const { t } = useTranslation('runs')
  return (
    <small className={styles.quoted}>
      {t('details.platform_said')} <q>{message}</q>
    </small>
  )
}
