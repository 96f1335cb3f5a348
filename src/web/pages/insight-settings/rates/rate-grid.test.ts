import { describe, expect, it } from 'vitest'
import { rate } from '#web/pages/insight-settings/testing/samples.ts'
import { gapsIn, rateGrid, readRate } from './rate-grid.ts'

const months = ['2026-11', '2026-10', '2026-09']
const gridOf = (rates: Parameters<typeof rate>[0][], today = '2026-11-20', inUse = ['USD']) =>
  rateGrid({ base: 'TWD', in_use: inUse, rates: rates.map(rate) }, { today, months, more: [] })

describe('the grid of rates', () => {
  it('has the currencies of the accounts, then those with a rate, never the base', () => {
    const rates = [{ currency: 'JPY' }, { currency: 'EUR' }]
    expect(gridOf(rates, '2026-11-20', ['TWD', 'USD']).currencies).toEqual(['USD', 'EUR', 'JPY'])
  })

  it('marks a month without a rate', () => {
    const { cell } = gridOf([{ month: '2026-10' }])
    expect(cell('2026-10', 'USD')).toMatchObject({ kind: 'known', rate: { rate: '31.505' } })
    expect(cell('2026-09', 'USD')).toEqual({ kind: 'missing' })
    expect(cell('2026-10', 'JPY')).toEqual({ kind: 'missing' })
  })

  it.each([
    ['2026-11-20', '2026-11', 'carried'],
    ['2026-11-20', '2026-10', 'missing'],
    ['2026-11-10', '2026-10', 'carried'],
    ['2026-11-11', '2026-10', 'missing'],
  ])('on %s takes the latest rate for %s: %s', (today, month, kind) => {
    const { cell } = gridOf(
      [
        { month: '2026-09', rate: '31.9' },
        { month: '2026-08', rate: '30' },
      ],
      today,
    )
    expect(cell(month, 'USD')).toMatchObject({ kind, ...(kind === 'carried' && { rate: { rate: '31.9' } }) })
  })

  it('takes no rate of a later month', () => {
    expect(gridOf([{ month: '2026-12' }]).cell('2026-11', 'USD')).toEqual({ kind: 'missing' })
  })

  it('counts what is missing of the accounts’ currencies', () => {
    const grid = gridOf([{ month: '2026-10' }, { month: '2026-10', currency: 'JPY' }])
    expect(gapsIn(grid, ['TWD', 'USD'], 'TWD')).toBe(1)
  })
})

describe('a typed rate', () => {
  it.each(['31.505', '0.2085', ' 1 ', '1234567890.0123456789'])('may be %s', typed => {
    expect(readRate(typed)).toBe(typed.trim())
  })

  it.each(['', '0', '0.000', '-1', '31,505', '1e3', '.5', '1.', '12345678901', '1.01234567891'])(
    'may not be %j',
    typed => {
      expect(readRate(typed)).toBeNull()
    },
  )
})
