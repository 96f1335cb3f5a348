import { Button } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MessagePage } from '#web/ui/message-page.tsx'
import { LaterProblemText } from './later-problem.tsx'
import { LinkButton } from './links.tsx'
import { Problem } from './problem.ts'
import { StaleVersion } from './stale-version.ts'

/** In the place of a page that could not be drawn: what happened and what one can do. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation('app')
  const router = useRouter()
  if (error instanceof StaleVersion)
    return (
      <MessagePage
        title={t('new_version.title')}
        detail={t('new_version.detail')}
        action={<Button onClick={() => location.reload()}>{t('new_version.reload')}</Button>}
      />
    )
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <MessagePage
      title={t('crash.title')}
      detail={error instanceof Problem ? <LaterProblemText code={error.code} /> : t('crash.detail')}
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
