import { refused } from './errors.ts'
import type { Parameters } from './parameters.ts'

const MOST = 100

interface Position {
  page: number
  size: number
  property: string
  direction: 'ASC' | 'DESC'
}

/** page (from 1), size and sort (`name,asc`). */
export function positionOf(parameters: Parameters, sortable: readonly string[], usualSize = MOST): Position {
  const page = parameters.whole('page', { usual: 1, most: 1_000_000 })
  const size = parameters.whole('size', { usual: usualSize, most: MOST })
  const [property = '', direction = 'asc', ...more] = (parameters.text('sort') ?? 'createdDate,desc').split(
    ',',
  )
  if (!sortable.includes(property) || !/^(asc|desc)$/i.test(direction) || more.length > 0) {
    throw refused('INVALID_VALUE', 'sort')
  }
  return { page, size, property, direction: direction.toUpperCase() === 'ASC' ? 'ASC' : 'DESC' }
}

/** One page of a list, ordered; the last page follows from page, size and the number of elements. */
export function pageOf<Item extends Record<string, unknown>>(
  items: readonly Item[],
  { page, size, property, direction }: Position,
) {
  const sign = direction === 'ASC' ? 1 : -1
  const sorted = items.toSorted((left, right) => sign * compared(left[property], right[property]))
  return {
    paging: { page, size, totalElements: items.length, sorts: [`${property},${direction}`] },
    datas: sorted.slice((page - 1) * size, page * size),
  }
}

function compared(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [one, other] = [String(left), String(right)]
  return one < other ? -1 : one > other ? 1 : 0
}
