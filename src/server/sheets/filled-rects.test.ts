import { describe, expect, it } from 'vitest'
import { filledRects } from './filled-rects.ts'

describe('the filled cells of a sheet', () => {
  it('are a few rectangles', () => {
    const rows = [['a', 'b', '', 'c'], ['d', 'e'], [], ['', 0, false]]
    expect(filledRects(rows, [10, 2, 20, 9])).toEqual([
      [10, 2, 12, 4],
      [10, 5, 11, 6],
      [13, 3, 14, 5],
    ])
    expect(filledRects([], [0, 0, 5, 5])).toEqual([])
  })

  it('are the widths of their rows when they are full of holes, and the whole range when they are more scattered still', () => {
    const filled = (row: number, at: number) => at === 0 || at === 39 || (at * 7 + row * 3) % 5 === 0
    const holes = Array.from({ length: 40 }, (_, row) =>
      Array.from({ length: 40 }, (__, at) => (filled(row, at) ? 1 : '')),
    )
    expect(filledRects(holes, [0, 0, 40, 40])).toEqual([[0, 0, 40, 40]])
    const stairs = Array.from({ length: 300 }, (_, row) => [...Array(row).fill(''), 1])
    expect(filledRects(stairs, [5, 5, 305, 305])).toEqual([[5, 5, 305, 305]])
  })
})
