import { describe, expect, it } from 'vitest'
import type { Rect } from '#shared/cell.ts'
import { growthFor, protectionOver, stripsOf } from './plan.ts'
import { SheetResponse } from './schema.ts'

const old = (rect: Rect, fmt: string | null) => ({ rect, fmt, head: '', note: null })

describe('the cells of the old table to clear', () => {
  it.each<[string, Rect, Rect, Rect[]]>([
    ['a wider and shorter one leaves the rows below', [0, 0, 101, 5], [0, 0, 51, 8], [[51, 0, 101, 5]]],
    ['a larger one leaves nothing', [0, 0, 10, 5], [0, 0, 20, 5], []],
    ['a narrower one leaves the columns beside', [0, 0, 10, 5], [0, 0, 10, 3], [[0, 3, 10, 5]]],
    ['one that has moved away leaves all', [0, 0, 3, 3], [5, 5, 9, 9], [[0, 0, 3, 3]]],
  ])('%s', (_, before, now, strips) => {
    expect(stripsOf(old(before, null), now, [])).toEqual(strips)
  })

  it('exclude what another report has written there', () => {
    expect(stripsOf(old([0, 0, 10, 2], null), [0, 0, 2, 2], [[4, 0, 6, 2]])).toEqual([
      [2, 0, 4, 2],
      [6, 0, 10, 2],
    ])
  })
})

describe('growth', () => {
  it('counts a new column over the whole length of the tab', () => {
    expect(growthFor({ rows: 100_000, columns: 26 }, [0, 0, 10, 27])).toEqual({
      rows: 0,
      columns: 1,
      cells: 100_000,
    })
    expect(growthFor({ rows: 1000, columns: 26 }, [0, 0, 1200, 30])).toEqual({
      rows: 200,
      columns: 4,
      cells: 1200 * 30 - 26_000,
    })
    expect(growthFor({ rows: 1000, columns: 26 }, [0, 0, 1000, 26]).cells).toBe(0)
  })
})

describe('protections', () => {
  const tab = (protection: object) => ({
    rows: 1000,
    columns: 26,
    sheet: SheetResponse.parse({
      properties: { sheetId: 0, title: 'T' },
      protectedRanges: [{ protectedRangeId: 7, ...protection }],
    }),
  })
  const range = { startRowIndex: 0, endRowIndex: 5, startColumnIndex: 0, endColumnIndex: 3 }

  it('block the ranges that they cover for everybody who is not on their list', () => {
    expect(protectionOver(tab({ range }), [4, 2, 9, 9])).toMatchObject({
      protected_range_id: 7,
      range: 'A1:C5',
    })
    expect(protectionOver(tab({ range }), [5, 0, 9, 9])).toBeNull()
    expect(protectionOver(tab({ range, requestingUserCanEdit: true }), [0, 0, 9, 9])).toBeNull()
    expect(protectionOver(tab({ range, warningOnly: true }), [0, 0, 9, 9])).toBeNull()
  })

  it('without a range cover the whole tab except for their exceptions', () => {
    expect(protectionOver(tab({ range: {} }), [900, 20, 2000, 30])).not.toBeNull()
    const open = { range: {}, unprotectedRanges: [{ startRowIndex: 10 }] }
    expect(protectionOver(tab(open), [10, 0, 2000, 5])).toBeNull()
    expect(protectionOver(tab(open), [9, 0, 20, 5])).not.toBeNull()
  })
})
