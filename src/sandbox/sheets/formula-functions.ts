import { asNumber, FormulaError, single } from './formula-values.ts'
import type { Argument, Result } from './formula-values.ts'

/** The functions that formulas may use. */
export const FUNCTIONS: Record<string, (args: Argument[]) => Result> = {
  SUM: args => numbers(args).reduce((sum, each) => sum + each, 0),
  AVERAGE(args) {
    const all = numbers(args)
    if (all.length === 0) throw new FormulaError('#DIV/0!')
    return all.reduce((sum, each) => sum + each, 0) / all.length
  },
  COUNT: args => all(args).filter(each => typeof each === 'number').length,
  COUNTA: args => all(args).filter(each => each !== null).length,
  MIN: args => numbers(args).reduce((least, each, i) => (i === 0 || each < least ? each : least), 0),
  MAX: args => numbers(args).reduce((most, each, i) => (i === 0 || each > most ? each : most), 0),
  IF([condition, yes, no]) {
    if (!condition || !yes) throw new FormulaError('#N/A')
    const chosen = asNumber(single(condition)) === 0 ? no : yes
    return chosen ? single(chosen) : false
  },
}

const all = (args: Argument[]): Result[] =>
  args.flatMap(each => ('range' in each ? [...each.range()] : [each.value]))

/** Numbers among the arguments: of ranges only numbers count, single values must be numbers. */
function numbers(args: Argument[]): number[] {
  return args.flatMap(argument => {
    if (!('range' in argument)) return [asNumber(single(argument))]
    return [...argument.range()].flatMap(value => {
      if (typeof value === 'object' && value) throw new FormulaError(value.error)
      return typeof value === 'number' ? [value] : []
    })
  })
}
