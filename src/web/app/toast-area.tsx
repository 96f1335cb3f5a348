import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { bottomBar } from '#web/client/bottom-bar.ts'
import { dismissToast, dismissToasts, toasts } from '#web/client/toasts.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lazy } from '#web/visit/lazy.ts'
import { sidebar } from './layout.ts'
import styles from './toast-area.module.css'

const Toast = lazy(async () => ({ default: (await import('#web/ui/toast.tsx')).Toast }))

/**
 * The stack of toasts, right of the side navigation and moving with it, above the bar that says whether the
 * page is saved; every change of route clears it.
 */
export function ToastArea() {
  const { t } = useTranslation('ui')
  const router = useRouter()
  const visible = useStore(toasts)
  const state = useStore(sidebar)
  const barHeight = useStore(bottomBar)
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged }) => {
        if (pathChanged) dismissToasts()
      }),
    [router],
  )
  return (
    <section
      className={styles.area}
      style={{ marginBottom: barHeight }}
      data-sidebar={state}
      aria-live="polite"
      aria-label={t('notifications')}
    >
      {visible.map(({ id, ...toast }) => (
        <Suspense key={id}>
          <Toast {...toast} onClose={() => dismissToast(id)} />
        </Suspense>
      ))}
    </section>
  )
}
