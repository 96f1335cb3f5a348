import type { HttpResponse } from '#sandbox/http/response.ts'
import { CUSTOM_CONVERSIONS } from '#sandbox/dataset/line.ts'
import { type Column, COLUMNS, customColumns, VIDEO_COLUMNS, VIDEO_STARTS } from './columns.ts'
import { countOf } from './facts.ts'
import { BREAKDOWNS, inLocale, KEYS } from './labels.ts'
import type { ReportQuery } from './query.ts'
import { type Key, keysFor, type Row } from './rows.ts'

interface Style {
  /** The labels of API 3.9. */
  old: boolean
  with_bom: boolean
}

/** The file of a report: UTF-8, or UTF-16LE for spreadsheets, both with a byte-order mark. */
export function fileOf(query: ReportQuery, rows: readonly Row[], { old, with_bom }: Style): HttpResponse {
  const columns = old ? oldColumns(query) : currentColumns(query, rows)
  const lines = [
    columns.map(column => column.title),
    ...rows.map(row => columns.map(column => column.show(row))),
  ]
  const text = lines.map(line => `${line.map(cell).join(',')}\r\n`).join('')
  return {
    status: 200,
    type: query.excel ? 'text/csv;charset=utf-16le' : 'text/csv;charset=utf-8',
    body: with_bom ? `\uFEFF${text}` : text,
    ...(query.excel && { encoding: 'utf16le' }),
  }
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

interface FileColumn {
  title: string
  show(row: Row): string
}

/** Conversions that the advertiser named have columns only when something was counted. */
function currentColumns(query: ReportQuery, rows: readonly Row[]): FileColumn[] {
  const counted = CUSTOM_CONVERSIONS.filter(({ metric }) =>
    rows.some(row => countOf(row.facts.counts, [metric]) > 0),
  )
  const columns = [
    ...COLUMNS,
    ...counted.flatMap(({ name, metric }) => customColumns(name, metric)),
    ...VIDEO_COLUMNS,
  ]
  return [
    ...keysFor(query).map(key => keyColumn(key, inLocale(KEYS[key], query.locale))),
    ...partColumn(query, by => inLocale(BREAKDOWNS[by], query.locale)),
    ...columns
      .filter(column => !(column.people && query.cut?.is_delivery))
      .map(column => numberColumn(column, inLocale(column.words, query.locale))),
  ]
}

const OLD_ORDER = [
  'impressions',
  'cpm',
  'clicks',
  'ctr',
  'cpc',
  'cv',
  'cvr',
  'cpa',
  'cost',
  'currency',
  'reach_estimated',
  'video_starts',
]

/** The labels of API 3.9 in their order: fewer columns, snake_case in every language. */
function oldColumns(query: ReportQuery): FileColumn[] {
  const known = [...COLUMNS, VIDEO_STARTS, ...VIDEO_COLUMNS].filter(
    column => column.old !== undefined && !(column.people && query.cut?.is_delivery),
  )
  const rest = known.map(column => column.old ?? '').filter(name => !OLD_ORDER.includes(name))
  const numbers = [...OLD_ORDER, ...rest].flatMap((name): FileColumn[] => {
    if (name === 'currency') return [keyColumn('currency', name)]
    const column = known.find(each => each.old === name)
    return column ? [numberColumn(column, name)] : []
  })
  const keys = keysFor(query).filter(key => key !== 'currency')
  const oldName = (key: Key) => key.replace(/^account_/, 'ad_account_')
  return [...keys.map(key => keyColumn(key, oldName(key))), ...partColumn(query, by => by), ...numbers]
}

const keyColumn = (key: Key, title: string): FileColumn => ({ title, show: row => row.keys[key] })

const partColumn = ({ cut }: ReportQuery, titleOf: (by: keyof typeof BREAKDOWNS) => string): FileColumn[] =>
  cut ? [{ title: titleOf(cut.by), show: row => row.part ?? '' }] : []

const numberColumn = (column: Column, title: string): FileColumn => ({
  title,
  show: row => numberText(column.value(row.facts)),
})

/** Two decimals at most; empty where there is nothing to divide by. */
const numberText = (value: number | null) =>
  value === null ? '' : String(Number.isInteger(value) ? value : Number(value.toFixed(2)))
