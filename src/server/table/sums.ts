import type { Part } from './plan.ts'

/**
 * Exact sums of metrics, one row of `parts.length` cells for each group; -0 while nothing was said, since adding to -0
 * needs no question whether it is the first time and gives every number but itself.
 *
 * A cell counts in whole numbers: money in millionths, anything else in ones until the first fraction comes, from then on in millionths too.
 * So adding is exact and the order of rows does not matter. A sum beyond 2^53 spills over into `high`, in units of 2^52.
 */
export interface Sums {
  parts: readonly Part[]
  cells: Float64Array<ArrayBuffer>
  /** Per part: what the cells have to be divided by. */
  scales: number[]
  /** Per part, null until a sum is so large: multiples of 2^52 on top of the cell. */
  high: (Float64Array | null)[]
  capacity: number
}

/** What stands in a cell of which nothing was said. */
export const NOTHING = -0
const SAFE = Number.MAX_SAFE_INTEGER
const HIGH = 2 ** 52
const MILLION = 1_000_000

export const emptySums = (parts: readonly Part[]): Sums => ({
  parts,
  cells: new Float64Array(0),
  scales: parts.map(part => (part.kind === 'money' || part.kind === 'single_money' ? MILLION : 1)),
  high: parts.map(() => null),
  capacity: 0,
})

/** Makes room for so many groups. */
export function reserve(sums: Sums, count: number): void {
  if (count <= sums.capacity) return
  const capacity = Math.max(count, Math.ceil(sums.capacity * 1.5), 64)
  const { length } = sums.cells
  // Transferring frees the smaller buffer at once instead of at some collection to come.
  sums.cells = new Float64Array(sums.cells.buffer.transfer(capacity * sums.parts.length * 8))
  sums.cells.fill(NOTHING, length)
  sums.high = sums.high.map(high => high && resized(high, capacity))
  sums.capacity = capacity
}

/** Adds a column of a page; `groups` says where each row belongs. */
export function addColumn(sums: Sums, part: number, values: Float64Array, { groups, length }: Rows): void {
  const { kind } = sums.parts[part] ?? { kind: 'count' }
  if (kind === 'single' || kind === 'single_money') return setColumn(sums, part, values, { groups, length })
  if (scaleOf(sums, part) === 'fractions') return addEach(sums, part, values, { groups, length, from: 0 })
  const { cells } = sums
  const width = sums.parts.length
  for (let row = 0; row < length; row++) {
    const value = values[row] ?? Number.NaN
    const at = (groups[row] ?? 0) * width + part
    const after = (cells[at] ?? 0) + value
    // A sum of -0 would say nothing. Whatever is not whole or gets too large goes the exact way, and so does the rest.
    if (Math.abs(after) <= SAFE && Math.floor(value) === value) cells[at] = after === 0 ? 0 : after
    else if (!Number.isNaN(value)) return addEach(sums, part, values, { groups, length, from: row })
  }
}

function addEach(
  sums: Sums,
  part: number,
  values: Float64Array,
  { groups, length, from }: Rows & { from: number },
): void {
  for (let row = from; row < length; row++) {
    const value = values[row] ?? Number.NaN
    if (Number.isFinite(value)) addExactly(sums, part, groups[row] ?? 0, value)
  }
}

interface Rows {
  groups: Int32Array
  length: number
}

/** What cannot be summed is said once for a group; two different sayings leave the cell empty (an infinity) rather than wrong. */
function setColumn(sums: Sums, part: number, values: Float64Array, { groups, length }: Rows): void {
  const width = sums.parts.length
  for (let row = 0; row < length; row++) {
    const value = values[row] ?? Number.NaN
    if (Number.isFinite(value)) setCell(sums, (groups[row] ?? 0) * width + part, value)
  }
}

function setCell(sums: Sums, at: number, value: number): void {
  const before = sums.cells[at] ?? NOTHING
  sums.cells[at] = Object.is(before, NOTHING) || before === value ? value + 0 : Number.POSITIVE_INFINITY
}

