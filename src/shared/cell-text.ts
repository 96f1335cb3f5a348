import type { ColumnFormat } from './api/preview.ts'

/** Serial number of 1970-01-01. */
const EPOCH = 25_569
const DAY_MS = 86_400_000

/** A cell as a spreadsheet shows it under the format that a run gives its column. */
export function cellText(value: string | number, format: ColumnFormat): string {
  if (typeof value === 'string') return value
  switch (format.kind) {
    case 'text':
      return String(value)
    case 'day':
      return dayOfSerial(value)
    case 'month':
      return dayOfSerial(value).slice(0, 7)
    case 'number':
      return grouped(rounded(value, format.digits))
    case 'percent':
      return `${rounded(value * 100, format.digits)}%`
  }
}

/** yyyy-MM-dd of a spreadsheet's day. */
export const dayOfSerial = (serial: number) => new Date((serial - EPOCH) * DAY_MS).toISOString().slice(0, 10)

/**
 * Half away from zero by the decimal digits, as spreadsheets round: 1.005 is 1.01 there, though its binary
 * value is less.
 */
function rounded(value: number, digits: number): string {
  const size = Math.abs(value)
  const displayed = Number(`${Math.round(Number(`${size}e${digits}`))}e-${digits}`)
  const text = (Number.isFinite(displayed) ? displayed : size).toFixed(digits)
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text
}

const grouped = (text: string) => text.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',')
