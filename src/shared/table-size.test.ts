import { describe, expect, it } from 'vitest'
import type { Report } from './api/reports.ts'
import { columnSorts } from './table-sort.ts'
import { tableSize } from './table-size.ts'

const november = { start: '2026-11-01', end: '2026-11-30' }
type Described = Pick<Report, 'dimensions' | 'channels' | 'arrangement'> &
  Partial<Pick<Report, 'limit' | 'comparison' | 'blends'>>

const draft = (change: Partial<Described>): Described => ({
  dimensions: ['date'],
  arrangement: 'joined',
  channels: [
    {
      channel: 'fb',
      label: null,
      accounts: [],
      metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
      filters: [],
      on_error: 'leave_empty',
    },
  ],
  ...change,
})

describe('the size of a table', () => {
  it('is a row a day', () => {
    expect(tableSize(draft({}), november)).toEqual({ columns: 7, rows: 30 })
  })

  it('has a row for each account where they split it', () => {
    const [block] = draft({}).channels
    const channels = block ? [{ ...block, accounts: [1, 2] }] : []
    expect(tableSize(draft({ channels, dimensions: ['week', 'account_name'] }), november)).toEqual({
      columns: 8,
      rows: 6 * 2,
    })
  })

  it('is not known where campaigns split it', () => {
    expect(tableSize(draft({ dimensions: ['date', 'campaign'] }), november).rows).toBeNull()
  })

  it('is no more than the limit, whatever splits it', () => {
    expect(tableSize(draft({ limit: 5 }), november).rows).toBe(5)
    expect(tableSize(draft({ limit: 50 }), november).rows).toBe(30)
    expect(tableSize(draft({ dimensions: ['campaign'], limit: 50 }), november).rows).toBe(50)
  })

  it('shares a column of two channels that are stacked', () => {
    const { channels } = draft({})
    const twice = [...channels, ...channels]
    expect(tableSize(draft({ channels: twice }), november).columns).toBe(13)
    expect(tableSize(draft({ channels: twice, arrangement: 'stacked' }), november).columns).toBe(8)
  })
  it('has columns that compare each metric, of a text its value alone, and those over several channels', () => {
    const [block] = draft({}).channels
    const channels = block ? [{ ...block, metrics: ['cost', 'quality_ranking'] }] : []
    const comparison = {
      to: 'last_year' as const,
      align: 'date' as const,
      show: ['value' as const, 'percent' as const],
    }
    const blends = [{ name: 'Total', formula: 'all.cost', unit: 'money' as const, decimals: 2 }]
    const report = draft({ channels, comparison, blends })
    expect(columnSorts(report)).toEqual([
      { by: 'date', block: null },
      { by: 'cost', block: 0 },
      null,
      null,
      { by: 'quality_ranking', block: 0 },
      null,
      null,
      null,
      null,
    ])
    expect(tableSize(report, november).columns).toBe(9)
    expect(tableSize({ ...report, arrangement: 'stacked' }, november).columns).toBe(7)
  })
})
