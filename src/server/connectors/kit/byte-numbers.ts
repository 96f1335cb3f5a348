import {
  isEnd,
  NINE,
  NotRecognised,
  POINT,
  QUOTE,
  stringEnd,
  textIn,
  valueEnd,
  valueIn,
  ZERO,
} from './byte-json.ts'
import { JSON_NUMBER, PLAIN, type Column } from './row-grammar.ts'
import { UNREADABLE } from './rows.ts'

/**
 * Reads a number into its column, and returns where it ends. Plain digits are read in place, which gives what
 * their format would; any other form is parsed.
 */
export function readNumber(bytes: Buffer, start: number, column: Column): number {
  const { kind } = column
  let end = start
  let value = 0
  let byte = bytes[end] ?? 0
  while (byte >= ZERO && byte <= NINE) {
    value = value * 10 + (byte - ZERO)
    end += 1
    byte = bytes[end] ?? 0
  }
  let digits = end - start
  let decimals = 0
  if (byte === POINT && digits > 0) {
    const point = end
    end += 1
    byte = bytes[end] ?? 0
    while (byte >= ZERO && byte <= NINE) {
      value = value * 10 + (byte - ZERO)
      end += 1
      byte = bytes[end] ?? 0
    }
    decimals = end - point - 1
    digits = decimals === 0 ? 0 : digits + decimals
  }
  const isPlain = digits > 0 && digits <= SAFE_DIGITS
  if (kind === JSON_NUMBER) {
    const isWritten = digits > 0 && isEnd(byte) && (bytes[start] !== ZERO || digits - decimals === 1)
    if (!isWritten) return putParsed(bytes, start, column)
    const number = decimals === 0 ? value : value / power(decimals)
    put(column, column.parse(isPlain ? number : Number(bytes.toString('latin1', start, end))))
    return end
  }
  if (!isPlain || byte !== QUOTE) return putQuoted(bytes, start, column)
  if (kind === PLAIN) put(column, decimals === 0 ? value : value / power(decimals))
  else if (decimals <= MONEY_DECIMALS && digits - decimals <= MONEY_DIGITS)
    put(column, value * power(MONEY_DECIMALS - decimals))
  else return putQuoted(bytes, start, column)
  return end
}

/** Of so many digits each is exact as a number, and so is their quotient by a power of ten. */
const SAFE_DIGITS = 15
/** Before the point, so that millionths are exact, too. */
const MONEY_DIGITS = 9
const MONEY_DECIMALS = 6
const POWERS = Float64Array.from({ length: SAFE_DIGITS + 1 }, (_, exponent) => 10 ** exponent)
const power = (exponent: number) => POWERS[exponent] ?? Number.NaN

function put({ numbers, row }: Column, number: number): void {
  if (number === UNREADABLE) throw new NotRecognised()
  numbers[row] = number
}

function putParsed(bytes: Buffer, start: number, column: Column): number {
  const end = valueEnd(bytes, start)
  put(column, column.parse(valueIn(bytes, start, end)))
  return end
}

/** Anything in quotation marks, of which the opening one stands before. */
function putQuoted(bytes: Buffer, start: number, column: Column): number {
  const end = stringEnd(bytes, start)
  put(column, column.parse(textIn(bytes, start, end)))
  return end
}
