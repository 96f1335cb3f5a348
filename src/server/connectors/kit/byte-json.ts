// JSON as bytes, as far as its values have to be distinguished. What is skipped here is checked as strictly
// as JSON.parse does, and what is not certain is left to it.

/** The bytes are left to JSON.parse: they are none, or of a form that is read there. */
export class NotRecognised extends Error {}

/** Bytes, and the same for reading four of them at once. */
export interface ByteSource {
  bytes: Buffer
  view: DataView
}

export const sourceOf = (bytes: Buffer): ByteSource => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
})

export const QUOTE = 34
export const COMMA = 44
export const POINT = 46
export const ZERO = 48
export const NINE = 57
export const COLON = 58
export const OPEN_LIST = 91
export const BACKSLASH = 92
export const CLOSE_LIST = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125
export const SPACE = 32

/** The closing quotation mark of a text that begins at `from`, behind its opening one. */
export function stringEnd(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === undefined || byte < SPACE) throw new NotRecognised()
    at += byte === BACKSLASH ? 2 : 1
  }
}

export function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]; byte === 32 || byte === 10 || byte === 13 || byte === 9; byte = bytes[at])
    at += 1
  return at
}

/** The end of a value of whatever kind, without looking whether what is in it is JSON. */
export function valueEnd(bytes: Buffer, from: number): number {
  const first = bytes[from]
  if (first === QUOTE) return stringEnd(bytes, from + 1) + 1
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) return scalarEnd(bytes, from)
  let depth = 0
  for (let at = from; ; at += 1) {
    const byte = bytes[at]
    if (byte === undefined) throw new NotRecognised()
    if (byte === QUOTE) at = stringEnd(bytes, at + 1)
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1
    if (depth === 0) return at + 1
  }
}

function scalarEnd(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]; !isEnd(byte); byte = bytes[at]) at += 1
  if (at === from) throw new NotRecognised()
  return at
}

/** Whether a byte ends a number. */
export const isEnd = (byte: number | undefined) =>
  byte === undefined || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte <= SPACE

/** The value between two positions. */
export function valueIn(bytes: Buffer, from: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, end))
  } catch {
    throw new NotRecognised()
  }
}

/** The text between its quotation marks. */
export function textIn(bytes: Buffer, from: number, end: number): string {
  const text = bytes.toString('utf8', from, end)
  return text.includes('\\') ? String(valueIn(bytes, from - 1, end + 1)) : text
}
