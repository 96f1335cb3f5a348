import { describe, expect, it } from 'vitest'
import { newDraft, type DraftBlock } from '#web/pages/reports/editor/draft.ts'
import { requestKey, bodyOf, missingIn } from './request.ts'

const empty = newDraft({ name: 'R', language: 'en', timezone: 'UTC' })
const block = (more: Partial<DraftBlock> = {}): DraftBlock => ({
  channel: 'fb',
  label: null,
  accounts: [1, 2],
  metrics: ['cost', 'clicks'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const draft = { ...empty, channels: [block()] }

describe('the request of a preview', () => {
  it('does not change with the name, the schedule or the target', () => {
    const other = { ...draft, name: 'S', update_frequency: 2, start_cell: 'B2', sheet_name: 'X' }
    expect(bodyOf(other, 7)).toEqual(bodyOf(draft, 7))
  })

  it('leaves out filters that have no value yet', () => {
    const filters = [{ field: 'campaign_name' as const, rule: 'EQUAL' as const, values: [] }]
    expect(bodyOf({ ...draft, channels: [block({ filters })] }, null).channels[0]?.filters).toEqual([])
  })

  it('has what money is converted to, what is compared, and columns over several channels that are written', () => {
    const blend = { name: 'All', formula: 'all.cost', unit: 'money' as const, decimals: 2 }
    const comparison = { to: 'last_year' as const, align: 'date' as const, show: ['value' as const] }
    const meant = { ...draft, currency: 'TWD', comparison, blends: [blend, { ...blend, name: ' ' }] }
    expect(bodyOf(meant, null)).toMatchObject({ currency: 'TWD', comparison, blends: [blend] })
    for (const other of [{ currency: null }, { comparison: null }, { blends: [] }])
      expect(requestKey(bodyOf({ ...meant, ...other }, null))).not.toBe(requestKey(bodyOf(meant, null)))
    const otherColumns = { ...meant, comparison: { ...comparison, show: ['percent' as const] } }
    expect(requestKey(bodyOf(otherColumns, null))).toBe(requestKey(bodyOf(meant, null)))
  })

  it('sends the same request to platforms when only the arrangement changes', () => {
    const turned = {
      ...draft,
      fill_zero: true,
      channels: [block({ metrics: ['clicks', 'cost'], label: 'X' })],
    }
    expect(requestKey(bodyOf(turned, 1))).toBe(requestKey(bodyOf(draft, 1)))
    expect(requestKey(bodyOf({ ...draft, dimensions: ['week'] }, 1))).not.toBe(requestKey(bodyOf(draft, 1)))
  })
})

describe('what is missing', () => {
  it('is nothing once one channel is complete and the dates are set', () => {
    expect(missingIn(draft)).toEqual([])
    expect(missingIn({ ...draft, channels: [block(), block({ accounts: [] })] })).toEqual([])
  })

  it('is named otherwise', () => {
    expect(missingIn(empty)).toEqual(['channels'])
    expect(missingIn({ ...empty, channels: [block({ accounts: [] })] })).toEqual(['accounts'])
    expect(missingIn({ ...empty, channels: [block({ accounts: [], metrics: [] })] })).toEqual([
      'accounts',
      'metrics',
    ])
    const crossed = [block({ accounts: [] }), block({ metrics: [] })]
    expect(missingIn({ ...empty, channels: crossed })).toEqual(['accounts'])
    const date_range = { start: null, end: '2026-11-01', dynamic_range: 0 }
    expect(missingIn({ ...draft, date_range })).toEqual(['dates'])
  })
})
