import { describe, expect, it } from 'vitest'
import type { EcSpendRow } from '#shared/api/ec-spend.ts'
import { channels, measures } from './search.ts'
import { linesOf, sumOf, totalLine, type Cell, type Line } from './lines.ts'
import { spendRow } from './testing/samples.ts'

// Whatever rows the server sends: every line, column and part adds up to the same, to the millionth.

const months = ['2026-08', '2026-09', '2026-10', '2026-11']
const currencies = ['TWD', 'USD', 'JPY']

/** A generator of its own, so that a seed is enough to repeat what failed. */
function randomOf(seed: number) {
  let state = seed
  return (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
}

function rowsOf(seed: number): EcSpendRow[] {
  const random = randomOf(seed)
  const pick = <Value>(values: readonly Value[], fallback: Value) => values[random(values.length)] ?? fallback
  return Array.from({ length: 1 + random(60) }, (): EcSpendRow => {
    const advertiser = 1 + random(5)
    const isKnown = random(8) > 0
    return {
      ...spendRow({ media: isKnown ? random(9_000_000_000) - 1000 : null }),
      advertiser,
      advertiser_name: `Advertiser ${advertiser}`,
      channel: pick(channels, 'fb'),
      month: pick(months, '2026-11'),
      currency: pick(currencies, 'TWD'),
      billing_currency: pick(currencies, 'TWD'),
    }
  })
}

const amountOf = (cells: readonly (Cell | undefined)[]) =>
  sumOf(cells.filter(cell => cell !== undefined)).amount ?? 0n
const seeds = Array.from({ length: 60 }, (_, index) => 7 + index * 1013)

describe.each(measures)('the %s of any rows', measure => {
  const each = (judge: (lines: Line[], rows: EcSpendRow[], currency: string) => void) => {
    for (const seed of seeds) {
      const rows = rowsOf(seed)
      for (const currency of currencies)
        for (const group of ['advertiser', 'channel', 'account'] as const)
          judge(linesOf(rows, { currency, measure, group }), rows, currency)
    }
  }

  it('add up by column', () => {
    each((lines, rows, currency) => {
      const { cells } = totalLine(rows, currency, measure)
      for (const month of months)
        expect(amountOf(lines.map(line => line.cells.get(month)))).toBe(cells.get(month)?.amount ?? 0n)
    })
  })

  it('add up by line', () => {
    each(lines => {
      for (const line of lines) expect(amountOf([line.sum])).toBe(amountOf([...line.cells.values()]))
    })
  })

  it('add up by the parts of a line', () => {
    each(lines => {
      for (const line of lines.filter(({ parts }) => parts.length > 0))
        for (const month of months)
          expect(amountOf(line.parts.map(part => part.cells.get(month)))).toBe(
            amountOf([line.cells.get(month)]),
          )
    })
  })

  it('are those that the rows have', () => {
    each((_, rows, currency) => {
      const own = rows.filter(row => row.billing_currency === currency)
      const sum = own.reduce((total, row) => total + BigInt(row[measure] ?? 0), 0n)
      expect(totalLine(rows, currency, measure).sum.amount ?? 0n).toBe(sum)
    })
  })

  it('are marked exactly where something is not known', () => {
    each((lines, rows, currency) => {
      for (const line of lines.filter(({ kind }) => kind === 'advertiser')) {
        const own = rows.filter(
          row => row.billing_currency === currency && row.advertiser === line.advertiser,
        )
        expect(line.sum.gap !== null).toBe(own.some(row => row[measure] === null))
      }
    })
  })
})
