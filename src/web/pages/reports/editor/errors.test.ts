import { describe, expect, it } from 'vitest'
import { newDraft, type Draft, type DraftBlock } from './draft.ts'
import { localErrors } from './errors.ts'
import type { KnownHere } from './known.ts'
import { testAccount } from './testing/account.ts'
import { testConversion, testKnown, testMetric } from './testing/known.ts'

const block = (more: Partial<DraftBlock>): DraftBlock => ({
  channel: 'fb',
  label: null,
  accounts: [1],
  metrics: ['clicks'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const draftWith = (channels: DraftBlock[], more: Partial<Draft> = {}): Draft => ({
  ...newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei' }),
  channels,
  ...more,
})
const known = testKnown([testAccount(1)], { metrics: [testMetric(7)], conversions: [testConversion(5)] })
const errorsOf = (draft: Draft, here: KnownHere = known) =>
  localErrors(draft, { known: here, today: '2026-11-18', saved: null, history_extended: false }).map(
    ({ path, code }) => `${path} ${code}`,
  )

describe('what a draft’s numbers mean', () => {
  it('is right where the advertiser has it, and wrong where nobody has', () => {
    expect(errorsOf(draftWith([block({ metrics: ['calc:7', 'cpa'], conversion: 5 })]))).toEqual([])
    expect(errorsOf(draftWith([block({ metrics: ['calc:8'], conversion: 6 })]))).toEqual([
      'channels.0.metrics combination_not_allowed',
      'channels.0.conversion combination_not_allowed',
    ])
  })

  it('is not judged before it is known, nor for accounts of others', () => {
    const draft = draftWith([block({ metrics: ['calc:8'], conversion: 6 })])
    expect(errorsOf(draft, { ...known, isComplete: false })).toEqual([])
    expect(errorsOf(draftWith([block({ accounts: [1, 9], metrics: ['calc:8'], conversion: 6 })]))).toEqual([])
    expect(errorsOf(draftWith([block({ metrics: ['nothing'] })]), { ...known, isComplete: false })).toEqual([
      'channels.0.metrics combination_not_allowed',
    ])
  })

  it('needs a name and a formula for each column over several channels', () => {
    const blend = { name: '', formula: ' ', unit: 'ratio' as const, decimals: 2 }
    const channels = [block({ metrics: ['cost'] })]
    expect(errorsOf(draftWith(channels, { blends: [blend] }))).toEqual([
      'blends.0.name field_required',
      'blends.0.formula field_required',
    ])
    expect(errorsOf(draftWith(channels, { blends: [{ ...blend, name: 'A', formula: '2.cost' }] }))).toEqual([
      'blends.0.formula formula_unknown',
    ])
  })
})
