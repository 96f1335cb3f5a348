import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  canvasHeight,
  cellsInView,
  clampTop,
  columnAt,
  columnEdges,
  ROW_PX,
  toLogical,
  toPhysical,
} from './grid-window.ts'

const VIEW = 800

describe('the canvas', () => {
  it('is as high as the tab while browsers can draw it, and never higher than they can', () => {
    expect(canvasHeight(1000)).toBe(1000 * ROW_PX)
    expect(canvasHeight(10_000_000)).toBeLessThan(17_800_000)
  })

  it('reaches the first and the last row of every tab', () => {
    for (const rows of [1, 100, 625_000, 1_000_000, 10_000_000]) {
      const end = Math.max(0, canvasHeight(rows) - VIEW)
      expect(toLogical(0, rows, VIEW)).toBe(0)
      expect(toLogical(end, rows, VIEW)).toBeCloseTo(Math.max(0, rows * ROW_PX - VIEW), 3)
    }
  })

  it('goes there and back to within a pixel', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 10_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, part) => {
          const logical = part * (rows * ROW_PX - VIEW)
          expect(Math.abs(toLogical(toPhysical(logical, rows, VIEW), rows, VIEW) - logical)).toBeLessThan(1)
        },
      ),
    )
  })

  it('stops at both ends', () => {
    expect(clampTop(-5, 1000, VIEW)).toBe(0)
    expect(clampTop(1e9, 1000, VIEW)).toBe(1000 * ROW_PX - VIEW)
    expect(clampTop(50, 3, VIEW)).toBe(0)
  })
})

describe('columns', () => {
  const edges = columnEdges([50, 200], 4)

  it('have the usual width where none is known', () => {
    expect(Array.from(edges)).toEqual([0, 50, 250, 350, 450])
  })

  it.each([
    [0, 0],
    [49, 0],
    [50, 1],
    [249, 1],
    [449, 3],
    [9999, 3],
  ])('at %i pixels it is column %i', (x, column) => {
    expect(columnAt(edges, x)).toBe(column)
  })
})

describe('what is in view', () => {
  it('is a few rows more than can be seen, and never beyond the tab', () => {
    const edges = columnEdges([], 26)
    expect(cellsInView({ top: 0, left: 0, width: 250, height: 240 }, { rows: 1000, edges })).toEqual([
      0, 0, 14, 3,
    ])
    expect(
      cellsInView({ top: 995 * ROW_PX, left: 2550, width: 250, height: 240 }, { rows: 1000, edges }),
    ).toEqual([991, 25, 1000, 26])
  })

  it('lies in blocks', () => {
    expect(blocksOf([0, 0, 30, 10])).toEqual([{ row: 0, column: 0 }])
    expect(blocksOf([490, 45, 510, 55])).toEqual([
      { row: 0, column: 0 },
      { row: 0, column: 1 },
      { row: 1, column: 0 },
      { row: 1, column: 1 },
    ])
    expect(blocksOf([500, 0, 500, 10])).toEqual([])
  })
})
