import type { BlockOutcome } from '#shared/api/executions.ts'
import { errorText } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { isErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import { inZone } from '#shared/time-zone.ts'
import type { Plan } from '#server/table/plan.ts'

export interface NoteFacts {
  plan: Pick<Plan, 'range' | 'compared' | 'provisional_rates' | 'language'>
  blocks: readonly Pick<BlockOutcome, 'label' | 'status' | 'code'>[]
  /** The report's. */
  timezone: string
  now: Date
  next_run_at: Date | null
  /** The report's page. */
  link: string
}

/** Characters of a note, so that it can be read in a spreadsheet. */
const MOST = 2000

/**
 * What the start cell's note says of the table below it; the table's other readers may be clients, so causes
 * are in their words.
 */
export function cellNote(facts: NoteFacts): string {
  const { plan, blocks, timezone, now, next_run_at, link } = facts
  const words = texts[plan.language]
  const at = (instant: Date) => timeIn(instant, timezone)
  const today = at(now).slice(0, 10)
  const { range, compared, provisional_rates } = plan
  const lines = [
    words.updated(`${at(now)} (${timezone})`),
    range.end < today ? words.through(range.end) : words.throughToday(range.end),
    next_run_at ? words.next(at(next_run_at)) : words.noNext,
    ...blocks.flatMap(block => whyEmpty(block, plan.language)),
    ...(compared ? [words.compared(compared.range.start, compared.range.end)] : []),
    ...(provisional_rates.length > 0 ? [words.provisional(provisional_rates.join(', '))] : []),
  ]
  // The link is kept whole, whatever has to go.
  return `${cut(lines.join('\n'), MOST - link.length - 1)}\n${link}`
}

function whyEmpty({ label, status, code }: NoteFacts['blocks'][number], language: Language): string[] {
  if (status === 'ok') return []
  const errors = language === 'en' ? errorsEn : errorsZhTW
  const cause = code !== null && isErrorCode(code) ? errorText(errors, code, 'external') : ''
  return [texts[language].empty(label, cause)]
}

/** yyyy-MM-dd HH:mm in a time zone. */
function timeIn(instant: Date, timezone: string): string {
  const time = inZone(Temporal.Instant.fromEpochMilliseconds(instant.getTime()), timezone)
  return `${time.toPlainDate().toString()} ${time.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

const texts = {
  en: {
    updated: (when: string) => `Updated ${when}`,
    through: (day: string) => `Data through ${day}`,
    throughToday: (day: string) => `Data through ${day}; this day is not over yet`,
    next: (when: string) => `Next update ${when}`,
    noNext: 'No update is scheduled',
    empty: (label: string, cause: string) => `No output from ${label}${cause && `: ${cause}`}`,
    compared: (start: string, end: string) => `Compared with ${start} – ${end}`,
    provisional: (rates: string) => `Provisional exchange rates: ${rates}`,
  },
  'zh-TW': {
    updated: (when: string) => `更新時間：${when}`,
    through: (day: string) => `資料截至 ${day}`,
    throughToday: (day: string) => `資料截至 ${day}，當日尚未結束`,
    next: (when: string) => `下次更新：${when}`,
    noNext: '未設定更新排程',
    empty: (label: string, cause: string) => `「${label}」沒有資料${cause && `：${cause}`}`,
    compared: (start: string, end: string) => `比較期間：${start} – ${end}`,
    provisional: (rates: string) => `使用暫定匯率：${rates}`,
  },
} as const satisfies Record<Language, unknown>
