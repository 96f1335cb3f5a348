import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './progress-bar.module.css'

/** A thin bar from the start of a navigation to its end, whether it arrives or fails. */
export function ProgressBar() {
  const { t } = useTranslation('app')
  const loading = useRouterState({ select: state => state.isLoading })
  if (!loading) return null
  return <progress className={styles.bar} aria-label={t('loading')} />
}
