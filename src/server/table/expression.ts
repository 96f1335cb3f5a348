import { divide } from '#shared/metrics.ts'
import type { Operator } from '#shared/formula.ts'
import type { MeasureRatio } from './plan.ts'
import { exactCell, isWhole, NOTHING, scaleOf, type Sums } from './sums.ts'

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
 * The values of each expression, row by row, in units; not finite where one is empty: nothing to divide by, a
 * part that is unknown, or a row that none of its blocks has. Sums are added as whole millionths, so
 * differences of money are exact. What several expressions need is read once.
 */
export function valuesOf(expressions: readonly Expression[], rows: ExpressionRows): Float64Array[] {
  const leaves: Leaves = new Map()
  const columns = expressions.map(expression => openColumn(expression, rows, leaves))
  for (let from = 0; from < rows.count; from += BATCH) {
    const length = Math.min(BATCH, rows.count - from)
    for (const { read } of leaves.values()) read(from, length)
    for (const column of columns) column.fill(from, length)
  }
  return columns.map(({ values }) => values)
}

/** Rows at a time: their values stay in the processor's cache from one operation to the next. */
const BATCH = 1024
const MILLION = 1_000_000

/** Sums that expressions read, by what they are. */
type Leaves = Map<
  string,
  { power: number; values: Float64Array; read: (from: number, length: number) => void }
>

interface Column {
  values: Float64Array
  fill: (from: number, length: number) => void
}

function openColumn(expression: Expression, rows: ExpressionRows, leaves: Leaves): Column {
  const values = new Float64Array(rows.count)
  if (!isKnown(expression, rows)) return { values: values.fill(Number.NaN), fill: () => undefined }
  const groups = [...new Set(blocksIn(expression))].flatMap(block => rows.groups[block] ?? [])
  // Of several blocks one that has the row is enough; of a single one a missing row has no value anyway.
  const missing = groups.length > 1 ? 0 : Number.NaN
  const { power, evaluate } = compile(expression, { ...rows, missing, leaves })
  const by = MILLION ** power
  return {
    values,
    fill: (from, length) => {
      const result = evaluate(length)
      for (let row = 0; row < length; row++) values[from + row] = (result[row] ?? 0) / by
      if (groups.length > 1) clearMissing(values, { from, length, groups })
    },
  }
}

/** Whether all its blocks are there: a dropped one is unknown, not 0. */
export const isKnown = (expression: Expression, { groups, sums }: ExpressionRows): boolean =>
  blocksIn(expression).every(block => groups[block] && sums[block])

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

function clearMissing(
  values: Float64Array,
  { from, length, groups }: { from: number; length: number; groups: readonly Int32Array[] },
): void {
  for (let row = from; row < from + length; row++)
    if (groups.every(each => (each[row] ?? -1) < 0)) values[row] = Number.NaN
}

/** `missing`: what an additive metric counts as where its block lacks the row. */
type CompiledRows = ExpressionRows & { missing: number; leaves: Leaves }

/** The values of a batch, which count by a millionth to this power; they are the callee's own. */
interface Compiled {
  power: number
  /** Whether a value may be off by its last digit, unlike sums. */
  isRounded: boolean
  evaluate: (length: number) => Float64Array
}

function compile(expression: Expression, rows: CompiledRows): Compiled {
  switch (expression.kind) {
    case 'number': {
      const values = new Float64Array(BATCH).fill(expression.value)
      return { power: 0, isRounded: !Number.isInteger(expression.value), evaluate: () => values }
    }
    case 'measure':
    case 'ratio':
      return compileLeaf(expression, rows)
    case 'negative':
      return compileOperation('-', { left: zero, right: compile(expression.of, rows) })
    case 'operation':
      return compileOperation(expression.operator, {
        left: compile(expression.left, rows),
        right: compile(expression.right, rows),
      })
  }
}

const zeros = new Float64Array(BATCH)
const zero: Compiled = { power: 0, isRounded: false, evaluate: () => zeros }

type Leaf = Extract<Expression, { kind: 'measure' | 'ratio' }>

function compileLeaf(
  leaf: Leaf,
  { groups: allGroups, sums: allSums, missing, leaves }: CompiledRows,
): Compiled {
  const key = JSON.stringify([leaf, missing])
  const known = leaves.get(key)
  const isRounded = leaf.kind === 'ratio'
  if (known) return { power: known.power, isRounded, evaluate: () => known.values }
  const [groups, sums] = [allGroups[leaf.block], allSums[leaf.block]]
  const values = new Float64Array(BATCH).fill(Number.NaN)
  if (!groups || !sums) return { power: 0, isRounded, evaluate: () => values }
  const { power, read } =
    leaf.kind === 'ratio' ? { power: 0, read: ratioReader(leaf, sums) } : measureReader(leaf, sums, missing)
  leaves.set(key, {
    power,
    values,
    read: (from, length) => read(values, groups.subarray(from, from + length)),
  })
  return { power, isRounded, evaluate: () => values }
}

