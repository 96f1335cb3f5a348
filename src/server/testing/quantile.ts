/** The smallest of the values that the given share of them does not exceed; 0 of none. */
export const percentile = (values: readonly number[], part: number): number =>
  sorted(values)[Math.ceil(values.length * part) - 1] ?? 0

/** The one in the middle, of two the larger; 0 of none. */
export const median = (values: readonly number[]): number => sorted(values)[values.length >> 1] ?? 0

const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other)
