/**
 * Copies a column to a larger one and frees it at once, not at a later garbage collection. Unlike a buffer
 * that is transferred, a new one takes no memory where it has not been written to: so columns grow to four
 * times their length, and little is copied.
 */
export function enlarge<Column extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  column: Column,
  larger: Column,
): Column {
  larger.set(column)
  column.buffer.transfer(0)
  return larger
}

export const GROWTH = 4
