import { describe, expect, it } from 'vitest'
import { whyNotSave } from '#shared/report-rules.ts'
import { newDraft, type Draft, type DraftBlock } from './draft.ts'
import { applied, fixesOf, fixName } from './fixes.ts'
import { testAccount } from './testing/account.ts'
import { testConversion, testKnown } from './testing/known.ts'

const accounts = [
  testAccount(1),
  testAccount(2, { currency: 'JPY' }),
  testAccount(3, { currency: 'JPY', channel: 'aw', provider: 'google_ads' }),
]
const known = testKnown(accounts, { conversions: [testConversion(5), testConversion(6, { advertiser: 2 })] })
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
  whyNotSave({ report: draft, ...known, today: '2026-11-18', history_extended: false })
const fixesIn = (draft: Draft) => errorsOf(draft).flatMap(error => fixesOf(error, draft, known))
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
      { kind: 'convert_to', currency: 'JPY' },
      { kind: 'convert_to', currency: 'TWD' },
      { kind: 'keep_currency', currency: 'JPY' },
      { kind: 'keep_currency', currency: 'TWD' },
    ])
  })

  it('is no conversion where a currency has no rates', () => {
    const [error] = errorsOf(mixed)
    const fixes = error ? fixesOf(error, mixed, { ...known, currencies: ['TWD', 'USD'] }) : []
    expect(fixes.map(({ kind }) => kind)).not.toContain('convert_to')
  })

  it('keeps columns over several channels with theirs, and marks those of one that is removed', () => {
    const three = {
      ...draftWith([
        block({ accounts: [2], metrics: ['cost'] }),
        block({ metrics: ['cost'] }),
        block({ metrics: ['clicks'] }),
      ]),
      blends: [{ name: 'All', formula: '2.cost / 3.clicks - 1.cost', unit: 'ratio' as const, decimals: 2 }],
    }
    const after = applied(three, { kind: 'keep_currency', currency: 'TWD' }, known)
    expect(after.blends?.map(({ formula }) => formula)).toEqual(['1.cost / 2.clicks - ?.cost'])
  })

  it('leaves channels alone that add up no amounts, and removes one that has no account left', () => {
    const after = applied(mixed, { kind: 'keep_currency', currency: 'TWD' }, known)
    expect(after.channels?.map(each => each.accounts)).toEqual([[1], [3]])
    const two = draftWith([
      block({ metrics: ['cost'] }),
      block({ channel: 'aw', accounts: [3], metrics: ['cost'] }),
    ])
    expect(applied(two, { kind: 'keep_currency', currency: 'TWD' }, known).channels).toEqual([
      two.channels[0],
    ])
  })
})

const compared = { to: 'previous_period' as const, align: 'date' as const, show: ['percent' as const] }
const blend = { name: 'All', formula: 'all.clicks', unit: 'count' as const, decimals: 0 }

describe('every change that is offered', () => {
  it.each<{ why: string; draft: Draft; kinds: string[] }>([
    {
      why: 'currencies',
      draft: draftWith([block({ accounts: [1, 2], metrics: ['cost'] })]),
      kinds: ['add_dimension', 'convert_to', 'keep_currency'],
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
    {
      why: 'a definition of conversions of another advertiser',
      draft: draftWith([block({ conversion: 6 })]),
      kinds: ['count_by', 'count_as_platform'],
    },
    {
      why: 'weeks by date',
      draft: { ...draftWith([block({})], ['week']), comparison: compared },
      kinds: ['by_weekday'],
    },
    {
      why: 'months by weekday',
      draft: { ...draftWith([block({})], ['month']), comparison: { ...compared, align: 'weekday' } },
      kinds: ['by_date'],
    },
    {
      why: 'months from the middle of one',
      draft: {
        ...draftWith([block({})], ['month']),
        comparison: compared,
        date_range: { start: '2026-11-02', end: '2026-11-10', dynamic_range: 0 },
      },
      kinds: ['with_last_year'],
    },
    {
      why: 'columns over several channels that are stacked',
      draft: { ...draftWith([block({})]), arrangement: 'stacked', blends: [blend] },
      kinds: ['side_by_side', 'without_blends'],
    },
  ])('ends the refusal: $why', ({ draft, kinds }) => {
    const [error] = errorsOf(draft)
    const fixes = fixesIn(draft)
    expect(new Set(fixes.map(({ kind }) => kind))).toEqual(new Set(kinds))
    for (const fix of fixes) {
      const after = { ...draft, ...applied(draft, fix, known) }
      expect(errorsOf(after)).not.toContainEqual(error)
      expect(errorsOf(after).length).toBeLessThan(errorsOf(draft).length)
    }
  })

  it('leaves weeks or months out of a comparison that cannot have both', () => {
    const draft = { ...draftWith([block({})], ['week', 'month']), comparison: compared }
    expect(fixesIn(draft).map(({ kind }) => kind)).toEqual(['remove_dimension', 'remove_dimension'])
  })

  it('has a name in both languages', () => {
    expect(fixName({ kind: 'add_dimension', dimension: 'account_name' }, 'en')).toBe('Account name')
    const names = { en: 'Cost', 'zh-TW': '花費' }
    const fix = { kind: 'remove_metric' as const, metric: 'cost', names, block: 0 }
    expect(fixName(fix, 'zh-TW')).toMatch(/\p{Script=Han}/u)
  })
})
