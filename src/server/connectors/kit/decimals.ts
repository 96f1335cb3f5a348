import type { CsvReader } from './csv-bytes.ts'

// Platforms write their numbers as text. Number(), parseInt() and z.coerce read '' as 0, '1e3' as 1000 or
// '12abc' as 12; here a text is either a plain decimal or unreadable (NaN), and money never passes through a
// binary fraction.

const MINUS = 45
const POINT = 46
const ZERO = 48
const FRACTION_DIGITS = 6

/** A plain decimal such as 12, -3 or 1.253704; NaN for everything else. */
export function decimal(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN
  const first = text.charCodeAt(0) === MINUS ? 1 : 0
  let value = 0
  for (let at = first; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit < 0 || digit > 9) return value > Number.MAX_SAFE_INTEGER ? Number.NaN : fractional(text)
    value = value * 10 + digit
  }
  if (first === text.length || value > Number.MAX_SAFE_INTEGER) return Number.NaN
  return first === 1 && value !== 0 ? -value : value
}

const fractional = (text: string) => (/^-?\d+\.\d+$/.test(text) ? Number(text) : Number.NaN)

/**
 * A plain decimal in millionths, exactly; a seventh digit after the point rounds half away from zero. NaN for
 * everything else.
 */
export function millionths(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN
  const first = text.charCodeAt(0) === MINUS ? 1 : 0
  let value = 0
  let point = -1
  let up = 0
  for (let at = first; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === POINT && point < 0 && at > first) {
      point = at
      continue
    }
    const digit = code - ZERO
    if (digit < 0 || digit > 9) return Number.NaN
    const digitIndex = point < 0 ? 0 : at - point
    if (digitIndex <= FRACTION_DIGITS) value = value * 10 + digit
    else if (digitIndex === FRACTION_DIGITS + 1) up = digit >= 5 ? 1 : 0
  }
  if (first === text.length || point === text.length - 1) return Number.NaN
  const digits = point < 0 ? 0 : Math.min(text.length - 1 - point, FRACTION_DIGITS)
  const whole = value * 10 ** (FRACTION_DIGITS - digits) + up
  if (whole > Number.MAX_SAFE_INTEGER) return Number.NaN
  return first === 1 && whole !== 0 ? -whole : whole
}

/** Integers of so many digits are exact, and so is their quotient by a power of ten that is one. */
const EXACT_DIGITS = 15
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * The same of a cell's bytes, in units of 10 ** -shift, and as far as it is exact without another look; NaN
 * for whatever has to be read as a text.
 */
export function decimalIn({ bytes, starts, ends }: CsvReader, cell: number, shift: 0 | 6): number {
  const start = starts[cell] ?? 0
  const end = ends[cell] ?? 0
  let value = 0
  let point = -1
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit >= 0 && digit <= 9) value = value * 10 + digit
    else if (digit === POINT - ZERO && point < 0) point = at
    else return Number.NaN
  }
  const whole = (point < 0 ? end : point) - start
  const decimals = point < 0 ? 0 : end - 1 - point
  if (whole === 0 || point === end - 1) return Number.NaN
  if (whole + Math.max(decimals, shift) > EXACT_DIGITS) return Number.NaN
  if (decimals <= shift) return value * (POWERS[shift - decimals] ?? 0)
  return shift === 0 ? value / (POWERS[decimals] ?? 0) : Number.NaN
}
