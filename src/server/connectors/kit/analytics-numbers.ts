import { decimal, millionths } from './decimals.ts'
import { orUnreadable, type NumberFormat } from './rows.ts'

// Numbers as Google Analytics writes them, of both kinds: every one is a text, and none is left out.

const parsedBy = (parse: (text: unknown) => number) => (text: unknown) => {
  const value = parse(text)
  return Number.isNaN(value) ? orUnreadable(parse(withoutExponent(text))) : value
}

export const count: NumberFormat = { written: 'text', isRequired: true, parse: parsedBy(decimal) }
export const money: NumberFormat = { written: 'money', isRequired: true, parse: parsedBy(millionths) }

/**
 * 1.25E7 → 12500000: how a very large or small float may be written; its digits are moved, so that none is
 * rounded.
 */
function withoutExponent(text: unknown): unknown {
  const [, minus = '', whole = '', fraction = '', exponent = ''] =
    typeof text === 'string' ? (/^(-?)(\d+)(?:\.(\d+))?E([+-]?\d{1,2})$/i.exec(text) ?? []) : []
  if (exponent === '') return undefined
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction).padEnd(point, '0')
  if (point <= 0) return `${minus}0.${'0'.repeat(-point)}${digits}`
  const rest = digits.slice(point)
  return `${minus}${digits.slice(0, point)}${rest === '' ? '' : `.${rest}`}`
}
