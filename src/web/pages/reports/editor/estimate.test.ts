import { describe, expect, it } from 'vitest'
import { newDraft, type Draft } from './draft.ts'
import { estimate } from './estimate.ts'

const november = { start: '2026-11-01', end: '2026-11-30' }
const draft = (change: Partial<Draft>): Draft => ({
  ...newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei', example: 'daily' }),
  ...change,
})

describe('the size of a table', () => {
  it('is a row a day', () => {
    expect(estimate(draft({}), november)).toEqual({ columns: 7, rows: 30 })
  })

  it('has a row for each account where they split it', () => {
    const [block] = draft({}).channels
    const channels = block ? [{ ...block, accounts: [1, 2] }] : []
    expect(estimate(draft({ channels, dimensions: ['week', 'account_name'] }), november)).toEqual({
      columns: 8,
      rows: 6 * 2,
    })
  })

  it('is not known where campaigns split it', () => {
    expect(estimate(draft({ dimensions: ['date', 'campaign'] }), november).rows).toBeNull()
  })

  it('shares a column of two channels that stand one below the other', () => {
    const { channels } = draft({})
    const twice = [...channels, ...channels]
    expect(estimate(draft({ channels: twice }), november).columns).toBe(13)
    expect(estimate(draft({ channels: twice, arrangement: 'stacked' }), november).columns).toBe(8)
  })
})
