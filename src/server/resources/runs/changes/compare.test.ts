import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTables, OutOfOrder, type Layout, type Row } from './compare.ts'
import { MOST_GROUPS } from './group-changes.ts'

const settings = { numRuns: process.env['LONG'] ? 3000 : 300 }
const names = ['Sale', 'sale', '廣告', '😀', '\ufffd', '']
const labels = ['Meta ads', 'A', 'LINE']

/** day, name, a sum, a ratio */
const rowOf = fc.tuple(
  fc.integer({ min: 46_000, max: 46_006 }),
  fc.constantFrom(...names),
  fc.oneof(
    fc.constant(''),
    fc.integer({ min: -3_000_000, max: 3_000_000 }).map(value => value / 1_000_000),
  ),
  fc.oneof(fc.constant(''), fc.constantFrom(0.5, 1.25, 3)),
)
const byCode = (one: Row, other: Row) =>
  Number(one[0]) - Number(other[0]) ||
  Buffer.compare(Buffer.from(String(one[1])), Buffer.from(String(other[1])))
const tableOf = fc.array(rowOf, { maxLength: 40 }).map(rows => rows.toSorted(byCode))

const byDay: Layout = {
  keys: 2,
  labels: null,
  time: 0,
  is_single: false,
  columns: [
    { before: 2, after: 2, is_additive: true },
    { before: 3, after: 3, is_additive: false },
  ],
}
const byRow: Layout = { ...byDay, time: null }

/** In batches of any size, empty ones among them. */
async function* batches(rows: readonly Row[], size: number) {
  for (let at = 0; at < rows.length; at += size) {
    yield rows.slice(at, at + size)
    yield []
  }
}
const compare = (before: readonly Row[], after: readonly Row[], layout: Layout, size = 3) =>
  compareTables(batches(before, size), batches(after, size + 1), layout)

/** The same in the obvious way: by name, the first with the first, the second with the second. */
function oracle(before: readonly Row[], after: readonly Row[]) {
  const keyOf = (row: Row) => JSON.stringify(row.slice(0, 2))
  const keys = [...new Set([...before, ...after].map(keyOf))]
  const pairs = keys.flatMap(key => {
    const [olds, news] = [before, after].map(rows => rows.filter(row => keyOf(row) === key))
    return Array.from({ length: Math.max(olds?.length ?? 0, news?.length ?? 0) }, (_, at) => ({
      was: olds?.[at] ?? null,
      is: news?.[at] ?? null,
    }))
  })
  const kind = ({ was, is }: (typeof pairs)[number]) =>
    !was ? 'added' : !is ? 'removed' : JSON.stringify(was) === JSON.stringify(is) ? 'same' : 'changed'
  return { same: 0, changed: 0, added: 0, removed: 0, ...countsOf(pairs.map(kind)) }
}
const countsOf = (kinds: string[]) =>
  Object.fromEntries(
    Map.groupBy(kinds, kind => kind)
      .entries()
      .map(([kind, all]) => [kind, all.length]),
  )

const sumOn = (rows: readonly Row[], day: unknown) =>
  rows
    .filter(row => row[0] === day && row[2] !== '')
    .reduce((sum, row) => sum + BigInt(Math.round(Number(row[2]) * 1e6)), 0n)

