/** JSON as UTF-8, written by hand into a buffer that grows: no strings, no copies. */
export interface Output {
  bytes: Uint8Array
  /** The same bytes: four of them are written as fast as one. */
  view: DataView
  at: number
}

export function openOutput(length: number): Output {
  const bytes = new Uint8Array(length)
  return { bytes, view: new DataView(bytes.buffer), at: 0 }
}

/** Bytes that a number takes at most while it is written, but for sums beyond 2^53. */
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
  out.view = new DataView(bytes.buffer)
}

export function writeByte(out: Output, byte: number): void {
  out.bytes[out.at++] = byte
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

/** Each number below 10,000 as four bytes, with zeros before it; and how many digits it has. */
const DIGITS = new Uint32Array(10_000)
const WIDTHS = new Uint8Array(10_000)
for (let value = 0; value < 10_000; value++) {
  DIGITS[value] = Buffer.from(String(value).padStart(4, '0')).readUInt32LE()
  WIDTHS[value] = String(value).length
}

// These write from `at` on, where there is room for NUMBER_BYTES, and return the position behind.

/** A whole number up to 2^53. */
export function putWhole(view: DataView, at: number, value: number): number {
  if (value < 0) {
    view.setUint8(at, MINUS)
    return putWhole(view, at + 1, -value)
  }
  if (value < 10_000) return putLeading(view, at, value | 0)
  if (value < 100_000_000) {
    const whole = value | 0
    const high = (whole / 10_000) | 0
    return putFour(view, putLeading(view, at, high), whole - high * 10_000)
  }
  const high = Math.floor(value / 100_000_000)
  const low = (value - high * 100_000_000) | 0
  const middle = (low / 10_000) | 0
  return putFour(view, putFour(view, putWhole(view, at, high), middle), low - middle * 10_000)
}

/** Up to four digits; zeros at its beginning are shifted out, and those behind it written over. */
function putLeading(view: DataView, at: number, value: number): number {
  const width = WIDTHS[value] ?? 1
  view.setUint32(at, (DIGITS[value] ?? 0) >>> (32 - 8 * width), true)
  return at + width
}

function putFour(view: DataView, at: number, value: number): number {
  view.setUint32(at, DIGITS[value] ?? 0, true)
  return at + 4
}

/** Whole millionths up to 2^53 as a decimal number, exact and without zeros at its end. */
export function putMillionths(view: DataView, at: number, value: number): number {
  if (value < 0) {
    view.setUint8(at, MINUS)
    return putMillionths(view, at + 1, -value)
  }
  // A product is faster than a quotient, and may be off by one.
  let whole = Math.floor(value * 1e-6)
  let fraction = value - whole * 1_000_000
  if (fraction < 0 || fraction >= 1_000_000) {
    const step = fraction < 0 ? -1 : 1
    whole += step
    fraction -= step * 1_000_000
  }
  const end = putWhole(view, at, whole)
  if (fraction === 0) return end
  view.setUint8(end, POINT)
  const high = (fraction / 100) | 0
  let last = putFour(view, putFour(view, end + 1, high), (fraction - high * 100) * 100) - 1
  while (view.getUint8(last) === ZERO) last--
  return last + 1
}

/** Any finite number, as JSON.stringify writes it. */
export const putNumber = (view: DataView, at: number, value: number): number =>
  Number.isSafeInteger(value) ? putWhole(view, at, value) : putAscii(view, at, String(value))

/** Characters of ASCII, as they are; there is room for them. */
export function putAscii(view: DataView, at: number, text: string): number {
  const { length } = text
  for (let index = 0; index < length; index++) view.setUint8(at + index, text.charCodeAt(index))
  return at + length
}
