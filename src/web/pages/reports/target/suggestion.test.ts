import { describe, expect, it } from 'vitest'
import type { TargetSheet } from '#shared/api/targets.ts'
import { suggestTarget } from './suggestion.ts'

const tab = (sheet_id: number, title: string, hidden = false) => ({
  sheet_id,
  title,
  hidden,
  rows: 1000,
  columns: 26,
})
const tabs = [tab(0, 'Notes'), tab(1, 'Data'), tab(2, 'More')]
const size = { rows: 10, columns: 3 }

/** What is on the first tab, and how far the others are filled. */
const sheetOf = (used: (number | null)[], more: Partial<TargetSheet> = {}): TargetSheet => ({
  sheet_id: 0,
  rows: 1000,
  columns: 26,
  tabs: used.map((used_columns, sheet_id) => ({ ...tab(sheet_id, ''), used_columns })),
  tables: [],
  own: null,
  named_ranges: [],
  protected_ranges: [],
  looked_at: [0, 0, 1000, 26],
  content: used[0] ? [[0, 0, 5, used[0]]] : [],
  ...more,
})
const suggested = (sheet: TargetSheet, start_cell = 'A1', of = tabs) =>
  suggestTarget(of, sheet, { size, start_cell })

describe('the suggested target', () => {
  it('is the first empty tab, from the cell that is set', () => {
    expect(suggested(sheetOf([0, 0, 0]))).toEqual({ sheet_name: 'Notes', start_cell: 'A1', isEmpty: true })
    expect(suggested(sheetOf([4, 0, 0]), 'c4')).toEqual({
      sheet_name: 'Data',
      start_cell: 'C4',
      isEmpty: true,
    })
    expect(suggested(sheetOf([4, 0, 0]), 'nonsense')?.start_cell).toBe('A1')
  })

  it('is no tab whose content is unknown, nor one that another report is going to write to', () => {
    const tables = [{ sheet_id: 2, rect: [0, 0, 5, 2] as const, kind: 'planned' as const, report: null }]
    expect(suggested(sheetOf([4, null, 0]))?.sheet_name).toBe('More')
    expect(
      suggested(sheetOf([4, 2, 0], { tables: tables.map(each => ({ ...each, rect: [0, 0, 5, 2] })) })),
    ).toEqual({
      sheet_name: 'Notes',
      start_cell: 'F1',
      isEmpty: false,
    })
  })

  it('is no hidden tab, and none with a half-width colon', () => {
    const of = [tab(0, 'Notes'), tab(1, 'Data', true), tab(2, 'a:b')]
    expect(suggested(sheetOf([4, 0, 0]), 'A1', of)).toMatchObject({ sheet_name: 'Notes', isEmpty: false })
  })

  it('is none where nothing is known to be free', () => {
    const wide = sheetOf([26, 3, 3], { columns: 60, looked_at: [0, 0, 500, 26] })
    expect(suggested(wide)).toBeNull()
    expect(
      suggestTarget(tabs, sheetOf([4, 3, 3]), { size: { rows: 2, columns: 0 }, start_cell: 'A1' }),
    ).toBeNull()
  })
})
