import { errorText } from '#shared/error-texts.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { instructionsName, instructionsPath } from '#shared/instructions.ts'
import type { Language } from '#shared/language.ts'
import { nameSpecialists } from '#shared/specialist.ts'
import { errorTextsIn, nowSpoken } from '#web/i18n/i18n.ts'
import { translate } from '#web/i18n/translate.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'

interface ProblemTextProps {
  /** A code of the server's list, or one that only the browser can detect. */
  code: ErrorCode | 'unreachable' | 'unreadable'
  /** internal: the agency's own people, who see more than clients. */
  audience?: 'internal' | 'external'
  /** What it is about: the part of the instructions that a text leads to. */
  channel?: Channel
}

/** What a code says to this reader, in their language; the agency's people get a link to the instructions. */
export function ProblemText({ code, audience = 'external', channel }: ProblemTextProps) {
  const language = useLanguage()
  const text = problemText(code, audience, language)
  const name = instructionsName[language]
  const [before = '', after] = audience === 'internal' ? text.split(name) : []
  if (after === undefined) return text
  return (
    <>
      {before}
      <a href={instructionsPath(channel)} target="_blank" rel="noopener">
        {name}
      </a>
      {after}
    </>
  )
}

/** The same as plain text, for places that take no element. */
export function problemText(
  code: ProblemTextProps['code'],
  audience: 'internal' | 'external',
  language: Language,
): string {
  if (code === 'unreachable' || code === 'unreadable') return browserText(code, language)
  const texts = errorTextsIn(language)
  if (!texts) return code
  // A page that is older than its server may not know the code.
  const known = Object.hasOwn(texts.external, code) ? code : 'internal_error'
  return nameSpecialists(errorText(texts, known, audience), nowSpoken().specialists, language)
}

/** Without a network of its own the browser cannot reach any server, and it is not this one that fails. */
function browserText(code: 'unreachable' | 'unreadable', language: Language) {
  const key = code === 'unreachable' && !navigator.onLine ? 'offline' : code
  return translate(nowSpoken().texts.errors ?? {}, key, { values: {}, language })
}
