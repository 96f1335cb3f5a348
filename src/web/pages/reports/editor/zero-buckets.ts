import { dimensions as allDimensions } from '#shared/channels/catalogue.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { Draft } from './draft.ts'
import { tableSize } from '#shared/table-size.ts'

/**
 * What filling with 0 costs: every combination of the other dimensions gets a row for each of so many days,
 * weeks or months. null: no time splits the rows, or the range is empty; then only empty cells are filled.
 */
export function zeroBuckets(
  { dimensions }: Pick<Draft, 'dimensions'>,
  range: DayRange | null,
): number | null {
  const times = dimensions.filter(dimension => allDimensions[dimension].kind === 'time')
  if (times.length === 0 || range === null) return null
  return tableSize({ dimensions: times, channels: [], arrangement: 'joined' }, range).rows
}
