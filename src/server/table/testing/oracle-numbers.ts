import type { FormulaTree } from './formula-trees.ts'
import { moneySlice } from './oracle-days.ts'
import type { Fact, Measured, OracleMoney } from './oracle.ts'

/* The numbers of a row, as exact fractions of whole numbers. */

export interface Fraction {
  over: bigint
  /** Above 0. */
  under: bigint
  /** By how much the same steps in floating point may be off; Infinity: it cannot be told from 0. */
  doubt: number
}

/** What a row has of a block: its own facts, and those of the compared period. */
export interface Sides {
  now: Fact[]
  before: Fact[]
}
export type Side = keyof Sides

const MILLION = 1_000_000n
const whole = (over: bigint, under = 1n): Fraction => ({ over, under, doubt: 0 })
export const zero = whole(0n)

const quotients: Record<string, { over: Measured; under: Measured; times: bigint }> = {
  ctr: { over: 'clicks', under: 'impressions', times: 1n },
  cpc: { over: 'cost', under: 'clicks', times: 1n },
  cpm: { over: 'cost', under: 'impressions', times: 1000n },
  cvr: { over: 'conversions', under: 'clicks', times: 1n },
  cpa: { over: 'cost', under: 'conversions', times: 1n },
  roas: { over: 'value', under: 'cost', times: 1n },
}

/** What the metrics of a block mean. */
export interface BlockNumbers {
  formulas: Record<string, FormulaTree>
  /** Summed up in the place of conversions. */
  conversion: Measured[] | null
  /** Of what a platform says separately: money is rounded in each of its rows. */
  splitBy: (fact: Fact) => string
  money: OracleMoney
}

/** null: the cell is empty. */
export function valueOf(metric: string, row: Sides, { side, ...block }: BlockNumbers & { side: Side }) {
  const formula = block.formulas[metric]
  if (formula)
    return evaluate(formula, leaf => operand(leaf.metric, row, { side, ...block, isInRow: hasRow(row) }))
  return isSummed(metric, block)
    ? sumOf(metric, row[side], block)
    : quotientValue(metric, part => sumOf(part, row[side], block))
}

/** A quotient of sums. */
export function quotientValue(metric: string, sum: (part: Measured) => Fraction | null): Fraction | null {
  const quotient = quotients[metric]
  if (!quotient) return null
  const [over, under] = [sum(quotient.over), sum(quotient.under)]
  return over && under && divided(times(over, whole(quotient.times)), under)
}

export const hasRow = ({ now, before }: Sides) => now.length + before.length > 0
export const isSummed = (metric: string, { formulas }: Pick<BlockNumbers, 'formulas'>) =>
  !(metric in quotients) && !(metric in formulas)

/** What is summed counts as 0 where there is none of it, in rows that are there. */
export function operand(
  metric: string,
  row: Sides,
  { isInRow, ...block }: BlockNumbers & { side: Side; isInRow: boolean },
): Fraction | null {
  if (!isInRow) return null
  return valueOf(metric, row, block) ?? (isSummed(metric, block) ? zero : null)
}

export function evaluate(
  tree: FormulaTree,
  leafOf: (leaf: Extract<FormulaTree, { kind: 'metric' }>) => Fraction | null,
): Fraction | null {
  switch (tree.kind) {
    case 'number': {
      const [units = '', decimals = ''] = tree.text.split('.')
      const number = whole(BigInt(units + decimals.padEnd(6, '0')), MILLION)
      return /[1-9]/.test(decimals) ? rounded(number) : number
    }
    case 'metric':
      return leafOf(tree)
    case 'negative': {
      const of = evaluate(tree.of, leafOf)
      return of && { ...of, over: -of.over }
    }
    case 'operation': {
      const [left, right] = [evaluate(tree.left, leafOf), evaluate(tree.right, leafOf)]
      return left && right && operations[tree.sign](left, right)
    }
  }
}

const PRECISION = 2 ** -50
const NOISE = 2 ** -45
const size = (of: Fraction) => Math.abs(numberOf(of))
export const numberOf = ({ over, under }: Fraction) => Number(over) / Number(under)
const rounded = (of: Fraction): Fraction => ({ ...of, doubt: of.doubt + size(of) * PRECISION })

export function plus(one: Fraction, other: Fraction): Fraction {
  const over = one.over * other.under + other.over * one.under
  const lost = one.doubt + other.doubt
  // Whole numbers of millionths are added without loss; of others what is too little to matter is left out.
  const doubt = lost === 0 ? 0 : lost + (size(one) + size(other)) * NOISE
  return reduced({ over, under: one.under * other.under, doubt })
}

