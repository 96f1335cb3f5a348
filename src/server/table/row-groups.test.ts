import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupRows, openRowGroups } from './row-groups.ts'

/** The groups of rows that come page by page, and those of a Map of texts. */
function bothWays(rows: readonly number[][], { buckets, page }: { buckets: number | null; page: number }) {
  const width = rows[0]?.length ?? 0
  const index = openRowGroups(width, buckets)
  const known = new Map<string, number>()
  const expected = rows.map(row => {
    const key = row.join()
    if (!known.has(key)) known.set(key, known.size)
    return known.get(key)
  })
  const found: number[] = []
  for (let from = 0; from < rows.length; from += page) {
    const part = rows.slice(from, from + page)
    const out = new Int32Array(part.length)
    groupRows(index, Int32Array.from(part.flat()), { length: part.length, out })
    found.push(...out)
  }
  const { keys, count } = index.groups
  const combinations = Array.from({ length: count }, (_, at) =>
    keys.subarray(at * width, (at + 1) * width).join(),
  )
  expect(combinations).toEqual([...known.keys()])
  expect(found).toEqual(expected)
  return index
}

const BUCKETS = 50

describe('groups of rows', () => {
  it('are those of their combinations, with buckets and without', () => {
    const rowsOf = (width: number) =>
      fc.array(fc.tuple(...Array.from({ length: width }, () => fc.nat(BUCKETS - 1))), { minLength: 1 })
    const any = fc.integer({ min: 1, max: 4 }).chain(rowsOf)
    fc.assert(
      fc.property(
        any,
        fc.constantFrom(BUCKETS, null),
        fc.integer({ min: 1, max: 9 }),
        (rows, buckets, page) => {
          expect(bothWays(rows, { buckets, page }).groups.count).toBeLessThanOrEqual(rows.length)
        },
      ),
    )
  })

  it('are looked up in a table while most entities have most buckets', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [at % BUCKETS, Math.floor(at / 500), at % 777])
    expect(bothWays(rows, { buckets: BUCKETS, page: 2000 }).table).not.toBeNull()
  })

  it('are searched for when entities have few of very many buckets', () => {
    const entities = Array.from({ length: 3000 }, (_, at) => [
      [at % 1000, at],
      [(at * 7) % 1000, at],
    ])
    const rows = [...entities.flat(), ...entities.flat()]
    expect(bothWays(rows, { buckets: 1000, page: 500 }).table).toBeNull()
  })
})
