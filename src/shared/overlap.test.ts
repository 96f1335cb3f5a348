import { describe, expect, it } from 'vitest'
import type { TargetSheet } from './api/targets.ts'
import { cellName, parseStartCell, type Cell } from './cell.ts'
import { overlapsAt, firstFreeCell, isBlocking, rectAt } from './overlap.ts'

const target = (more: Partial<TargetSheet> = {}): TargetSheet => ({
  sheet_id: 0,
  rows: 100,
  columns: 26,
  tabs: [],
  tables: [],
  own: null,
  named_ranges: [],
  protected_ranges: [],
  looked_at: [0, 0, 100, 26],
  content: [],
  ...more,
})
const cell = (name: string): Cell => {
  const parsed = parseStartCell(name)
  if (typeof parsed === 'string') throw new Error(name)
  return parsed
}
const size = { rows: 11, columns: 3 }
const table = (rect: [number, number, number, number], more = {}) => ({
  sheet_id: 0,
  rect,
  kind: 'written' as const,
  report: { id: 7, name: 'Other' },
  ...more,
})
const at = (name: string, of: TargetSheet) => overlapsAt(of, rectAt(cell(name), size))
const free = (name: string, of: TargetSheet) => {
  const found = firstFreeCell(of, cell(name), size)
  return found && cellName(found)
}

describe('what a table would overlap', () => {
  it('is nothing on an empty sheet, nor beside existing content', () => {
    expect(at('A1', target())).toEqual([])
    expect(at('A1', target({ content: [[0, 3, 50, 5]] }))).toEqual([])
    expect(at('A1', target({ content: [[11, 0, 50, 5]] }))).toEqual([])
  })

  it('is another report’s table, one of this sheet only', () => {
    const of = target({ tables: [table([5, 2, 20, 9]), table([0, 0, 9, 9], { sheet_id: 4 })] })
    expect(at('A1', of)).toEqual([
      { kind: 'table', report: { id: 7, name: 'Other' }, planned: false, rect: [5, 2, 20, 9] },
    ])
    expect(at('A1', of).every(isBlocking)).toBe(true)
  })

  it('is not the report’s own last table, but what somebody has written beside it', () => {
    const of = target({ own: [0, 0, 5, 3], content: [[0, 0, 7, 3]] })
    expect(at('A1', of)).toEqual([{ kind: 'content', cells: 6, rect: [5, 0, 7, 3] }])
    expect(isBlocking(at('A1', of)[0] ?? { kind: 'named', name: '', rect: [0, 0, 1, 1] })).toBe(false)
  })

  it('is protected and named ranges, the worst first', () => {
    const of = target({
      named_ranges: [{ name: 'Spend', rect: [2, 0, 4, 1] }],
      protected_ranges: [{ description: 'Do not touch', named_range: null, rect: [3, 2, 4, 3] }],
      content: [[2, 0, 4, 1]],
      tables: [table([8, 0, 9, 1], { kind: 'planned', report: null })],
    })
    expect(at('A1', of).map(({ kind }) => kind)).toEqual(['table', 'protected', 'content', 'named'])
  })

  it('is a protected named range once', () => {
    const of = target({
      named_ranges: [{ name: 'Spend', rect: [2, 0, 4, 1] }],
      protected_ranges: [{ description: '', named_range: 'Spend', rect: [2, 0, 4, 1] }],
    })
    expect(at('A1', of)).toEqual([
      { kind: 'protected', description: '', named_range: 'Spend', rect: [2, 0, 4, 1] },
    ])
  })
})

describe('the first free cell', () => {
  it('is the requested one when nothing is in the way', () => {
    expect(free('C4', target())).toBe('C4')
  })

  it('is to the right of tables, with a column between, since they grow downwards', () => {
    expect(free('A1', target({ tables: [table([0, 0, 11, 3])] }))).toBe('E1')
    expect(free('A20', target({ tables: [table([30, 0, 40, 3])] }))).toBe('E20')
    const two = target({ tables: [table([0, 0, 11, 3]), table([0, 5, 4, 8])] })
    expect(free('A1', two)).toBe('J1')
  })

  it('is below everything where nothing to the right is known to be free', () => {
    const of = target({ columns: 300, looked_at: [0, 0, 100, 100], content: [[0, 0, 4, 99]] })
    expect(free('A1', of)).toBe('A6')
  })

  it('is unknown outside of the part that was read', () => {
    const of = target({ rows: 5000, columns: 300, looked_at: [0, 0, 1000, 100], content: [[0, 0, 4, 99]] })
    expect(free('A1', of)).toBeNull()
  })
})