describe('the comparison of two tables', () => {
  it('counts as the obvious way does, whatever the batches', async () => {
    await fc.assert(
      fc.asyncProperty(tableOf, tableOf, fc.integer({ min: 1, max: 9 }), async (before, after, size) => {
        expect((await compare(before, after, byRow, size)).rows).toEqual(oracle(before, after))
        expect((await compare(before, after, byDay, size)).rows).toEqual(oracle(before, after))
      }),
      settings,
    )
  })

  it('finds nothing between a table and itself, and the opposite in reverse', async () => {
    await fc.assert(
      fc.asyncProperty(tableOf, tableOf, async (before, after) => {
        expect(await compare(before, before, byDay)).toMatchObject({ count: 0, moved: [] })
        const [there, back] = [await compare(before, after, byRow), await compare(after, before, byRow)]
        expect(back.rows).toEqual({ ...there.rows, added: there.rows.removed, removed: there.rows.added })
        const turned = { added: 'removed', removed: 'added', changed: 'changed' } as const
        expect(back.moved).toEqual(
          there.moved.map(({ kind, key, rows, cells }) => ({
            kind: turned[kind],
            key,
            rows: { changed: rows.changed, added: rows.removed, removed: rows.added },
            cells: cells.map(cell => ({ column: cell.column, before: cell.after, after: cell.before })),
          })),
        )
      }),
      settings,
    )
  })

  it('returns by how much each day changed, exactly', async () => {
    await fc.assert(
      fc.asyncProperty(tableOf, tableOf, async (before, after) => {
        const { moved, count } = await compare(before, after, byDay)
        expect(count).toBe(moved.length)
        expect(moved.map(({ key }) => Number(key[0]))).toEqual(
          moved.map(({ key }) => Number(key[0])).toSorted((one, other) => other - one),
        )
        for (const { key, cells } of moved) {
          expect(cells.every(({ column }) => column === 0)).toBe(true)
          const [cell] = cells
          const micro = (value: unknown) => BigInt(Math.round(Number(value ?? 0) * 1e6))
          const moved_by = sumOn(after, key[0]) - sumOn(before, key[0])
          expect(cell ? micro(cell.after) - micro(cell.before) : 0n).toBe(moved_by)
        }
        const days = [...new Set([...before, ...after].map(([at]) => at))]
        const shifted = days.filter(day => sumOn(before, day) !== sumOn(after, day))
        expect(moved.map(({ key }) => key[0])).toEqual(expect.arrayContaining(shifted))
      }),
      settings,
    )
  })

  it('returns every metric of a day that is one row, ratios too', async () => {
    const layout: Layout = {
      keys: 1,
      labels: null,
      time: 0,
      is_single: true,
      columns: [
        { before: 1, after: 2, is_additive: true },
        { before: 2, after: 1, is_additive: false },
      ],
    }
    const before = [
      [46_000, 10, 0.5],
      [46_001, 20, ''],
    ]
    const after = [
      [46_000, 0.5, 10],
      [46_001, 0.25, 21],
      [46_002, 1, 5],
    ]
    expect(await compare(before, after, layout)).toEqual({
      rows: { same: 1, changed: 1, added: 1, removed: 0 },
      count: 2,
      moved: [
        {
          kind: 'added',
          key: [46_002],
          rows: { changed: 0, added: 1, removed: 0 },
          cells: [
            { column: 0, before: null, after: 5 },
            { column: 1, before: null, after: 1 },
          ],
        },
        {
          kind: 'changed',
          key: [46_001],
          rows: { changed: 1, added: 0, removed: 0 },
          cells: [
            { column: 0, before: 20, after: 21 },
            { column: 1, before: '', after: 0.25 },
          ],
        },
      ],
    })
  })

  it('compares a stacked table by its channels, which have an order of their own', async () => {
    const layout: Layout = {
      keys: 2,
      labels,
      time: 1,
      is_single: false,
      columns: [{ before: 2, after: 2, is_additive: true }],
    }
    const rows = labels.flatMap((label, at) => [
      [label, 46_000, at],
      [label, 46_001, at],
    ])
    const after = rows.map(([label, day, value]) => [
      label ?? '',
      day ?? '',
      day === 46_001 ? 7 : (value ?? ''),
    ])
    expect(await compare(rows as Row[], after, layout)).toMatchObject({
      rows: { same: 3, changed: 3 },
      moved: [{ key: [46_001], cells: [{ before: 3, after: 21 }] }],
    })
  })

  it('refuses unsorted rows instead of returning nonsense', async () => {
    const rows = [
      [46_001, 'a', 1, ''],
      [46_000, 'a', 1, ''],
    ]
    await expect(compare(rows, [], byRow, 1)).rejects.toThrow(OutOfOrder)
    await expect(compare([], rows, byDay, 2)).rejects.toThrow(OutOfOrder)
  })

  it('lists the first rows one by one and counts the rest', async () => {
    const rows = Array.from({ length: MOST_GROUPS + 20 }, (_, at): Row => [
      46_000,
      String(at + 10_000),
      1,
      '',
    ])
    const { moved, count } = await compare([], rows, byRow, 100)
    expect([moved.length, count]).toEqual([MOST_GROUPS, MOST_GROUPS + 20])
  })
})
