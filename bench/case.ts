/**
 * One row of a table in docs/performance.md: an operation of ours beside its floor. A suite exports `cases:
 * BenchCase[]`.
 */
export interface BenchCase {
  /** As quality figures are numbered: "P1". */
  id: string
  what: string
  /** Amounts of work, each ten times the one before where growth is to be measured. */
  sizes: readonly number[]
  unit: string
  /** The targets: the ratio to the floor, and megabytes. */
  reach: { ratio?: number; megabytes?: number }
  /** Sizes for which the figures are binding; all when left out. */
  binding?: readonly number[]
  prepare(size: number): Prepared | Promise<Prepared>
}

/** Both do the same work; a number that they return is the milliseconds that count, else the clock's. */
export interface Prepared {
  ours(): unknown
  floor(): unknown
  stop?(): unknown
}

/**
 * Figures that are no pair of ours and floor. A suite exports `tables: BenchTable[]`, beside or instead of
 * cases.
 */
export interface BenchTable {
  id: string
  what: string
  /** Floors are measured in here too; an object for each row, by column. */
  measure(): Promise<Record<string, string>[]>
}