type Reader = (values: Float64Array, groups: Int32Array) => void

function measureReader(
  leaf: Extract<Leaf, { kind: 'measure' }>,
  sums: Sums,
  missing: number,
): { power: number; read: Reader } {
  const scale = scaleOf(sums, leaf.measure)
  const read = sumReader(leaf, sums, missing)
  if (scale !== 'fractions' || !isWhole(sums, leaf.measure)) return { power: scale === 'ones' ? 0 : 1, read }
  // Fractions that have added up to whole numbers count like those that came whole.
  const readWhole: Reader = (values, groups) => {
    read(values, groups)
    for (let row = 0; row < groups.length; row++) values[row] = (values[row] ?? Number.NaN) / MILLION
  }
  return { power: 0, read: readWhole }
}

function sumReader(
  { measure, is_additive }: Extract<Leaf, { kind: 'measure' }>,
  sums: Sums,
  missing: number,
): Reader {
  const { cells } = sums
  const width = sums.measures.length
  if (is_additive && sums.high[measure] === null)
    return (values, groups) => {
      for (let row = 0; row < groups.length; row++) {
        const group = groups[row] ?? -1
        // Adding 0 makes one of NOTHING, which is -0.
        values[row] = group < 0 ? missing : (cells[group * width + measure] ?? NOTHING) + 0
      }
    }
  const empty = is_additive ? 0 : Number.NaN
  return (values, groups) => {
    for (let row = 0; row < groups.length; row++) {
      const group = groups[row] ?? -1
      if (group < 0) values[row] = is_additive ? missing : Number.NaN
      else values[row] = Number(exactCell(sums, measure, group) ?? empty)
    }
  }
}

function ratioReader({ ratio }: Extract<Leaf, { kind: 'ratio' }>, sums: Sums): Reader {
  const scaled = scaledRatio(ratio, sums)
  return (values, groups) => {
    for (let row = 0; row < groups.length; row++) {
      const group = groups[row] ?? -1
      const numerator = group < 0 ? null : exactCell(sums, ratio.numerator, group)
      const denominator = group < 0 ? null : exactCell(sums, ratio.denominator, group)
      values[row] =
        numerator === null || denominator === null
          ? Number.NaN
          : divide(Number(numerator), Number(denominator), scaled)
    }
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

function compileOperation(
  operator: Operator,
  { left, right }: { left: Compiled; right: Compiled },
): Compiled {
  const out = new Float64Array(BATCH)
  const power = powerOf(operator, left.power, right.power)
  const combine = combineBy[operator]
  // Only what counts in the same unit can be added.
  const isSum = operator === '+' || operator === '-'
  const [one, other] = isSum ? [scaledTo(power, left), scaledTo(power, right)] : [left, right]
  const isRounded = left.isRounded || right.isRounded
  return {
    power,
    isRounded: isRounded || !isSum,
    evaluate: length => {
      const sides = { left: one.evaluate(length), right: other.evaluate(length), length }
      combine(out, sides)
      if (isSum && isRounded) clearNoise(out, sides)
      return out
    },
  }
}

/** What is left of equal numbers, as a part of them, when both were rounded on different ways. */
const NOISE = 2 ** -46

/** 0.3 - 0.1 * 3 is 0, and nothing is divided by it. */
function clearNoise(out: Float64Array, { left, length }: Sides): void {
  for (let row = 0; row < length; row++)
    if (Math.abs(out[row] ?? 0) < Math.abs(left[row] ?? 0) * NOISE) out[row] = 0
}

function powerOf(operator: Operator, left: number, right: number): number {
  if (operator === '*') return left + right
  return operator === '/' ? left - right : Math.max(left, right)
}

function scaledTo(power: number, side: Compiled): Compiled {
  if (side.power === power) return side
  const factor = new Float64Array(BATCH).fill(MILLION ** (power - side.power))
  const scaled = compileOperation('*', {
    left: { ...side, power: 0 },
    right: { power: 0, isRounded: false, evaluate: () => factor },
  })
  return { ...scaled, power }
}

interface Sides {
  left: Float64Array
  right: Float64Array
  length: number
}

const combineBy: Record<Operator, (out: Float64Array, sides: Sides) => void> = {
  '+': (out, { left, right, length }) => {
    for (let row = 0; row < length; row++) out[row] = (left[row] ?? 0) + (right[row] ?? 0)
  },
  '-': (out, { left, right, length }) => {
    for (let row = 0; row < length; row++) out[row] = (left[row] ?? 0) - (right[row] ?? 0)
  },
  '*': (out, { left, right, length }) => {
    for (let row = 0; row < length; row++) out[row] = (left[row] ?? 0) * (right[row] ?? 0)
  },
  '/': (out, { left, right, length }) => {
    for (let row = 0; row < length; row++) {
      const divisor = right[row] ?? 0
      out[row] = divisor === 0 ? Number.NaN : (left[row] ?? 0) / divisor
    }
  },
}
