// Platforms list what delivered nothing or leave it out as they please, by day as well as in total. In a
// table a row without activity is there at every grain or at none: connectors drop it, and `fill_zero` is the
// only padding.

/** Whether a number says that something was delivered; NaN, which the platform does not give, does not. */
export const isActivity = (value: number) => Math.abs(value) > 0

/**
 * Those of some rows with activity in any of the columns. These include what every delivery has, so that a
 * row does not depend on the requested metrics.
 */
export const activeRows = (rows: number[], columns: readonly Float64Array[]): number[] =>
  rows.filter(row => columns.some(column => isActivity(column[row] ?? 0)))
