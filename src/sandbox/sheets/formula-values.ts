/** A calculated value; errors are values like any other. */
export type Result = null | number | string | boolean | { error: string }

/** An argument of a function: one value, or all values of a range. */
export type Argument = { value: Result } | { range: () => Iterable<Result> }

/** Thrown where a formula cannot be calculated further. */
export class FormulaError extends Error {}

/** The one value of an argument; a range of several is none. */
export function single(argument: Argument): Result {
  if ('range' in argument) throw new FormulaError('#VALUE!')
  if (typeof argument.value === 'object' && argument.value) throw new FormulaError(argument.value.error)
  return argument.value
}

export function asNumber(value: Result): number {
  if (typeof value === 'number') return value
  if (value === null) return 0
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  throw new FormulaError(typeof value === 'object' ? value.error : '#VALUE!')
}
