import type { sheets_v4 } from '@googleapis/sheets'
import { serialOfDate } from './format.ts'
import type { Cell } from './tile.ts'

export interface Typed {
  cell: Cell
  number_format?: sheets_v4.Schema$NumberFormat
}

/**
 * What a text means when a person types it: formula, number, date, boolean, or text. Locales en_US and zh_TW.
 */
export function readInput(text: string, locale: string): Typed {
  if (text.startsWith("'")) return { cell: text.slice(1) }
  if (text.startsWith('=') && text.length > 1) return { cell: { formula: text } }
  const trimmed = text.trim()
  if (/^(true|false)$/i.test(trimmed)) return { cell: trimmed.toLowerCase() === 'true' }
  return readNumber(trimmed) ?? readDate(trimmed, locale) ?? readTime(trimmed) ?? { cell: text }
}

function readNumber(text: string): Typed | null {
  const match = /^([+-])?(NT\$|\$)?([+-])?(\d{1,3}(?:,\d{3})+|\d+)?(\.\d*)?(E[+-]?\d+)?(%)?$/i.exec(text)
  if (!match || (!match[4] && !/\d/.test(match[5] ?? ''))) return null
  const [, sign, currency, inner, whole = '0', fraction = '', exponent = '', percent] = match
  const size = Number(`${whole.replaceAll(',', '')}${fraction === '.' ? '' : fraction}${exponent}`)
  const cell = (sign === '-' || inner === '-' ? -size : size) / (percent ? 100 : 1)
  const decimals = fraction.length > 1 ? '.00' : ''
  if (percent) return { cell, number_format: { type: 'PERCENT', pattern: `0${decimals}%` } }
  if (currency) return { cell, number_format: { type: 'CURRENCY', pattern: `"${currency}"#,##0${decimals}` } }
  if (exponent) return { cell, number_format: { type: 'SCIENTIFIC', pattern: '0.00E+00' } }
  if (whole.includes(',')) return { cell, number_format: { type: 'NUMBER', pattern: `#,##0${decimals}` } }
  return { cell }
}

/** `2026-09-05` and `2026/9/5` everywhere; `12/01/2026` and `1-2` (of 2026) as months first. */
function readDate(text: string, locale: string): Typed | null {
  const [day_text = '', time_text] = text.split(/[ T](?=\d{1,2}:)/)
  const time = time_text === undefined ? 0 : timeOf(time_text)
  if (time === null) return null
  const yearFirst = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/.exec(day_text)
  const monthFirst = /^(\d{1,2})([-/])(\d{1,2})(?:\2(\d{4}))?$/.exec(day_text)
  const zh = locale.startsWith('zh')
  const date = yearFirst
    ? { year: Number(yearFirst[1]), month: Number(yearFirst[3]), day: Number(yearFirst[4]) }
    : monthFirst && {
        year: Number(monthFirst[4] ?? 2026),
        month: Number(monthFirst[1]),
        day: Number(monthFirst[3]),
      }
  if (!date || !isDate(date)) return null
  const pattern = yearFirst?.[2] === '-' ? 'yyyy-mm-dd' : zh ? 'yyyy/m/d' : 'm/d/yyyy'
  return {
    cell: serialOfDate(date.year, date.month, date.day) + time,
    number_format:
      time_text === undefined
        ? { type: 'DATE', pattern }
        : { type: 'DATE_TIME', pattern: `${pattern} h:mm:ss` },
  }
}

function readTime(text: string): Typed | null {
  const time = timeOf(text)
  return time === null ? null : { cell: time, number_format: { type: 'TIME', pattern: 'h:mm:ss' } }
}

/** A time of day as a fraction of it; null when it is none. */
function timeOf(text: string): number | null {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (!match) return null
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
  return hours < 24 && minutes < 60 && seconds < 60 ? (hours * 3600 + minutes * 60 + seconds) / 86_400 : null
}

function isDate({ year, month, day }: { year: number; month: number; day: number }) {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
