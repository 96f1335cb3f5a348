import { Outlet, useRouterState } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InformationArea } from './information-area.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import styles from './root.module.css'
import { ToastArea } from './toast-area.tsx'

/** What is on every page, signed in or not. */
export function Root() {
  return (
    <>
      <ProgressBar />
      <OfflineBanner />
      <Outlet />
      <ToastArea />
      <InformationArea />
    </>
  )
}

/** A thin bar from the start of a navigation to its end, whether it arrives or fails. */
function ProgressBar() {
  const { t } = useTranslation('app')
  const loading = useRouterState({ select: state => state.isLoading })
  if (!loading) return null
  return <progress className={styles.bar} aria-label={t('loading')} />
}