function addExactly(sums: Sums, part: number, group: number, value: number): void {
  const is_money = sums.parts[part]?.kind === 'money'
  if (!is_money && sums.scales[part] === 1 && !Number.isInteger(value)) rescale(sums, part)
  if (is_money || sums.scales[part] === 1) return addWhole(sums, part, group, Math.round(value))
  // In three terms, because a million times a large number is not exact in one.
  const whole = Math.trunc(value)
  const low = whole % 2 ** 30
  addWhole(sums, part, group, (whole - low) * MILLION)
  addWhole(sums, part, group, low * MILLION)
  addWhole(sums, part, group, Math.round((value - whole) * MILLION))
}

/** Adds a whole number to a cell, spilling over where it gets too large. */
function addWhole(sums: Sums, part: number, group: number, value: number): void {
  const at = group * sums.parts.length + part
  const before = sums.cells[at] ?? NOTHING
  const after = before + (value + 0)
  if (Math.abs(after) <= SAFE) {
    sums.cells[at] = after
    return
  }
  const high = (sums.high[part] ??= new Float64Array(sums.capacity))
  const below = before % HIGH
  const added = value % HIGH
  sums.cells[at] = below + added + 0
  high[group] = (high[group] ?? 0) + (before - below) / HIGH + (value - added) / HIGH
}

/** From now on the column counts in millionths: what it has counted so far becomes a million times as much. */
function rescale(sums: Sums, part: number): void {
  const { cells, parts, capacity } = sums
  sums.scales[part] = MILLION
  for (let group = 0; group < capacity; group++) {
    const value = exactCell(sums, part, group)
    if (value === null) continue
    cells[group * parts.length + part] = 0
    if (sums.high[part]) sums.high[part][group] = 0
    if (typeof value === 'number' && Math.abs(value) <= SAFE / MILLION)
      addWhole(sums, part, group, value * MILLION)
    else addBig(sums, part, group, BigInt(value) * BigInt(MILLION))
  }
}

function addBig(sums: Sums, part: number, group: number, value: bigint): void {
  addWhole(sums, part, group, Number(value % BigInt(HIGH)))
  const high = (sums.high[part] ??= new Float64Array(sums.capacity))
  high[group] = (high[group] ?? 0) + Number(value / BigInt(HIGH))
}

/** Adds the cells of a group of one table to a group of another, as if their rows had been added there. */
export function addGroup(sums: Sums, group: number, from: Sums, other: number): void {
  const width = sums.parts.length
  for (let part = 0; part < width; part++) {
    const value = exactCell(from, part, other)
    if (value === null) continue
    const { kind } = sums.parts[part] ?? {}
    if (kind === 'single' || kind === 'single_money') setCell(sums, group * width + part, Number(value))
    else if (typeof value === 'number') addWhole(sums, part, group, value)
    else addBig(sums, part, group, value)
  }
}

/** Empty sums that count as another table does, ready for `addGroup`. */
export const sumsLike = (sums: Sums): Sums => ({ ...emptySums(sums.parts), scales: [...sums.scales] })

/** In what a column counts: ones, millionths of a currency unit, or millionths since a fraction came. */
export function scaleOf({ parts, scales }: Sums, part: number): 'ones' | 'money' | 'fractions' {
  const kind = parts[part]?.kind
  if (kind === 'money' || kind === 'single_money') return 'money'
  return scales[part] === 1 ? 'ones' : 'fractions'
}

/** A cell in units of its column's scale: null when empty, a bigint when a number would not be exact. */
export function exactCell(sums: Sums, part: number, group: number): number | bigint | null {
  const low = sums.cells[group * sums.parts.length + part] ?? NOTHING
  if (Object.is(low, NOTHING) || !Number.isFinite(low)) return null
  const high = sums.high[part]?.[group] ?? 0
  if (high === 0) return low
  const exact = BigInt(high) * BigInt(HIGH) + BigInt(low)
  return exact <= BigInt(SAFE) && exact >= -BigInt(SAFE) ? Number(exact) : exact
}

function resized(column: Float64Array, length: number): Float64Array {
  const larger = new Float64Array(length)
  larger.set(column)
  return larger
}
