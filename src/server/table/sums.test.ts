import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addColumn, emptySums, exactCell, extend, millionthsOf } from './sums.ts'

const GROUPS = 3
const LARGE = [2 ** 51, 2 ** 52, 2 ** 53 - 1].flatMap(edge => [edge, -edge, edge - 1, 1 - edge])

const whole = fc.oneof(
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -0, 1, -1, 2 ** 31, ...LARGE),
  fc.maxSafeInteger(),
  fc.integer({ min: -9, max: 9 }),
)
const fraction = fc.integer({ min: -999_999_999, max: 999_999_999 }).map(millionths => millionths / 1_000_000)
/** Pages of rows, each with its group. */
const pagesOf = (value: fc.Arbitrary<number>) =>
  fc.array(fc.array(fc.record({ group: fc.nat(GROUPS - 1), value }), { maxLength: 20 }), { maxLength: 5 })

const millionthsIn = (value: number) =>
  Number.isInteger(value) ? BigInt(value) * 1_000_000n : BigInt(Math.round(value * 1_000_000))

describe('sums of pages', () => {
  it.each([
    { kind: 'count' as const, value: fc.oneof(whole, fraction), unit: 1n },
    { kind: 'count' as const, value: whole, unit: 1n },
    { kind: 'money' as const, value: whole, unit: 1_000_000n },
  ])(
    'are exact, whatever empty, large, negative and broken numbers there are: $kind',
    ({ kind, value, unit }) => {
      fc.assert(
        fc.property(pagesOf(value), pages => {
          const sums = emptySums([
            { id: 'other', kind: 'count' },
            { id: 'own', kind },
          ])
          extend(sums, GROUPS)
          for (const rows of pages)
            addColumn(
              sums,
              1,
              Float64Array.from(rows, row => row.value),
              {
                groups: Int32Array.from(rows, row => row.group),
                length: rows.length,
              },
            )
          const found = Array.from({ length: GROUPS }, (_, group) => {
            const cell = exactCell(sums, 1, group)
            return cell === null ? null : BigInt(cell) * BigInt(millionthsOf(sums, 1)) * unit
          })
          const values = (group: number) =>
            pages.flat().filter(row => row.group === group && Number.isFinite(row.value))
          const expected = found.map((_, group) =>
            values(group).length === 0
              ? null
              : values(group).reduce((sum, row) => sum + millionthsIn(row.value), 0n),
          )
          expect(found).toEqual(expected)
          expect(found.map((_, group) => exactCell(sums, 0, group))).toEqual([null, null, null])
        }),
        { numRuns: 1000 },
      )
    },
  )
})
