import { enlarge, GROWTH } from './enlarge.ts'
import type { Measure } from './plan.ts'

/**
 * Exact sums of metrics, one row of `measures.length` cells for each group; -0 while there is no value, since
 * adding to -0 needs no check for the first time and gives every number but itself.
 *
 * A cell counts in whole numbers: money in millionths, anything else in ones until the first fraction, from
 * then on in millionths too. So adding is exact and the order of rows does not matter. A sum beyond 2^53
 * overflows into `high`, in units of 2^52.
 */
export interface Sums {
  measures: readonly Measure[]
  cells: Float64Array<ArrayBuffer>
  /** Per measure: the divisor of the cells. */
  scales: number[]
  /** Per measure, null until a sum is so large: multiples of 2^52 on top of the cell. */
  high: (Float64Array<ArrayBuffer> | null)[]
  /** Groups that there are, and for how many there is space. */
  count: number
  capacity: number
}

/** The content of a cell without a value. */
export const NOTHING = -0

/** Whether a cell has no value, or one that is not known. */
export const isEmptyCell = (cell: number): boolean => Object.is(cell, NOTHING) || !Number.isFinite(cell)
const SAFE = Number.MAX_SAFE_INTEGER
const HIGH = 2 ** 52
const ROUNDING = 1.5 * HIGH
const MILLION = 1_000_000
/** A million times a whole number below this is exact, with millionths added. */
const EXACT = 2 ** 30

export const emptySums = (measures: readonly Measure[]): Sums => ({
  measures,
  cells: new Float64Array(0),
  scales: measures.map(measure =>
    measure.kind === 'money' || measure.kind === 'single_money' ? MILLION : 1,
  ),
  high: measures.map(() => null),
  count: 0,
  capacity: 0,
})

/** From now on there are so many groups, the new ones without values. */
export function extend(sums: Sums, count: number): void {
  if (count <= sums.count) return
  const width = sums.measures.length
  if (count > sums.capacity) {
    const capacity = Math.max(count, sums.capacity * GROWTH, 64)
    sums.cells = enlarge(sums.cells, new Float64Array(capacity * width))
    sums.high = sums.high.map(high => high && enlarge(high, new Float64Array(capacity)))
    sums.capacity = capacity
  }
  sums.cells.fill(NOTHING, sums.count * width, count * width)
  sums.count = count
}

/** Adds a column of a page; `groups` has the group of each row. */
export function addColumn(sums: Sums, measure: number, values: Float64Array, { groups, length }: Rows): void {
  const { kind } = sums.measures[measure] ?? { kind: 'count' }
  if (kind === 'single' || kind === 'single_money')
    return setColumn(sums, measure, values, { groups, length })
  if (scaleOf(sums, measure) === 'fractions')
    return addEach(sums, measure, values, { groups, length, from: 0 })
  let row = addWholes(sums, measure, values, { groups, length, from: 0 })
  for (; row < length; row = addWholes(sums, measure, values, { groups, length, from: row + 1 }))
    if (!Number.isNaN(values[row])) return addEach(sums, measure, values, { groups, length, from: row })
}

/**
 * Up to the first that is empty, not whole, or makes a sum too large; returns its row. The loop must stay
 * this short: it takes half as long again as soon as it may go on after an empty value.
 */
function addWholes(
  sums: Sums,
  measure: number,
  values: Float64Array,
  { groups, length, from }: Rows & { from: number },
): number {
  const { cells } = sums
  const width = sums.measures.length
  for (let row = from; row < length; row++) {
    const value = values[row] ?? Number.NaN
    const at = (groups[row] ?? 0) * width + measure
    // Beyond ROUNDING there are only whole numbers: a fraction is rounded away, and -0, a cell without a
    // value, becomes 0.
    const whole = value + ROUNDING - ROUNDING
    const after = (cells[at] ?? 0) + whole
    if (whole !== value || after > SAFE || after < -SAFE) return row
    cells[at] = after
  }
  return length
}

function addEach(
  sums: Sums,
  measure: number,
  values: Float64Array,
  { groups, length, from }: Rows & { from: number },
): void {
  const { cells } = sums
  const width = sums.measures.length
  for (let row = from; row < length; row++) {
    const value = values[row] ?? Number.NaN
    if (!Number.isFinite(value)) continue
    const at = (groups[row] ?? 0) * width + measure
    const whole = Math.trunc(value)
    const after = (cells[at] ?? 0) + whole * MILLION + Math.round((value - whole) * MILLION)
    const isExact = Math.abs(whole) < EXACT && Math.abs(after) <= SAFE
    if (isExact && scaleOf(sums, measure) === 'fractions') cells[at] = after === 0 ? 0 : after
    else addExactly(sums, measure, groups[row] ?? 0, value)
  }
}

interface Rows {
  groups: Int32Array
  length: number
}

/**
 * What cannot be summed occurs once for a group; two different values leave the cell empty (an infinity)
 * rather than wrong.
 */
