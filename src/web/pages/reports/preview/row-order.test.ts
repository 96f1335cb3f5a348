import { describe, expect, it } from 'vitest'
import { nextOrder, orderedRows } from './row-order.ts'

describe('looking at rows in another order', () => {
  const rows = [
    ['b', 2],
    ['a', ''],
    ['d', 10],
    ['c', 2],
  ]
  const names = (column: number, descending: boolean) =>
    orderedRows(rows, { column, descending }).map(({ cells, at }) => `${cells[0]}${at}`)

  it('has empty cells last, equal ones as they were, and each row with its own position', () => {
    expect(names(1, true)).toEqual(['d2', 'b0', 'c3', 'a1'])
    expect(names(1, false)).toEqual(['b0', 'c3', 'd2', 'a1'])
    expect(names(0, false)).toEqual(['a1', 'b0', 'c3', 'd2'])
    expect(orderedRows(rows, null).map(({ at }) => at)).toEqual([0, 1, 2, 3])
  })

  it('begins with the largest number or the first name, turns around, and ends', () => {
    const number = { kind: 'number', digits: 0 } as const
    const first = nextOrder(null, 1, number)
    expect(first).toEqual({ column: 1, descending: true })
    expect(nextOrder(first, 1, number)).toEqual({ column: 1, descending: false })
    expect(nextOrder(nextOrder(first, 1, number), 1, number)).toBeNull()
    expect(nextOrder(first, 0, { kind: 'text' })).toEqual({ column: 0, descending: false })
  })
})
