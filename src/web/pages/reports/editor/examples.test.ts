import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { noMeanings } from '#shared/block-catalogue.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { metricIn } from '#shared/metrics.ts'
import { providers } from '#shared/platforms.ts'
import { whyNotSave } from '#shared/report-rules.ts'
import { exampleNames } from '#web/pages/reports/search.ts'
import { newDraft } from './draft.ts'
import { examples, filledWith, type ExampleName } from './examples.ts'
import { testAccount } from './testing/account.ts'
import { testConversion } from './testing/known.ts'

const unchosen = { isChosen: false, meanings: noMeanings }
const blank = newDraft({ name: 'Example', language: 'en', timezone: 'Asia/Taipei' })

type Provider = keyof typeof providers
const providersOf: Partial<Record<AdAccount['channel'], Provider[]>> = {
  fb: ['meta'],
  aw: ['google_ads'],
  yg: ['ly_search', 'ly_display', 'yahoo_dsp'],
  tt: ['tiktok'],
  ln: ['line'],
  ga4: ['ga4'],
}
const everyKind = Object.entries(providersOf).flatMap(([channel, list], index) =>
  list.map((provider, position) =>
    testAccount(index * 10 + position, { channel: channel as AdAccount['channel'], provider }),
  ),
)

describe.each(exampleNames)('the example "%s"', name => {
  it('uses only what the catalogue has', () => {
    const { channels, metrics, dimensions } = examples[name]
    for (const channel of channels) {
      const catalogue = catalogueOf(channel)
      const metricIds = metrics === 'usual' ? catalogue.usual_metrics : metrics
      for (const id of metricIds) expect(metricIn(catalogue, id), `${channel} ${id}`).toBeDefined()
      expect(catalogue.dimensions).toEqual(expect.arrayContaining(dimensions))
    }
  })

  it('fills in every channel with all of its metrics where one has an account of each', () => {
    const { draft, missing, advertiser } = filledWith(blank, { name, usable: everyKind, ...unchosen })
    expect(missing).toEqual([])
    expect(advertiser).toBe('Aurora')
    const { channels, metrics } = examples[name]
    expect(draft.channels.map(({ channel }) => channel)).toEqual(channels)
    for (const block of draft.channels)
      expect(block.metrics).toEqual(metrics === 'usual' ? catalogueOf(block.channel).usual_metrics : metrics)
  })

  it('says what is not available, and is empty for somebody without accounts', () => {
    const { draft, missing, advertiser } = filledWith(blank, { name, usable: [], ...unchosen })
    expect(draft.channels).toEqual([])
    expect(missing).toEqual(examples[name].channels)
    expect(advertiser).toBeNull()
  })

  it('may be saved as it is, whatever accounts one may use', () => {
    const anyAccount = fc
      .tuple(
        fc.constantFrom(...everyKind),
        fc.constantFrom('TWD', 'JPY', 'USD'),
        fc.constantFrom('Aurora', 'Borealis', null),
        fc.constantFrom('active', 'disabled'),
      )
      .map(([kind, currency, advertiser_name, status]) => ({ ...kind, currency, advertiser_name, status }))
    fc.assert(
      fc.property(fc.array(anyAccount, { maxLength: 30 }), drawn => {
        const usable = drawn.map((each, index) => ({ ...each, id: index + 1 }))
        const { draft, missing } = filledWith(blank, { name, usable, ...unchosen })
        const refusals = whyNotSave({
          report: draft,
          accounts: usable,
          today: '2026-11-20',
          history_extended: false,
        })
        expect(refusals).toEqual([])
        const used = usable.filter(({ id }) => draft.channels.some(({ accounts }) => accounts.includes(id)))
        expect(new Set(used.map(({ advertiser_name }) => advertiser_name)).size).toBeLessThanOrEqual(1)
        expect(used.every(({ status }) => status === 'active')).toBe(true)
        expect(missing.length + new Set(draft.channels.map(({ channel }) => channel)).size).toBe(
          examples[name].channels.length,
        )
      }),
    )
  })
})

describe('an example for a chosen client', () => {
  it('counts conversions by the default of theirs', () => {
    const meanings = { ...noMeanings, conversions: [testConversion(5, { is_default: true })] }
    const usable = [testAccount(1), testAccount(2, { channel: 'aw', provider: 'google_ads' })]
    const { draft } = filledWith(blank, { name: 'daily', usable, meanings, isChosen: true })
    expect(draft.channels.map(({ channel, conversion }) => [channel, conversion])).toEqual([
      ['fb', 5],
      ['aw', undefined],
    ])
  })

  const fill = (name: ExampleName, usable: AdAccount[]) =>
    filledWith(blank, { name, usable, isChosen: true, meanings: noMeanings })

  it('has all of their open accounts, of the channels that they have', () => {
    const own = [
      testAccount(1),
      testAccount(2),
      testAccount(3, { status: 'disabled' }),
      testAccount(4, { channel: 'tt', provider: 'tiktok' }),
    ]
    const { draft, advertiser, missing, added } = fill('daily', own)
    expect(draft.channels.map(({ channel, accounts }) => [channel, accounts])).toEqual([
      ['fb', [1, 2]],
      ['tt', [4]],
    ])
    expect([advertiser, missing, added]).toEqual(['Aurora', ['aw', 'yg', 'ln'], null])
    expect(draft).toMatchObject({
      update_frequency: 2,
      update_time: '09:00:00',
      date_range: { dynamic_range: 1 },
    })
  })

  it('keeps currencies apart by a dimension that every channel has', () => {
    const { draft, added } = fill('daily', [testAccount(1), testAccount(2, { currency: 'JPY' })])
    expect(added).toBe('account_name')
    expect(draft.dimensions).toEqual(['date', 'account_name'])
    expect(draft.channels[0]?.accounts).toEqual([1, 2])
  })

  it('names the channels of which a report cannot have all accounts', () => {
    const { draft, cut } = fill(
      'daily',
      Array.from({ length: 51 }, (_, id) => testAccount(id + 1)),
    )
    expect(draft.channels[0]?.accounts).toHaveLength(50)
    expect(cut).toEqual(['fb'])
  })

  it('is everything that they have, and misses nothing', () => {
    const { draft, missing } = fill('everything', everyKind)
    expect(draft.channels.map(({ channel }) => channel)).toEqual(['fb', 'aw', 'yg', 'tt', 'ln', 'ga4'])
    expect(fill('everything', [testAccount(1)]).missing).toEqual([])
    expect(missing).toEqual([])
  })

  it('may be saved as it is, whatever the currencies', () => {
    const anyAccount = fc
      .tuple(fc.constantFrom(...everyKind), fc.constantFrom('TWD', 'JPY', 'USD'))
      .map(([kind, currency]) => ({ ...kind, currency }))
    const anyExample = fc.constantFrom<ExampleName>('everything', ...exampleNames)
    fc.assert(
      fc.property(anyExample, fc.array(anyAccount, { maxLength: 30 }), (name, drawn) => {
        const usable = drawn.map((each, index) => ({ ...each, id: index + 1 }))
        const { draft } = fill(name, usable)
        const subject = { accounts: usable, today: '2026-11-20', history_extended: false }
        expect(whyNotSave({ report: draft, ...subject })).toEqual([])
      }),
    )
  })
})
