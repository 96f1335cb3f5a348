import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorFacts, isErrorCode, type ErrorCode, type Offer } from '#shared/errors.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from './inline-alert.tsx'
import { ProblemText } from './problem-text.tsx'

interface ProblemProps {
  code: ErrorCode | 'unreachable' | 'unreadable'
  /** internal: the agency's own people, who see more than clients. */
  audience?: 'internal' | 'external'
  request_id?: string | null
  /** Retry; offered unless the code offers something better. */
  onRetry?: () => void
  /** What this page can do about a code: the one that its entry in errors.ts names becomes a button. */
  offers?: Partial<Record<Offer, () => void>>
  /** More about it, for example which range. */
  children?: ReactNode
}

/** What went wrong, worded for this reader, and how to fix it. */
export function Problem({ code, audience, request_id, onRetry, offers = {}, children }: ProblemProps) {
  const { t } = useTranslation('errors')
  const offer = isErrorCode(code) ? errorFacts(code).offer : 'none'
  const action = offers[offer]
  return (
    <InlineAlert
      severity={offer === 'wait' ? 'warning' : 'error'}
      action={
        action && offer !== 'none' ? (
          <Button size="xs" variant="default" onClick={action}>
            {t(`offer.${offer}`)}
          </Button>
        ) : (
          onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('retry')}
            </Button>
          )
        )
      }
    >
      <ProblemText code={code} {...(audience && { audience })} />
      {children}
      {request_id && code === 'internal_error' && <div>{t('request_id', { id: request_id })}</div>}
    </InlineAlert>
  )
}