function setColumn(sums: Sums, measure: number, values: Float64Array, { groups, length }: Rows): void {
  const width = sums.measures.length
  for (let row = 0; row < length; row++) {
    const value = values[row] ?? Number.NaN
    if (Number.isFinite(value)) setCell(sums, (groups[row] ?? 0) * width + measure, value)
  }
}

function setCell(sums: Sums, at: number, value: number): void {
  const before = sums.cells[at] ?? NOTHING
  sums.cells[at] = Object.is(before, NOTHING) || before === value ? value + 0 : Number.POSITIVE_INFINITY
}

function addExactly(sums: Sums, measure: number, group: number, value: number): void {
  const isMoney = sums.measures[measure]?.kind === 'money'
  if (!isMoney && sums.scales[measure] === 1 && !Number.isInteger(value)) rescale(sums, measure)
  if (isMoney || sums.scales[measure] === 1) return addWhole(sums, measure, group, Math.round(value))
  // In three terms, because a million times a large number is not exact in one.
  const whole = Math.trunc(value)
  const low = whole % EXACT
  addWhole(sums, measure, group, (whole - low) * MILLION)
  addWhole(sums, measure, group, low * MILLION)
  addWhole(sums, measure, group, Math.round((value - whole) * MILLION))
}

/** Adds a whole number to a cell, with overflow where it gets too large. */
function addWhole(sums: Sums, measure: number, group: number, value: number): void {
  const at = group * sums.measures.length + measure
  const before = sums.cells[at] ?? NOTHING
  const after = before + (value + 0)
  if (Math.abs(after) <= SAFE) {
    sums.cells[at] = after
    return
  }
  const high = (sums.high[measure] ??= new Float64Array(sums.capacity))
  const below = before % HIGH
  const added = value % HIGH
  sums.cells[at] = below + added + 0
  high[group] = (high[group] ?? 0) + (before - below) / HIGH + (value - added) / HIGH
}

/** From now on the column counts in millionths: its cells are multiplied by a million. */
function rescale(sums: Sums, measure: number): void {
  const { cells, measures, count } = sums
  sums.scales[measure] = MILLION
  for (let group = 0; group < count; group++) {
    const value = exactCell(sums, measure, group)
    if (value === null) continue
    cells[group * measures.length + measure] = 0
    if (sums.high[measure]) sums.high[measure][group] = 0
    if (typeof value === 'number' && Math.abs(value) <= SAFE / MILLION)
      addWhole(sums, measure, group, value * MILLION)
    else addBig(sums, measure, group, BigInt(value) * BigInt(MILLION))
  }
}

function addBig(sums: Sums, measure: number, group: number, value: bigint): void {
  addWhole(sums, measure, group, Number(value % BigInt(HIGH)))
  const high = (sums.high[measure] ??= new Float64Array(sums.capacity))
  high[group] = (high[group] ?? 0) + Number(value / BigInt(HIGH))
}

/** Adds the cells of a group of one table to a group of another, as if their rows had been added there. */
export function addGroup(sums: Sums, group: number, from: Sums, other: number): void {
  const width = sums.measures.length
  for (let measure = 0; measure < width; measure++) {
    const value = exactCell(from, measure, other)
    if (value === null) continue
    const { kind } = sums.measures[measure] ?? {}
    if (kind === 'single' || kind === 'single_money') setCell(sums, group * width + measure, Number(value))
    else if (typeof value === 'number') addWhole(sums, measure, group, value)
    else addBig(sums, measure, group, value)
  }
}

/** Empty sums with the scales of another table, ready for `addGroup`. */
export const sumsLike = (sums: Sums): Sums => ({ ...emptySums(sums.measures), scales: [...sums.scales] })

/** The unit of a column: ones, millionths of a currency unit, or millionths since a fraction came. */
export function scaleOf({ measures, scales }: Sums, measure: number): 'ones' | 'money' | 'fractions' {
  const kind = measures[measure]?.kind
  if (kind === 'money' || kind === 'single_money') return 'money'
  return scales[measure] === 1 ? 'ones' : 'fractions'
}

/** Whether each sum of a column that counts in millionths is a whole number again. */
export function isWhole(sums: Sums, measure: number): boolean {
  if (sums.high[measure]) return false
  const { cells, count } = sums
  const width = sums.measures.length
  for (let at = measure; at < count * width; at += width) if ((cells[at] ?? 0) % MILLION !== 0) return false
  return true
}

/** How many millionths a column counts by, so that columns of different scales can be compared. */
export const millionthsOf = (sums: Sums, measure: number): number =>
  scaleOf(sums, measure) === 'ones' ? MILLION : 1

/** A cell in units of its column's scale: null when empty, a bigint when a number would not be exact. */
export function exactCell(sums: Sums, measure: number, group: number): number | bigint | null {
  const low = sums.cells[group * sums.measures.length + measure] ?? NOTHING
  if (isEmptyCell(low)) return null
  const high = sums.high[measure]?.[group] ?? 0
  if (high === 0) return low
  const exact = BigInt(high) * BigInt(HIGH) + BigInt(low)
  return exact <= BigInt(SAFE) && exact >= -BigInt(SAFE) ? Number(exact) : exact
}
