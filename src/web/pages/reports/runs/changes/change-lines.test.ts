import { describe, expect, it } from 'vitest'
import { changeLines, differenceText } from './change-lines.ts'

const columns = [
  { title: 'Clicks', kind: 'number' as const, digits: 0 },
  { title: 'CTR', kind: 'percent' as const, digits: 2 },
  { title: 'Rank', kind: 'text' as const, digits: 0 },
]
const rows = { changed: 1, added: 0, removed: 0 }

describe('the lines of what changed', () => {
  it('are one for each metric that moved, and one for a day that is new or gone', () => {
    const lines = changeLines({
      columns,
      moved: [
        { kind: 'added', key: ['2026-11-05'], rows, cells: [{ column: 0, before: null, after: 5 }] },
        {
          kind: 'changed',
          key: ['2026-11-04', 'Sale'],
          rows,
          cells: [
            { column: 0, before: 10, after: 12 },
            { column: 1, before: 0.1, after: 0.125 },
          ],
        },
        { kind: 'changed', key: ['2026-11-03'], rows, cells: [] },
      ],
    })
    expect(lines.map(({ key, cell }) => [key, cell?.column.title ?? null])).toEqual([
      ['2026-11-05', null],
      ['2026-11-04 · Sale', 'Clicks'],
      ['2026-11-04 · Sale', 'CTR'],
      ['2026-11-03', null],
    ])
    expect(new Set(lines.map(({ id }) => id)).size).toBe(4)
  })

  it('say by how much, as the column is written', () => {
    const text = (column: number, before: number | string, after: number | string) =>
      differenceText({ column: columns[column] ?? columns[0], before, after } as never, 'en')
    expect(text(0, 1000, 1250)).toBe('+250 (+25%)')
    expect(text(0, 8, 6)).toBe('-2 (-25%)')
    expect(text(0, 0, 6)).toBe('+6')
    expect(text(1, 0.1, 0.125)).toBe('+2.50%')
    expect(text(0, '', 6)).toBeNull()
    expect(text(2, 'low', 'high')).toBeNull()
  })
})
