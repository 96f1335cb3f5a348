import { describe, expect, it } from 'vitest'
import { whyNotSave } from '#shared/report-rules.ts'
import { newDraft, type Draft, type DraftBlock } from './draft.ts'
import { applied, fixesOf, fixName } from './fixes.ts'
import { testAccount } from './testing/account.ts'

const accounts = [
  testAccount(1),
  testAccount(2, { currency: 'JPY' }),
  testAccount(3, { currency: 'JPY', channel: 'aw', provider: 'google_ads' }),
]
const block = (more: Partial<DraftBlock>): DraftBlock => ({
  channel: 'fb',
  label: null,
  accounts: [1],
  metrics: ['clicks'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const draftWith = (channels: DraftBlock[], dimensions: Draft['dimensions'] = ['date']): Draft => ({
  ...newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei' }),
  channels,
  dimensions,
})
const errorsOf = (draft: Draft) =>
  whyNotSave({ report: draft, accounts, today: '2026-11-18', history_extended: false })
const fixesIn = (draft: Draft) => errorsOf(draft).flatMap(error => fixesOf(error, draft, accounts))
const codesOf = (draft: Draft) => errorsOf(draft).map(({ code }) => code)

describe('what ends a refused mix of currencies', () => {
  const mixed = draftWith([
    block({ accounts: [1, 2], metrics: ['cost'] }),
    block({ channel: 'aw', accounts: [3], metrics: ['clicks'] }),
  ])

  it('is a dimension that tells them apart, or one of the currencies', () => {
    expect(codesOf(mixed)).toEqual(['mixed_currency'])
    expect(fixesIn(mixed)).toEqual([
      { kind: 'add_dimension', dimension: 'account_name' },
      { kind: 'add_dimension', dimension: 'currency' },
      { kind: 'keep_currency', currency: 'JPY' },
      { kind: 'keep_currency', currency: 'TWD' },
    ])
  })

  it('leaves channels alone that add up no amounts, and removes one that has no account left', () => {
    const after = applied(mixed, { kind: 'keep_currency', currency: 'TWD' }, accounts)
    expect(after.channels?.map(each => each.accounts)).toEqual([[1], [3]])
    const two = draftWith([
      block({ metrics: ['cost'] }),
      block({ channel: 'aw', accounts: [3], metrics: ['cost'] }),
    ])
    expect(applied(two, { kind: 'keep_currency', currency: 'TWD' }, accounts).channels).toEqual([
      two.channels[0],
    ])
  })
})

describe('every change that is offered', () => {
  it.each<{ why: string; draft: Draft; kinds: string[] }>([
    {
      why: 'currencies',
      draft: draftWith([block({ accounts: [1, 2], metrics: ['cost'] })]),
      kinds: ['add_dimension', 'keep_currency'],
    },
    {
      why: 'a dimension that the channel does not have',
      draft: draftWith([block({})], ['date', 'source']),
      kinds: ['remove_dimension'],
    },
    {
      why: 'reach over several accounts',
      draft: draftWith([block({ accounts: [1, 2], metrics: ['reach'] })], ['campaign']),
      kinds: ['remove_metric', 'add_dimension'],
    },
    {
      why: 'reach with a filter on something finer',
      draft: draftWith([
        block({
          metrics: ['reach'],
          filters: [{ field: 'ad_name', rule: 'CONTAINS', values: ['a'] }],
        }),
      ]),
      kinds: ['remove_metric', 'remove_filter', 'add_dimension'],
    },
  ])('ends the refusal: $why', ({ draft, kinds }) => {
    const [error] = errorsOf(draft)
    const fixes = fixesIn(draft)
    expect(new Set(fixes.map(({ kind }) => kind))).toEqual(new Set(kinds))
    for (const fix of fixes) {
      const after = { ...draft, ...applied(draft, fix, accounts) }
      expect(errorsOf(after)).not.toContainEqual(error)
      expect(errorsOf(after).length).toBeLessThan(errorsOf(draft).length)
    }
  })

  it('has a name in both languages', () => {
    expect(fixName({ kind: 'add_dimension', dimension: 'account_name' }, 'en')).toBe('Account name')
    const fix = { kind: 'remove_metric' as const, metric: 'cost', channel: 'fb' as const, block: 0 }
    expect(fixName(fix, 'zh-TW')).toMatch(/\p{Script=Han}/u)
  })
})
