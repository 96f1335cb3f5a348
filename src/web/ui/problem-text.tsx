import { errorText } from '#shared/error-texts.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import { errorTextsIn } from '#web/i18n/i18n.ts'
import { useLanguage, useTranslation } from '#web/i18n/use-translation.ts'

interface ProblemTextProps {
  /** A code of the server's list, or one that only the browser can detect. */
  code: ErrorCode | 'unreachable' | 'unreadable'
  /** internal: the agency's own people, who see more than clients. */
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
  const texts = errorTextsIn(language)
  if (!texts) return code
  // A page that is older than its server may not know the code.
  return errorText(texts, Object.hasOwn(texts.external, code) ? code : 'internal_error', audience)
}
