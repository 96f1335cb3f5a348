import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { metricIn } from '#shared/metrics.ts'
import { providers } from '#shared/platforms.ts'
import { whyNotSave } from '#shared/report-rules.ts'
import { exampleNames } from '#web/pages/reports/search.ts'
import { newDraft } from './draft.ts'
import { examples, filledWith } from './examples.ts'
import { testAccount } from './testing/account.ts'

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
    const { draft, missing, advertiser } = filledWith(blank, name, everyKind)
    expect(missing).toEqual([])
    expect(advertiser).toBe('Aurora')
    const { channels, metrics } = examples[name]
    expect(draft.channels.map(({ channel }) => channel)).toEqual(channels)
    for (const block of draft.channels)
      expect(block.metrics).toEqual(metrics === 'usual' ? catalogueOf(block.channel).usual_metrics : metrics)
  })

  it('says what is not available, and is empty for somebody without accounts', () => {
    const { draft, missing, advertiser } = filledWith(blank, name, [])
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
        const { draft, missing } = filledWith(blank, name, usable)
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
