import type { Report } from '#shared/api/reports.ts'
import type { Language } from '#shared/language.ts'

/** The fields of a report that the editor changes, in the order of its sections. */
export const draftFields = [
  'name',
  'channels',
  'dimensions',
  'arrangement',
  'fill_zero',
  'format_table',
  'sort',
  'limit',
  'currency',
  'comparison',
  'note',
  'blends',
  'header_language',
  'date_range',
  'update_frequency',
  'update_day_of_week',
  'update_day_of_month',
  'update_time',
  'timezone',
  'spreadsheet_url',
  'sheet_name',
  'start_cell',
] as const satisfies readonly (keyof Report)[]

export type DraftField = (typeof draftFields)[number]
export type Draft = Pick<Report, DraftField>
export type DraftBlock = Draft['channels'][number]

/** A report as the editor has it: the frequency is the chosen one, though the report may have ended. */
export function draftOf(report: Report): Draft {
  return {
    name: report.name,
    channels: report.channels,
    dimensions: report.dimensions,
    arrangement: report.arrangement,
    fill_zero: report.fill_zero,
    format_table: report.format_table,
    sort: report.sort,
    limit: report.limit,
    currency: report.currency,
    comparison: report.comparison,
    note: report.note,
    blends: report.blends,
    header_language: report.header_language,
    date_range: report.date_range,
    update_frequency: report.chosen_frequency,
    update_day_of_week: report.update_day_of_week,
    update_day_of_month: report.update_day_of_month,
    update_time: report.update_time,
    timezone: report.timezone,
    spreadsheet_url: report.spreadsheet_url,
    sheet_name: report.sheet_name,
    start_cell: report.start_cell,
  }
}

const blank: Omit<Draft, 'name' | 'header_language' | 'timezone'> = {
  channels: [],
  dimensions: ['date'],
  arrangement: 'joined',
  fill_zero: false,
  format_table: true,
  sort: null,
  limit: null,
  currency: null,
  comparison: null,
  note: false,
  blends: [],
  date_range: { start: null, end: null, dynamic_range: 1 },
  update_frequency: 0,
  update_day_of_week: null,
  update_day_of_month: null,
  update_time: '09:00:00',
  spreadsheet_url: '',
  sheet_name: '',
  start_cell: 'A1',
}

interface NewDraft {
  name: string
  language: Language
  timezone: string
}

export const newDraft = ({ name, language, timezone }: NewDraft): Draft => ({
  ...blank,
  name,
  header_language: language,
  timezone,
})

/** Same content, whatever the order of keys. */
export const isSame = (a: unknown, b: unknown): boolean => stable(a) === stable(b)

const stable = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
