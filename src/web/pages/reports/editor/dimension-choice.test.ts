import { describe, expect, it } from 'vitest'
import type { Draft, DraftBlock } from './draft.ts'
import { choicesOf, newRefusal, refusedDimensions } from './dimension-choice.ts'
import { testAccount } from './testing/account.ts'
import { testKnown } from './testing/known.ts'

const block = (more: Partial<DraftBlock>): DraftBlock => ({
  channel: 'fb',
  label: null,
  accounts: [],
  metrics: [],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const draft = (channels: DraftBlock[], dimensions: Draft['dimensions'] = ['date']) => ({
  channels,
  dimensions,
})

describe('the dimensions to choose from', () => {
  it('start with those that any channel of the report has', () => {
    const { offered, others } = choicesOf(draft([block({}), block({ channel: 'ga4' })]))
    expect(offered).toEqual(expect.arrayContaining(['campaign', 'ad_group', 'source']))
    expect(offered).not.toContain('date')
    expect(others).toEqual(['view'])
  })

  it('are all there are before a channel is chosen', () => {
    expect(choicesOf(draft([]))).toMatchObject({ others: [] })
    expect(choicesOf(draft([])).offered).toEqual(expect.arrayContaining(['ad', 'view', 'event_action']))
  })

  it('say which channel lacks one, though another one has it', () => {
    const mixed = draft([block({}), block({ channel: 'ga4' })])
    expect(newRefusal(mixed, 'ad_group', testKnown([]))?.detail).toMatchObject({
      reason: 'dimension_not_offered',
      dimension: 'ad_group',
      channel: 'ga4',
    })
    expect(newRefusal(mixed, 'campaign', testKnown([]))).toBeUndefined()
  })

  it('say which chosen metric excludes one, and not for conflicts that existed before', () => {
    const with_reach = draft([block({ metrics: ['reach'], accounts: [1, 2] })])
    const known = testKnown([testAccount(1), testAccount(2)])
    expect(newRefusal(with_reach, 'campaign', known)).toBeUndefined()
  })

  it('that are chosen and cannot be combined are marked', () => {
    expect(
      refusedDimensions(draft([block({ channel: 'ga4' })], ['date', 'ad_group']), testKnown([])),
    ).toEqual(['ad_group'])
    expect(refusedDimensions(draft([block({})], ['date', 'ad_group']), testKnown([]))).toEqual([])
  })
})
