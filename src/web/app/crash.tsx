import { Button } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { Problem } from '#web/client/problem.ts'
import { isReached, reachability } from '#web/client/reachability.ts'
import { isStaleVersion } from '#web/client/stale-version.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LazyProblemText } from '#web/ui/lazy-problem.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'

/** Shown instead of a page that could not be rendered: what happened and what the person can do. */
export function Crash({ error, reset }: ErrorComponentProps) {
  return isStaleVersion(error) ? <NotLoaded /> : <Failed error={error} reset={reset} />
}

/** The same where there is no frame around it. */
export const WholeCrash = (props: ErrorComponentProps) => (
  <main>
    <Crash {...props} />
  </main>
)

function Failed({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const { t } = useTranslation('app')
  const router = useRouter()
  const isUnreached = error instanceof Problem && error.code === 'unreachable'
  const state = useStore(reachability)
  const title = isUnreached ? t(`offline.${state === 'reached' ? 'unreachable' : state}`) : t('crash.title')
  usePageTitle(title)
  const retry = useCallback(() => {
    reset()
    void router.invalidate()
  }, [reset, router])
  useEffect(() => {
    if (!isUnreached) return
    return reachability.subscribe(() => {
      if (reachability.get() === 'reached') retry()
    })
  }, [isUnreached, retry])
  return (
    <MessagePage
      title={title}
      detail={error instanceof Problem ? <LazyProblemText code={error.code} /> : t('crash.detail')}
      {...(error instanceof Problem && error.request_id !== null && { note: error.request_id })}
      action={
        <>
          <LinkButton to="/" variant="default">
            {t('crash.home')}
          </LinkButton>
          <Button onClick={retry}>{t('crash.retry')}</Button>
        </>
      }
    />
  )
}

/**
 * The page's own code could not be loaded: it is out of date, or the server is unreachable. Once the server
 * answers again the page reloads by itself.
 */
function NotLoaded() {
  const { t } = useTranslation('app')
  const { t: tErrors } = useTranslation('errors')
  const state = useStore(reachability)
  const title = t(state === 'reached' ? 'new_version.title' : `offline.${state}`)
  usePageTitle(title)
  useEffect(() => {
    void isReached()
    return reachability.subscribe(() => {
      if (reachability.get() === 'reached') location.reload()
    })
  }, [])
  return (
    <MessagePage
      title={title}
      detail={state === 'reached' ? t('new_version.detail') : tErrors(state)}
      action={<Button onClick={() => location.reload()}>{t('new_version.reload')}</Button>}
    />
  )
}
