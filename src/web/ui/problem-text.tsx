import { useTranslation } from '#web/i18n/use-translation.ts'
import { errorFacts, isErrorCode, type ErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'

interface ProblemTextProps {
  /** A code of the server's list, or one that only the browser can tell. */
  code: ErrorCode | 'unreachable' | 'unreadable'
  /** internal: the agency's own people, who are told more than clients. */
  audience?: 'internal' | 'external'
}

/** What a code says to this reader, in their language. */
export function ProblemText({ code, audience = 'external' }: ProblemTextProps) {
  const { t } = useTranslation('errors')
  const language = useLanguage()
  if (code === 'unreachable' || code === 'unreadable') return t(code)
  return problemText(code, audience, language)
}

/** The same as plain text, for places that take no element. */
export function problemText(code: ErrorCode, audience: 'internal' | 'external', language: Language): string {
  // A page that is older than its server may not know the code.
  const { text, internal } = errorFacts(isErrorCode(code) ? code : 'internal_error')
  return (audience === 'internal' ? (internal ?? text) : text)[language]
}
