import { describe, expect, it } from 'vitest'
import type { TargetSheet } from './api/targets.ts'
import { cellBudget } from './cell-budget.ts'

const tab = (sheet_id: number, rows: number, columns: number, used_columns: number | null = null) => ({
  sheet_id,
  title: `Tab ${sheet_id}`,
  rows,
  columns,
  used_columns,
})
const target = (more: Partial<TargetSheet> = {}): TargetSheet => ({
  sheet_id: 0,
  rows: 1000,
  columns: 26,
  tabs: [tab(0, 1000, 26), tab(1, 5000, 100)],
  tables: [],
  own: null,
  named_ranges: [],
  protected_ranges: [],
  looked_at: [0, 0, 500, 26],
  content: [],
  ...more,
})
const input = (rows: number, columns: number, more = {}) => ({
  start: { row: 0, column: 0 },
  size: { rows, columns },
  rows_without_zeros: null,
  is_by_time: false,
  ...more,
})

describe('the cells of a spreadsheet', () => {
  it('are those of the grids, filled or not', () => {
    expect(cellBudget(target(), input(100, 5))).toMatchObject({
      limit: 10_000_000,
      total: 1000 * 26 + 5000 * 100,
      growth: 0,
      tabs: [
        { title: 'Tab 1', cells: 500_000 },
        { title: 'Tab 0', cells: 26_000 },
      ],
    })
  })

  it('grow with a table in both directions at once: a new column is as long as the sheet', () => {
    const grown = cellBudget(target(), input(2000, 30, { start: { row: 10, column: 2 } }))
    expect(grown.growth).toBe(2010 * 32 - 1000 * 26)
  })

  it('count what other reports are still to write there', () => {
    const planned = {
      sheet_id: 1,
      rect: [0, 0, 9000, 100] as [number, number, number, number],
      kind: 'planned' as const,
      report: null,
    }
    expect(cellBudget(target({ tables: [planned] }), input(100, 5)).total).toBe(26_000 + 900_000)
    const written = { ...planned, kind: 'written' as const }
    expect(cellBudget(target({ tables: [written] }), input(100, 5)).total).toBe(526_000)
  })
})

describe('what would save cells', () => {
  it('is nothing where the grid is large enough anyway', () => {
    expect(cellBudget(target(), input(100, 5, { rows_without_zeros: 10, is_by_time: true })).savings).toEqual(
      [],
    )
  })

  it('is leaving out zeros and half the days, each for itself', () => {
    const { savings } = cellBudget(target(), input(5000, 26, { rows_without_zeros: 1500, is_by_time: true }))
    expect(savings).toEqual([
      { kind: 'no_zeros', cells: 3500 * 26 },
      { kind: 'half_range', cells: 2500 * 26 },
    ])
  })

  it('is trimming the columns that no table needs, on any sheet', () => {
    const tabs = [tab(0, 1000, 26, 2), tab(1, 5000, 100, 10)]
    const { savings } = cellBudget(target({ tabs }), input(100, 5))
    expect(savings).toEqual([
      { kind: 'trim_columns', title: 'Tab 1', columns: 90, cells: 450_000 },
      { kind: 'trim_columns', title: 'Tab 0', columns: 21, cells: 21_000 },
    ])
  })

  it('is trimming the rows of this sheet, if all of it was read', () => {
    const all = target({ looked_at: [0, 0, 1000, 26], content: [[0, 0, 40, 3]] })
    expect(cellBudget(all, input(100, 5)).savings).toEqual([
      { kind: 'trim_rows', title: 'Tab 0', rows: 900, cells: 900 * 26 },
    ])
  })
})
