import { types as standard, type CustomTypesConfig } from 'pg'

// The numbers of Postgres's own types, fixed in its catalogue.
const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082
const DATE_ARRAY = 1182

/**
 * How values arrive: bigint as a number (ours are counts and identities; one beyond 2^53 is an error, not a
 * near miss), date as 'yyyy-MM-dd' (a Date would be an instant in the zone of this process). The rest as pg
 * does it: timestamptz is a Date, numeric is text.
 */
export const types: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === INT8) return safeInteger
      if (oid === DATE) return asWritten
      if (oid === INT8_ARRAY)
        return (value: string) => textArray(value).map(item => item && safeInteger(item))
      if (oid === DATE_ARRAY) return textArray
    }
    return format === 'binary' ? standard.getTypeParser(oid, 'binary') : standard.getTypeParser(oid, 'text')
  },
}

const asWritten = (value: string) => value

function safeInteger(value: string) {
  const number = Number(value)
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${value} is beyond the integers that are exact here`)
  return number
}

// text[]; pg's types name only the scalar ones.
const TEXT_ARRAY: number = 1009
const textArray = (value: string): (string | null)[] => standard.getTypeParser(TEXT_ARRAY, 'text')(value)
