import type { Sheet } from '#sandbox/sheets/book.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import type { Dimension } from '#sandbox/sheets/grid-range.ts'
import { growing } from '#sandbox/sheets/work.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { removeSpan } from './insert-delete.ts'

/**
 * Give a tab so many rows or columns: the missing ones are added at the end, superfluous ones deleted there.
 */
export function resize(
  work: Work,
  sheet: Sheet,
  { dimension, size }: { dimension: Dimension; size: number },
) {
  const rows = dimension === 'ROWS'
  const now = rows ? sheet.rows : sheet.columns
  const frozen = rows ? sheet.frozen_rows : sheet.frozen_columns
  if (size === now) return
  if (size < 1) throw invalid(`You can't delete all the ${rows ? 'rows' : 'columns'} on the sheet.`)
  if (size <= frozen) {
    throw invalid(`Sorry, it is not possible to delete all non-frozen ${rows ? 'rows' : 'columns'}.`)
  }
  if (size < now) removeSpan(work, sheet, { dimension, start: size, end: now })
  else growing(work, () => (rows ? (sheet.rows = size) : (sheet.columns = size)))
}
