import { divide } from '#shared/metrics.ts'
import type { Operator } from '#shared/formula.ts'
import type { MeasureRatio } from './plan.ts'
import { exactCell, NOTHING, scaleOf, type Sums } from './sums.ts'

/** What a column works out of the sums of its row; plain data. */
export type Expression =
  | { kind: 'number'; value: number }
  /** A sum of a block. An additive one counts as 0 where the row's block has none. */
  | { kind: 'measure'; block: number; measure: number; is_additive: boolean }
  | { kind: 'ratio'; block: number; ratio: MeasureRatio }
  | { kind: 'negative'; of: Expression }
  | { kind: 'operation'; operator: Operator; left: Expression; right: Expression }

/** The sums of rows, block by block; null: the block has no part in them. */
export interface ExpressionRows {
  count: number
  groups: readonly (Int32Array | null)[]
  sums: readonly (Sums | null)[]
}

/**
 * The value of each row, in units; NaN where it is empty: nothing to divide by, a part that is unknown, or a
 * row that none of the blocks has. Sums are added as whole millionths, so differences of money are exact.
 */
export function valuesOf(expression: Expression, rows: ExpressionRows): Float64Array<ArrayBuffer> {
  const values = new Float64Array(rows.count)
  const blocks = [...new Set(blocksIn(expression))]
  const groups = blocks.flatMap(block => rows.groups[block] ?? [])
  // A dropped block is unknown, not 0.
  if (groups.length < blocks.length || blocks.some(block => !rows.sums[block])) return values.fill(Number.NaN)
  const { fill, power } = compile(expression, rows)
  for (let from = 0; from < rows.count; from += BATCH) {
    const part = values.subarray(from, from + BATCH)
    fill(from, part)
    finish(part, { from, power, groups })
  }
  return values
}

/** Rows at a time: their values stay in the processor's cache from one operation to the next. */
const BATCH = 2048
const MILLION = 1_000_000

function blocksIn(expression: Expression): number[] {
  switch (expression.kind) {
    case 'number':
      return []
    case 'measure':
    case 'ratio':
      return [expression.block]
    case 'negative':
      return blocksIn(expression.of)
    case 'operation':
      return [...blocksIn(expression.left), ...blocksIn(expression.right)]
  }
}

/** In units, and empty where no block has the row or the result is no number. */
function finish(
  part: Float64Array,
  { from, power, groups }: { from: number; power: number; groups: readonly Int32Array[] },
): void {
  const [only] = groups
  const scale = MILLION ** Math.abs(power)
  for (let row = 0; row < part.length; row++) {
    const value = part[row] ?? Number.NaN
    const isKnown =
      groups.length === 1
        ? (only?.[from + row] ?? -1) >= 0
        : groups.some(each => (each[from + row] ?? -1) >= 0)
    // Adding 0 leaves no negative zero, which would be printed with its sign.
    const inUnits = (power > 0 ? value / scale : value * scale) + 0
    part[row] = isKnown && inUnits - inUnits === 0 ? inUnits : Number.NaN
  }
}

/** Fills the values of some rows, which count by a millionth to this power. */
interface Compiled {
  power: number
  fill: (from: number, out: Float64Array) => void
}

function compile(expression: Expression, rows: ExpressionRows): Compiled {
  switch (expression.kind) {
    case 'number':
      return { power: 0, fill: (_, out) => void out.fill(expression.value) }
    case 'measure':
      return compileMeasure(expression, rows)
    case 'ratio':
      return compileRatio(expression, rows)
    case 'negative':
      return compileNegative(compile(expression.of, rows))
    case 'operation':
      return compileOperation(expression.operator, {
        left: compile(expression.left, rows),
        right: compile(expression.right, rows),
      })
  }
}

