import type { Language } from '#shared/language.ts'
import { inZone } from '#shared/time-zone.ts'
import { cityOf, isSameZone } from '#shared/zone-names.ts'
import { timeText } from './times.ts'

// Whose clocks a time is on. Apart from times.ts, which the first page loads.

/** " (Taipei)" after a time that is on other clocks than the reader's own; else nothing. */
export function zoneSuffix(timezone: string, language: Language): string {
  if (isSameZone(timezone, Temporal.Now.timeZoneId())) return ''
  return language === 'zh-TW' ? `（${cityOf(timezone)}）` : ` (${cityOf(timezone)})`
}

/** " · AM 09:00 (Taipei)": an instant on other clocks than the reader's own; else nothing. */
export function zonedText(instant: string, language: Language, timezone: string): string {
  const suffix = zoneSuffix(timezone, language)
  const time = inZone(Temporal.Instant.from(instant), timezone).toPlainTime().toString()
  return suffix && ` · ${timeText(time, language)}${suffix}`
}
