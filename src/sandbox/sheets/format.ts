import type { sheets_v4 } from '@googleapis/sheets'

type NumberFormat = sheets_v4.Schema$NumberFormat

const DAY_MS = 86_400_000
/** Serial 25569 is 1970-01-01; day 0 is 1899-12-30. */
const UNIX_EPOCH = 25_569

/** The date of a serial number, as UTC fields. */
const dateOfSerial = (serial: number) => new Date(Math.round((serial - UNIX_EPOCH) * DAY_MS))

export const serialOfDate = (year: number, month: number, day: number) =>
  Date.UTC(year, month - 1, day) / DAY_MS + UNIX_EPOCH

/** Whether numbers of this format are dates or times. */
export const isDateFormat = (format: NumberFormat | null | undefined) =>
  ['DATE', 'TIME', 'DATE_TIME'].includes(format?.type ?? '')

/**
 * A number as the sheet shows it: by its pattern, else by the type in the locale, else as the shortest
 * decimal.
 */
export function formatNumber(value: number, format: NumberFormat | null | undefined, locale: string): string {
  const pattern = format?.pattern || defaultPattern(format?.type, locale)
  if (!pattern || pattern.toLowerCase() === 'general' || format?.type === 'TEXT') return plain(value)
  if (isDateFormat(format) || (!format?.type && /[yd]/.test(pattern))) return formatDate(value, pattern)
  return formatDecimal(value, pattern)
}

/** The pattern of a type without one, in the locale; '' when numbers stay as they are. */
export function defaultPattern(type: string | null | undefined, locale: string): string {
  const zh = locale.startsWith('zh')
  const patterns: Record<string, string> = {
    NUMBER: '#,##0.00',
    PERCENT: '0.00%',
    CURRENCY: '"$"#,##0.00',
    DATE: zh ? 'yyyy/m/d' : 'm/d/yyyy',
    TIME: 'h:mm:ss am/pm',
    DATE_TIME: zh ? 'yyyy/m/d h:mm:ss' : 'm/d/yyyy h:mm:ss',
    SCIENTIFIC: '0.00E+00',
  }
  return patterns[type ?? ''] ?? ''
}

/** The shortest decimal that is the number; an exponent only where the digits would not end. */
export const plain = (value: number) => (Object.is(value, -0) ? '0' : String(value).replace('e', 'E'))

function formatDecimal(value: number, pattern: string): string {
  const sections = pattern.split(';')
  const negative = value < 0 && sections[1] !== undefined
  const section = (value < 0 ? sections[1] : value === 0 ? sections[2] : undefined) ?? sections[0] ?? ''
  const match =
    /^((?:"[^"]*"|\\.|[^0#"\\])*)([0#][0#,]*(?:\.[0#]*)?)(E\+0+)?((?:"[^"]*"|\\.|[^0#"\\])*)$/i.exec(section)
  if (!match) return plain(value)
  const [, before = '', digits = '', exponent, after = ''] = match
  const scaled = (negative ? -value : value) * (section.includes('%') ? 100 : 1)
  const number = exponent ? scientific(scaled, digits, exponent) : decimal(scaled, digits)
  const sign = number.startsWith('-') ? '-' : ''
  return `${sign}${literal(before)}${number.slice(sign.length)}${literal(after)}`
}

function decimal(value: number, digits: string): string {
  const [whole = '', fraction = ''] = digits.split('.')
  const least = (fraction.match(/0/g) ?? []).length
  const fixed = roundHalfAway(Math.abs(value), Math.min(fraction.length, 20))
  const [integer = '0', decimals = ''] = fixed.split('.')
  let shortened = decimals
  while (shortened.length > least && shortened.endsWith('0')) shortened = shortened.slice(0, -1)
  let padded = integer.padStart((whole.match(/0/g) ?? []).length, '0')
  if (padded === '0' && !whole.includes('0')) padded = ''
  const grouped = whole.includes(',') ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded
  const sign = value < 0 && /[1-9]/.test(fixed) ? '-' : ''
  return `${sign}${grouped}${shortened ? `.${shortened}` : ''}`
}

/** toFixed works on the binary value: 1.005 would show as 1.00. Sheets rounds the decimal that one sees. */
function roundHalfAway(value: number, positions: number): string {
  if (value >= 1e21) return BigInt(value).toString()
  const text = String(value)
  if (text.includes('e')) return value.toFixed(positions)
  const [integer = '0', fraction = ''] = text.split('.')
  if (fraction.length <= positions)
    return positions > 0 ? `${integer}.${fraction.padEnd(positions, '0')}` : integer
  const scaled =
    BigInt(integer + fraction.slice(0, positions)) + (fraction.charCodeAt(positions) >= 53 ? 1n : 0n)
  const digits = scaled.toString().padStart(positions + 1, '0')
  return positions > 0 ? `${digits.slice(0, -positions)}.${digits.slice(-positions)}` : digits
}

function scientific(value: number, digits: string, exponent: string): string {
  const [mantissa = '', power = '0'] = value.toExponential((digits.split('.')[1] ?? '').length).split('e')
  const sign = power.startsWith('-') ? '-' : '+'
  return `${mantissa}E${sign}${power.slice(1).padStart(exponent.length - 2, '0')}`
}

const literal = (text: string) => text.replace(/"([^"]*)"|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped)

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

function formatDate(serial: number, pattern: string): string {
  const date = dateOfSerial(serial)
  const half_day = /am\/pm/i.test(pattern)
  let afterHours = false
  return pattern.replace(/"([^"]*)"|\\(.)|am\/pm|y+|m+|d+|h+|s+|\.0+/gi, (token, quoted, escaped) => {
    if (quoted !== undefined || escaped !== undefined) return quoted ?? escaped
    const lower = token.toLowerCase()
    if (lower === 'am/pm') return date.getUTCHours() < 12 ? 'AM' : 'PM'
    if (lower.startsWith('.')) return (date.getUTCMilliseconds() / 1000).toFixed(token.length - 1).slice(1)
    const minutes = lower[0] === 'm' && (afterHours || isBeforeSeconds(pattern, lower))
    afterHours = lower[0] === 'h' || (afterHours && lower[0] !== 's' && !minutes)
    return datePart(date, lower, { minutes, half_day })
  })
}

/** In `mm:ss` the m are minutes though no hours precede them. */
const isBeforeSeconds = (pattern: string, token: string) =>
  !/h/i.test(pattern) && new RegExp(`${token}:s`, 'i').test(pattern)

function datePart(
  date: Date,
  token: string,
  { minutes, half_day }: { minutes: boolean; half_day: boolean },
): string {
  const pad = (value: number) => String(value).padStart(Math.min(token.length, 2), '0')
  switch (token[0]) {
    case 'y':
      return token.length <= 2
        ? String(date.getUTCFullYear() % 100).padStart(2, '0')
        : String(date.getUTCFullYear())
    case 'm': {
      if (minutes) return pad(date.getUTCMinutes())
      const name = MONTHS[date.getUTCMonth()] ?? ''
      return token.length >= 4 ? name : token.length === 3 ? name.slice(0, 3) : pad(date.getUTCMonth() + 1)
    }
    case 'd': {
      const name = DAYS[date.getUTCDay()] ?? ''
      return token.length >= 4 ? name : token.length === 3 ? name.slice(0, 3) : pad(date.getUTCDate())
    }
    case 'h':
      return pad(half_day ? date.getUTCHours() % 12 || 12 : date.getUTCHours())
    default:
      return pad(date.getUTCSeconds())
  }
}
