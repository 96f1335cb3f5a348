import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rect } from './cell.ts'
import { cellsIn, covers, overlap, subtract, subtractAll } from './rect.ts'

describe('rectangles', () => {
  it('leaves the parts around a hole', () => {
    expect(subtract([0, 0, 100, 5], [0, 0, 50, 8])).toEqual([[50, 0, 100, 5]])
    expect(subtract([0, 0, 3, 3], [1, 1, 2, 2])).toEqual([
      [0, 0, 1, 3],
      [2, 0, 3, 3],
      [1, 0, 2, 1],
      [1, 2, 2, 3],
    ])
    expect(subtract([0, 0, 2, 2], [0, 0, 2, 2])).toEqual([])
    expect(subtract([0, 0, 2, 2], [5, 5, 6, 6])).toEqual([[0, 0, 2, 2]])
  })

  it('counts the same cells as a walk over all of them', () => {
    const side = fc.nat(8)
    const rect = fc.tuple(side, side, side, side).map(([r0, c0, h, w]): Rect => [r0, c0, r0 + h, c0 + w])
    fc.assert(
      fc.property(rect, fc.array(rect, { maxLength: 4 }), (whole, holes) => {
        const left = subtractAll(whole, holes)
        for (let r = 0; r < 18; r++) {
          for (let c = 0; c < 18; c++) {
            const expected = isIn(r, c, whole) && !holes.some(hole => isIn(r, c, hole))
            expect(left.filter(part => isIn(r, c, part)).length).toBe(expected ? 1 : 0)
          }
        }
        expect(left.every(part => cellsIn(part) > 0)).toBe(true)
        for (const hole of holes) {
          expect(covers(hole, whole)).toBe(subtractAll(whole, [hole]).length === 0)
          expect(overlap(hole, whole)).toBe(cellsLeft(whole, hole) < cellsIn(whole))
        }
      }),
    )
  })
})

const cellsLeft = (whole: Rect, hole: Rect) =>
  subtract(whole, hole).reduce((sum, part) => sum + cellsIn(part), 0)

const isIn = (r: number, c: number, [r0, c0, r1, c1]: Rect) => r >= r0 && r < r1 && c >= c0 && c < c1
