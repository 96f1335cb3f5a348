/**
 * One row of a table in docs/performance.md: something of ours beside its floor. A suite exports `cases:
 * BenchCase[]`.
 */
export interface BenchCase {
  /** As quality figures are numbered: "P1". */
  id: string
  what: string
  /** Amounts of work, each ten times the one before where growth is to be seen. */
  sizes: readonly number[]
  unit: string
  /** The ratio to the floor and the megabytes that must be reached. */
  reach: { ratio?: number; megabytes?: number }
  /** Sizes for which the figures are binding; all when left out. */
  binding?: readonly number[]
  prepare(size: number): Prepared | Promise<Prepared>
}

/** Both do the same work; a number that they answer is the milliseconds that count, else the clock's. */
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
  /** Floors are measured in here too; a row a line, by column. */
  measure(): Promise<Record<string, string>[]>
}
