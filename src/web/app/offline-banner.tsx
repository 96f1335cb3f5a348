import { IconCloudOff } from '@tabler/icons-react'
import { reachability } from '#web/client/reachability.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './offline-banner.module.css'

/** Says that requests do not reach the server; goes away by itself when they do again. */
export function OfflineBanner() {
  const { t } = useTranslation('app')
  const state = useStore(reachability)
  return (
    <div aria-live="polite">
      {state !== 'reached' && (
        <div className={styles.banner}>
          <IconCloudOff size={16} aria-hidden />
          <strong>{t(`offline.${state}`)}</strong>
          <span>{t('offline.detail')}</span>
        </div>
      )}
    </div>
  )
}
