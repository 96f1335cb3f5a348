/** JSON as UTF-8, written by hand into a buffer that grows: no strings, no copies. */
export interface Output {
  bytes: Uint8Array
  at: number
}

/** Bytes that a number and the comma behind it take at most, but for sums beyond 2^53. */
export const NUMBER_BYTES = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/** Reserves so many more bytes. */
export function ensure(out: Output, more: number): void {
  if (out.at + more <= out.bytes.length) return
  const bytes = new Uint8Array(Math.max(out.bytes.length * 2, out.at + more))
  bytes.set(out.bytes.subarray(0, out.at))
  out.bytes = bytes
}

export function writeByte(out: Output, byte: number): void {
  out.bytes[out.at++] = byte
}

/** Characters of ASCII, as they are; makes room for a comma too. */
export function writeAscii(out: Output, text: string): void {
  const { length } = text
  ensure(out, length + 1)
  const { bytes } = out
  const { at } = out
  for (let index = 0; index < length; index++) bytes[at + index] = text.charCodeAt(index)
  out.at = at + length
}

/**
 * A JSON string; makes room for it and a comma. Escaped as JSON.stringify does; half a surrogate pair becomes
 * U+FFFD.
 */
export function writeText(out: Output, text: string): void {
  const { length } = text
  ensure(out, length * 6 + 3)
  const { bytes } = out
  let { at } = out
  bytes[at++] = QUOTE
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      if (unit >= 0x20 && unit !== QUOTE && unit !== BACKSLASH) bytes[at++] = unit
      else at = writeEscape(bytes, at, unit)
    } else if (unit < 0x800) {
      bytes[at++] = 0xc0 | (unit >> 6)
      bytes[at++] = 0x80 | (unit & 0x3f)
    } else if (unit < 0xd800 || unit > 0xdfff) {
      at = writeThree(bytes, at, unit)
    } else {
      const point = text.codePointAt(index) ?? 0
      if (point > 0xffff) {
        bytes[at++] = 0xf0 | (point >> 18)
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f)
        bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
        bytes[at++] = 0x80 | (point & 0x3f)
        index++
      } else {
        at = writeThree(bytes, at, 0xfffd)
      }
    }
  }
  bytes[at++] = QUOTE
  out.at = at
}

function writeThree(bytes: Uint8Array, at: number, point: number): number {
  bytes[at] = 0xe0 | (point >> 12)
  bytes[at + 1] = 0x80 | ((point >> 6) & 0x3f)
  bytes[at + 2] = 0x80 | (point & 0x3f)
  return at + 3
}

function writeEscape(bytes: Uint8Array, at: number, unit: number): number {
  if (unit === QUOTE || unit === BACKSLASH) {
    bytes[at] = BACKSLASH
    bytes[at + 1] = unit
    return at + 2
  }
  const escaped = JSON.stringify(String.fromCharCode(unit))
  for (let index = 1; index < escaped.length - 1; index++) bytes[at++] = escaped.charCodeAt(index)
  return at
}

const BILLION = 1_000_000_000

/** A whole number up to 2^53; there is room for it. */
export function writeWhole(out: Output, value: number): void {
  let rest = value
  if (rest < 0) {
    out.bytes[out.at++] = MINUS
    rest = -rest
  }
  if (rest < BILLION) {
    writeDigits(out, rest | 0, digitsOf(rest | 0))
    return
  }
  const high = Math.floor(rest / BILLION)
  writeDigits(out, high, digitsOf(high))
  writeDigits(out, (rest - high * BILLION) | 0, 9)
}

/**
 * Whole millionths up to 2^53 as a decimal number, exact and without zeros at its end; there is room for it.
 */
export function writeMillionths(out: Output, value: number): void {
  let rest = value
  if (rest < 0) {
    out.bytes[out.at++] = MINUS
    rest = -rest
  }
  let whole = Math.floor(rest / 1_000_000)
  let fraction = rest - whole * 1_000_000
  if (fraction < 0) {
    // The division was rounded up to a whole number.
    whole--
    fraction += 1_000_000
  }
  writeWhole(out, whole)
  if (fraction === 0) return
  out.bytes[out.at++] = POINT
  writeDigits(out, fraction | 0, 6)
  while (out.bytes[out.at - 1] === ZERO) out.at--
}

/** Any finite number, as JSON.stringify writes it; there is room for it. */
export function writeNumber(out: Output, value: number): void {
  if (Number.isSafeInteger(value)) writeWhole(out, value)
  else writeAscii(out, String(value))
}

function writeDigits(out: Output, value: number, digits: number): void {
  const { bytes } = out
  let rest = value
  for (let position = out.at + digits - 1; position >= out.at; position--) {
    const next = (rest / 10) | 0
    bytes[position] = ZERO + rest - next * 10
    rest = next
  }
  out.at += digits
}

function digitsOf(value: number): number {
  if (value < 10) return 1
  if (value < 100) return 2
  if (value < 1000) return 3
  if (value < 10_000) return 4
  if (value < 100_000) return 5
  if (value < 1_000_000) return 6
  if (value < 10_000_000) return 7
  return value < 100_000_000 ? 8 : 9
}