function compileMeasure(
  { block, measure, is_additive }: Extract<Expression, { kind: 'measure' }>,
  { groups: allGroups, sums: allSums }: ExpressionRows,
): Compiled {
  const [groups, sums] = [allGroups[block], allSums[block]]
  if (!groups || !sums) return nothing
  const power = scaleOf(sums, measure) === 'ones' ? 0 : 1
  const read = (row: number) => {
    const group = groups[row] ?? -1
    const value = group < 0 ? null : exactCell(sums, measure, group)
    return value === null ? (is_additive ? 0 : Number.NaN) : Number(value)
  }
  if (!is_additive || sums.high[measure] !== null)
    return {
      power,
      fill: (from, out) => {
        for (let row = 0; row < out.length; row++) out[row] = read(from + row)
      },
    }
  const { cells } = sums
  const width = sums.measures.length
  return {
    power,
    fill: (from, out) => {
      for (let row = 0; row < out.length; row++) {
        const group = groups[from + row] ?? -1
        // Adding 0 makes one of NOTHING, which is -0.
        out[row] = group < 0 ? 0 : (cells[group * width + measure] ?? NOTHING) + 0
      }
    },
  }
}

const nothing: Compiled = { power: 0, fill: (_, out) => void out.fill(Number.NaN) }

function compileRatio(
  { block, ratio }: Extract<Expression, { kind: 'ratio' }>,
  { groups: allGroups, sums: allSums }: ExpressionRows,
): Compiled {
  const [groups, sums] = [allGroups[block], allSums[block]]
  if (!groups || !sums) return nothing
  const scaled = scaledRatio(ratio, sums)
  return {
    power: 0,
    fill: (from, out) => {
      for (let row = 0; row < out.length; row++) {
        const group = groups[from + row] ?? -1
        const numerator = group < 0 ? null : exactCell(sums, ratio.numerator, group)
        const denominator = group < 0 ? null : exactCell(sums, ratio.denominator, group)
        out[row] =
          numerator === null || denominator === null
            ? Number.NaN
            : divide(Number(numerator), Number(denominator), scaled)
      }
    },
  }
}

/** Columns that count in millionths because of fractions take part in the division as such. */
export function scaledRatio(ratio: MeasureRatio, sums: Sums): MeasureRatio {
  const factor = (measure: number) => (scaleOf(sums, measure) === 'fractions' ? MILLION : 1)
  return {
    ...ratio,
    up: ratio.up * factor(ratio.denominator),
    down: ratio.down * factor(ratio.numerator),
  }
}

function compileNegative({ power, fill }: Compiled): Compiled {
  return {
    power,
    fill: (from, out) => {
      fill(from, out)
      for (let row = 0; row < out.length; row++) out[row] = -(out[row] ?? 0)
    },
  }
}

function compileOperation(
  operator: Operator,
  { left, right }: { left: Compiled; right: Compiled },
): Compiled {
  const other = new Float64Array(BATCH)
  const power = powerOf(operator, left.power, right.power)
  // Only what counts in the same unit can be added.
  const [upLeft, upRight] = [left, right].map(side =>
    operator === '+' || operator === '-' ? MILLION ** (power - side.power) : 1,
  )
  const combine = combineBy[operator]
  return {
    power,
    fill: (from, out) => {
      const second = other.subarray(0, out.length)
      left.fill(from, out)
      right.fill(from, second)
      combine(out, second, [upLeft ?? 1, upRight ?? 1])
    },
  }
}

function powerOf(operator: Operator, left: number, right: number): number {
  if (operator === '*') return left + right
  return operator === '/' ? left - right : Math.max(left, right)
}

type Combine = (out: Float64Array, other: Float64Array, ups: readonly [number, number]) => void

const combineBy: Record<Operator, Combine> = {
  '+': (out, other, [up, upOther]) => {
    for (let row = 0; row < out.length; row++) out[row] = (out[row] ?? 0) * up + (other[row] ?? 0) * upOther
  },
  '-': (out, other, [up, upOther]) => {
    for (let row = 0; row < out.length; row++) out[row] = (out[row] ?? 0) * up - (other[row] ?? 0) * upOther
  },
  '*': (out, other) => {
    for (let row = 0; row < out.length; row++) out[row] = (out[row] ?? 0) * (other[row] ?? 0)
  },
  '/': (out, other) => {
    for (let row = 0; row < out.length; row++) {
      const divisor = other[row] ?? 0
      out[row] = divisor === 0 ? Number.NaN : (out[row] ?? 0) / divisor
    }
  },
}
