import type { ReactNode } from 'react'
import type { Quotation } from '#shared/api/quotations.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import type { Problem as Failure } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'

/** Of every dialog about an order. */
export interface DialogProps {
  order: Quotation
  onClose: () => void
}

/** Why an action was refused, where that is about no single field. */
export function useRefusalText() {
  const { t, language } = useTranslation('orders')
  const failureText = useFailureText()
  return (error: Failure | null): ReactNode => {
    if (error === null || Object.keys(error.fields).length > 0) return null
    if (error.code === 'conflict') return t('stale')
    return failureText(error) ?? problemText(error.code, 'internal', language)
  }
}