export function minus(one: Fraction, other: Fraction): Fraction {
  return plus(one, { ...other, over: -other.over })
}

export function times(one: Fraction, other: Fraction): Fraction {
  const doubt = one.doubt * (size(other) + other.doubt) + other.doubt * size(one)
  return rounded(reduced({ over: one.over * other.over, under: one.under * other.under, doubt }))
}

export function divided(one: Fraction, other: Fraction): Fraction | null {
  if (other.over === 0n) return null
  const sign = other.over < 0n ? -1n : 1n
  const result = reduced({
    over: one.over * other.under * sign,
    under: one.under * other.over * sign,
    doubt: 0,
  })
  const certain = size(other) - other.doubt
  if (!(certain > 0)) return { ...result, doubt: Infinity }
  return rounded({ ...result, doubt: (one.doubt + size(result) * other.doubt) / certain })
}

const operations = { '+': plus, '-': minus, '*': times, '/': divided }

function reduced({ over, under, doubt }: Fraction): Fraction {
  let [divisor, rest] = [over < 0n ? -over : over, under]
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest]
  return { over: over / divisor, under: under / divisor, doubt }
}

/** What is summed for a metric of the channel. */
export const partsOf = (metric: string): string[] => {
  const quotient = quotients[metric]
  return quotient ? [quotient.over, quotient.under] : [metric]
}

/** null when there is no value. */
function sumOf(metric: string, facts: Fact[], block: BlockNumbers): Fraction | null {
  if (metric === 'conversions' && block.conversion) {
    const counted = block.conversion.flatMap(of => totalOf(facts, of) ?? [])
    return counted.length === 0
      ? null
      : whole(
          counted.reduce((sum, each) => sum + each, 0n),
          MILLION,
        )
  }
  const { currency, charges } = moneyIn(metric, block.money)
  if (currency === null && !charges) return fractionOf(totalOf(facts, metric as Measured))
  const rows = Map.groupBy(facts, fact => block.splitBy(fact))
  const amounts = [...rows.values()].flatMap(row => {
    const amount = totalOf(row, charges ? 'cost' : (metric as Measured))
    const [first] = row
    return amount === null || !first ? [] : settled(amount, first, { charges, ...block })
  })
  return fractionOf(amounts.length === 0 ? null : amounts.reduce((sum, each) => sum + each, 0n))
}

const fractionOf = (millionths: bigint | null) => (millionths === null ? null : whole(millionths, MILLION))

export const isMoney = (metric: string) =>
  ['cost', 'value', 'conversion_value', 'client_cost'].includes(metric)
const moneyIn = (metric: string, { currency }: OracleMoney) => ({
  currency: isMoney(metric) ? currency : null,
  charges: metric === 'client_cost',
})

/** With its fee, then in the currency of the report; each to the millionth. */
function settled(
  amount: bigint,
  { account, day }: Fact,
  { charges, money }: { charges: boolean; money: OracleMoney },
): bigint {
  const month = day.slice(0, 7)
  let settledAmount = amount
  const fee = charges ? money.feeOf(account, month) : null
  if (fee) {
    const rate = BigInt(fee.rate)
    settledAmount += roundedHalf(amount * rate, fee.basis === 'within' ? 10_000n - rate : 10_000n)
  }
  if (money.currency === null || money.currency === account.currency) return settledAmount
  const [from, to] = [account.currency, money.currency].map(each => money.rateOf(month, each))
  return roundedHalf(settledAmount * scaled(from), scaled(to))
}

/** A rate with ten decimals, as a whole number. */
function scaled(rate: string | null | undefined): bigint {
  const [units = '', decimals = ''] = (rate ?? '0').split('.')
  return BigInt(units + decimals.padEnd(10, '0'))
}

/** Half away from zero. */
function roundedHalf(over: bigint, under: bigint): bigint {
  const [absolute, sign] = over < 0n ? [-over, -1n] : [over, 1n]
  const rest = absolute % under
  return sign * (absolute / under + (rest * 2n >= under ? 1n : 0n))
}

function totalOf(facts: Fact[], metric: Measured): bigint | null {
  const values = facts.flatMap(fact => fact.metrics[metric] ?? [])
  if (values.length === 0) return null
  const isAmount = isMoney(metric)
  return values.reduce((sum, value) => sum + BigInt(Math.round(isAmount ? value : value * 1_000_000)), 0n)
}

export const sliceOf = (fact: Fact, dimensions: Parameters<typeof moneySlice>[1]) =>
  moneySlice(fact.day, dimensions)
