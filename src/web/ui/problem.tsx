import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorFacts, isErrorCode, type ErrorCode } from '#shared/errors.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from './inline-alert.tsx'
import { ProblemText } from './problem-text.tsx'

interface ProblemProps {
  code: ErrorCode | 'unreachable' | 'unreadable'
  /** internal: the agency's own people, who see more than clients. */
  audience?: 'internal' | 'external'
  request_id?: string | null
  /** Retry; offered unless there is something better. */
  onRetry?: () => void
  /** What can be done about it. */
  action?: ReactNode
  /** More about it, for example which range. */
  children?: ReactNode
}

/** What went wrong, worded for this reader, and how to fix it. */
export function Problem({ code, audience, request_id, onRetry, action, children }: ProblemProps) {
  const { t } = useTranslation('errors')
  const passes = isErrorCode(code) && errorFacts(code).offer === 'wait'
  return (
    <InlineAlert
      severity={passes ? 'warning' : 'error'}
      action={
        action ??
        (onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        ))
      }
    >
      <ProblemText code={code} {...(audience && { audience })} />
      {children}
      {request_id && code === 'internal_error' && <div>{t('request_id', { id: request_id })}</div>}
    </InlineAlert>
  )
}
