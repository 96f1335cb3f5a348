import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { dismiss, dismissAll, notices } from '#web/client/notices.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { sidebar } from './layout.ts'
import styles from './toast-area.module.css'

const Toast = lazy(async () => ({ default: (await import('#web/ui/toast.tsx')).Toast }))

/**
 * The stack of notices. It stands right of the side navigation and moves with it; every change of route
 * clears it.
 */
export function ToastArea() {
  const { t } = useTranslation('ui')
  const router = useRouter()
  const shown = useStore(notices)
  const state = useStore(sidebar)
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged }) => {
        if (pathChanged) dismissAll()
      }),
    [router],
  )
  return (
    <section className={styles.area} data-sidebar={state} aria-live="polite" aria-label={t('notifications')}>
      {shown.map(({ id, ...notice }) => (
        <Suspense key={id}>
          <Toast {...notice} onClose={() => dismiss(id)} />
        </Suspense>
      ))}
    </section>
  )
}
