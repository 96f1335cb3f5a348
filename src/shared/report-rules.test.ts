import { describe, expect, it } from 'vitest'
import type { Block } from './api/reports.ts'
import type { ChannelCatalogue, Dimension, Metric } from './channels/catalogue.ts'
import { earliestStart, whyNotSave, type ReportSubject } from './report-rules.ts'

const facts = {
  names: { en: '', 'zh-TW': '' },
  explanation: { en: '', 'zh-TW': '' },
  group: 'delivery' as const,
  platform_field: '',
  decimals: 0,
}
const metrics: Record<string, Metric> = {
  clicks: { ...facts, kind: 'additive', unit: 'count' },
  cost: { ...facts, kind: 'additive', unit: 'money' },
  reach: { ...facts, kind: 'non_additive', unit: 'count', per_account: true, not_with: ['device_type'] },
  rank: { ...facts, kind: 'non_additive', unit: 'text', per_account: true, only_with: ['ad_group'] },
  cpc: { ...facts, kind: 'derived', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
}
const catalogue: ChannelCatalogue = {
  names: facts.names,
  explanation: facts.explanation,
  accounts: 'ad_account',
  dimensions: [
    'month',
    'date',
    'account_name',
    'account_id',
    'currency',
    'campaign',
    'ad_group',
    'device_type',
  ],
  metrics,
  usual_metrics: [],
  filters: ['account_name', 'campaign_name', 'ad_group_name', 'device_type'],
  history_months: 37,
}
const accounts = [
  { id: 1, channel: 'fb' as const, provider: 'meta' as const, currency: 'USD', advertiser: null },
  { id: 2, channel: 'fb' as const, provider: 'meta' as const, currency: 'USD', advertiser: null },
  { id: 3, channel: 'fb' as const, provider: 'meta' as const, currency: 'JPY', advertiser: null },
]
const block = (more: Partial<Block>): Block => ({
  channel: 'fb',
  label: null,
  accounts: [1],
  metrics: ['clicks'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const refusals = (
  {
    dimensions = [],
    blocks = [],
    start = '2026-11-01',
    end = '2026-11-30',
  }: { dimensions?: Dimension[]; blocks?: Block[]; start?: string | null; end?: string | null },
  more: Partial<ReportSubject> = {},
) =>
  whyNotSave({
    report: { dimensions, channels: blocks, date_range: { start, end, dynamic_range: 0 } },
    accounts,
    today: '2026-11-18',
    history_extended: false,
    catalogueOf: () => catalogue,
    ...more,
  })
const filter = (field: Block['filters'][number]['field']) => ({
  field,
  rule: 'CONTAINS' as const,
  values: ['x'],
})

describe('a report may be saved', () => {
  it('when everything fits', () => {
    const blocks = [
      block({ accounts: [1, 2], metrics: ['clicks', 'cpc'], filters: [filter('ad_group_name')] }),
    ]
    expect(refusals({ dimensions: ['date', 'campaign'], blocks })).toEqual([])
    expect(refusals({})).toEqual([])
  })

  it('with reach, when accounts are beside it and its filters use what is shown', () => {
    const blocks = [
      block({
        accounts: [1, 2],
        metrics: ['reach'],
        filters: [filter('campaign_name'), filter('account_name')],
      }),
    ]
    expect(refusals({ dimensions: ['account_id', 'campaign'], blocks })).toEqual([])
    expect(refusals({ dimensions: ['account_name', 'ad_group'], blocks })).toEqual([])
  })

  it('with several currencies beside what distinguishes them, or without money', () => {
    const blocks = [block({ accounts: [1, 3], metrics: ['cost'] })]
    expect(refusals({ dimensions: ['account_name'], blocks })).toEqual([])
    expect(refusals({ dimensions: ['currency'], blocks })).toEqual([])
    expect(refusals({ blocks: [block({ accounts: [1, 3] })] })).toEqual([])
  })
})

describe('a report may not be saved', () => {
  it('with a dimension that a block does not offer', () => {
    expect(refusals({ dimensions: ['ad'], blocks: [block({})] })).toEqual([
      {
        code: 'combination_not_allowed',
        path: 'dimensions',
        detail: { reason: 'dimension_not_offered', dimension: 'ad', channel: 'fb', block: 0, remove: ['ad'] },
      },
    ])
  })

  it('with a metric or a filter that the channel has not', () => {
    const blocks = [block({ metrics: ['clicks', 'toString'], filters: [filter('ecid')] })]
    expect(refusals({ blocks })).toMatchObject([
      { path: 'channels.0.filters.0', detail: { reason: 'filter_not_offered', remove: ['ecid'] } },
      { path: 'channels.0.metrics', detail: { reason: 'metric_not_offered', remove: ['toString'] } },
    ])
  })

  it('with a metric beside a dimension that the platform cannot split it by, shown or filtered', () => {
    const blocks = [block({ metrics: ['reach'] })]
    expect(refusals({ dimensions: ['device_type'], blocks })).toMatchObject([
      {
        path: 'channels.0.metrics',
        detail: { reason: 'metric_beside_dimension', remove: ['reach', 'device_type'] },
      },
    ])
    const filtered = [block({ metrics: ['reach'], filters: [filter('device_type')] })]
    expect(refusals({ blocks: filtered })).toMatchObject([
      { detail: { reason: 'metric_beside_dimension', remove: ['reach', 'device_type'] } },
      { path: 'channels.0.filters', detail: { reason: 'metric_beside_finer_filter' } },
    ])
  })

  it('with a metric that the platform gives at a finer grain only', () => {
    const blocks = [block({ metrics: ['rank'] })]
    expect(refusals({ dimensions: ['campaign'], blocks })).toMatchObject([
      {
        path: 'channels.0.metrics',
        detail: { reason: 'metric_without_dimension', remove: ['rank'], add: ['ad_group'] },
      },
    ])
    expect(refusals({ dimensions: ['ad_group'], blocks })).toEqual([])
  })

  it('with what cannot be added up over several accounts', () => {
    const blocks = [block({ accounts: [1, 2], metrics: ['reach'] })]
    expect(refusals({ dimensions: ['currency'], blocks })).toEqual([
      {
        code: 'combination_not_allowed',
        path: 'channels.0.metrics',
        detail: {
          reason: 'metric_over_several_accounts',
          metric: 'reach',
          channel: 'fb',
          remove: ['reach'],
          add: ['account_name', 'account_id'],
        },
      },
    ])
  })

  it('with what cannot be added up beside a filter that is finer than the table', () => {
    const blocks = [block({ metrics: ['reach'], filters: [filter('ad_group_name')] })]
    expect(refusals({ dimensions: ['campaign'], blocks })).toMatchObject([
      {
        path: 'channels.0.filters',
        detail: {
          reason: 'metric_beside_finer_filter',
          remove: ['reach', 'ad_group_name'],
          add: ['ad_group'],
        },
      },
    ])
  })

  it('with amounts of several currencies in one number, also inside ratios and over blocks', () => {
    const blocks = [block({ metrics: ['cpc'] }), block({ accounts: [3], metrics: ['cost'] })]
    expect(refusals({ dimensions: ['date'], blocks })).toEqual([
      {
        code: 'mixed_currency',
        path: 'channels',
        detail: { currencies: ['JPY', 'USD'], add: ['account_name', 'currency'] },
      },
    ])
  })

  it('with a range that begins too early or is too long', () => {
    const history = (start: string, end: string, more: Partial<ReportSubject> = {}) =>
      refusals({ start, end }, more)
    expect(history('2024-11-18', '2026-11-18')).toEqual([])
    expect(history('2024-11-17', '2024-11-18')).toEqual([
      { code: 'history_limit', path: 'date_range.start', detail: { earliest: '2024-11-18' } },
    ])
    expect(history('2024-11-18', '2026-11-19')).toEqual([
      { code: 'range_too_long', path: 'date_range.end', detail: { latest: '2026-11-18', days: 730 } },
    ])
    const extended = { history_extended: true }
    expect(history('2023-11-19', '2027-11-19', extended)).toEqual([])
    expect(history('2023-11-18', '2024-11-19', extended)).toMatchObject([
      { detail: { earliest: '2023-11-19' } },
    ])
    const saved_range = { start: '2020-01-01', end: '2020-02-01', dynamic_range: 0 }
    expect(history('2020-01-01', '2020-02-01', { saved_range })).toEqual([])
    expect(history('2020-01-02', '2020-02-01', { saved_range })).toHaveLength(1)
  })

  it('with a range that its platform does not reach back to', () => {
    const catalogueOf = () => ({ ...catalogue, history_months: 6 })
    expect(refusals({ start: '2026-05-17', blocks: [block({})] }, { catalogueOf })).toEqual([
      { code: 'history_limit', path: 'channels.0', detail: { earliest: '2026-05-18', channel: 'fb' } },
    ])
  })

  it('with a range that begins before its archives, or its present channels, reach back to', () => {
    const archive: ChannelCatalogue = { ...catalogue, history_months: 240, archive: true }
    const shorter: ChannelCatalogue = { ...archive, history_months: 120 }
    const catalogueOf = (channel: Block['channel']) =>
      ({ ga: archive, ga_event: shorter })[String(channel)] ?? catalogue
    const earliest = (...channels: Block['channel'][]) => {
      const blocks = channels.map(channel => block({ channel, accounts: [] }))
      const start = earliestStart({
        report: { channels: blocks },
        today: '2026-11-18',
        history_extended: false,
        catalogueOf,
      })
      const refusalsFrom = (first: string) => refusals({ blocks, start: first, end: first }, { catalogueOf })
      const before = Temporal.PlainDate.from(start).subtract({ days: 1 }).toString()
      expect(refusalsFrom(start)).toEqual([])
      expect(refusalsFrom(before)).toMatchObject([
        { code: 'history_limit', path: 'date_range.start', detail: { earliest: start } },
        ...refusalsFrom(before).slice(1),
      ])
      return start
    }
    expect(earliest('ga')).toBe('2006-11-18')
    expect(earliest('ga', 'ga_event')).toBe('2016-11-18')
    expect(earliest('ga', 'fb')).toBe('2024-11-18')
    expect(earliest()).toBe('2024-11-18')
  })

  it('with half a range, or one that ends before it begins', () => {
    expect(refusals({ start: null })).toMatchObject([{ code: 'invalid', path: 'date_range.start' }])
    expect(refusals({ end: null })).toMatchObject([{ code: 'invalid', path: 'date_range.end' }])
    expect(refusals({ start: '2026-11-02', end: '2026-11-01' })).toMatchObject([
      { code: 'invalid', path: 'date_range.end' },
    ])
  })

  it('with anything twice, or too many blocks', () => {
    const blocks = [block({ accounts: [1, 1], metrics: ['clicks', 'clicks'] })]
    expect(refusals({ dimensions: ['date', 'date'], blocks }, { channel_limit: 0 })).toMatchObject([
      { code: 'too_many_channels', path: 'channels', detail: { limit: 0, count: 1 } },
      { path: 'dimensions', detail: { twice: 'date' } },
      { path: 'channels.0.accounts', detail: { twice: 1 } },
      { path: 'channels.0.metrics', detail: { twice: 'clicks' } },
    ])
  })
})
