import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TableChunk } from '#server/table/stored-table.ts'
import { firstRowsOf, requestChunks, rowsOf } from './chunks.ts'
import { tableOf } from './testing/table.ts'

async function requestsFor(sizes: number[], limits: { bytes: number; cells: number }) {
  const rows = Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, row) => [
    row,
    `"=${row}",]`,
  ])
  const requests: TableChunk[] = []
  const table = tableOf({ titles: ['n', 't'], rows: rows.slice(1), sizes })
  for await (const { json, ...chunk } of requestChunks(table, limits))
    requests.push({ ...chunk, json: Buffer.concat(json) })
  return { rows: [['n', 't'], ...rows.slice(1)], requests }
}

describe('the chunks of a large table', () => {
  it('holds every row once and in order, whatever the sizes and limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
        fc.record({ bytes: fc.integer({ min: 10, max: 2000 }), cells: fc.integer({ min: 1, max: 100 }) }),
        async (sizes, limits) => {
          const { rows, requests } = await requestsFor(sizes, limits)
          expect(requests.flatMap(rowsOf)).toEqual(rows)
          let next = 0
          for (const { first_row, rows: count } of requests) {
            expect(first_row).toBe(next)
            expect(count).toBeLessThanOrEqual(Math.max(1, Math.floor(limits.cells / 2)))
            next += count
          }
        },
      ),
    )
  })

  it('joins small chunks up to the size of a good request', async () => {
    const { requests } = await requestsFor(
      Array.from({ length: 100 }, () => 10),
      { bytes: 5000, cells: 10_000 },
    )
    expect(requests.length).toBeLessThan(8)
    expect(requests.every(({ json }) => json.length <= 5000)).toBe(true)
  })
})

describe('requests whose cells are what limits them', () => {
  it('are full but for the last one, wherever the stored chunks end', async () => {
    const { requests } = await requestsFor([100, 100, 7, 100, 33], { bytes: 1_000_000, cells: 120 })
    expect(requests.map(({ rows }) => rows)).toEqual([60, 60, 60, 60, 60, 40])
  })

  it('consist of the bytes that are stored', async () => {
    const stored: TableChunk[] = []
    const { chunks, ...table } = tableOf({
      titles: ['n', 't'],
      rows: Array.from({ length: 90 }, (_, row) => [row, `"${row}",[`]),
      sizes: [50],
    })
    const keeping = async function* () {
      for await (const chunk of chunks()) {
        // In memory of its own, unlike small buffers.
        stored.push({ ...chunk, json: new Uint8Array(chunk.json) })
        yield* stored.slice(-1)
      }
    }
    const limits = { bytes: 1_000_000, cells: 60 }
    for await (const { json } of requestChunks({ ...table, chunks: keeping }, limits))
      for (const part of json.filter(({ length }) => length > 1))
        expect(stored.some(chunk => chunk.json.buffer === part.buffer)).toBe(true)
    expect(stored).toHaveLength(2)
  })
})

describe('the first rows of a chunk', () => {
  it('are those that it begins with, whatever their texts contain', () => {
    const value = fc.oneof(
      fc.integer(),
      fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', ',', 'a', '字') }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 14 }),
        (rows, most) => {
          expect(firstRowsOf({ json: Buffer.from(JSON.stringify(rows)) }, most)).toEqual(rows.slice(0, most))
        },
      ),
    )
  })
})
