import { describe, expect, it } from 'vitest'
import { whyNotAsk } from '#shared/block-rules.ts'
import { languages } from '#shared/language.ts'
import { measuresOf } from '#shared/metrics.ts'
import { providers, type Provider } from '#shared/platforms.ts'
import { catalogueOf } from './all.ts'
import { channelNames, dimensions, filterFields, type Channel, type Dimension } from './catalogue.ts'
import { channelIds } from './ids.ts'

/** Which dimensions each channel has, those with limits included. */
const offered: Record<Channel, Dimension[]> = {
  fb: ['campaign', 'ad_group', 'ad', 'device_type'],
  aw: ['campaign', 'ad_group', 'ad', 'device_type'],
  aw_keyword: ['campaign', 'ad_group', 'keyword', 'device_type'],
  yg: ['campaign', 'ad_group', 'ad', 'keyword', 'device_type'],
  tt: ['campaign', 'ad_group', 'ad', 'device_type'],
  ln: ['campaign', 'ad_group', 'ad', 'device_type'],
  ga: ['campaign', 'keyword', 'device_type', 'ga_account', 'property', 'view', ...visits()],
  ga_event: [
    'campaign',
    'keyword',
    'device_type',
    'ga_account',
    'property',
    'view',
    ...visits(),
    'event_category',
    'event_action',
  ],
  ga4: [
    'campaign',
    'keyword',
    'device_type',
    'ga_account',
    'property',
    ...visits(),
    'event_category',
    'event_action',
  ],
}

function visits(): Dimension[] {
  return ['source', 'medium', 'source_medium', 'ad_content']
}

const everywhere: Dimension[] = ['month', 'week', 'date', 'account_name', 'account_id', 'currency']

/** Limits that are not of the dimension as a whole, and so need a sentence. */
const limited: Partial<Record<Channel, Dimension[]>> = {
  aw: ['ad_group', 'ad'],
  yg: ['keyword'],
  tt: ['device_type'],
  ln: ['device_type'],
  ga4: ['event_category', 'event_action'],
}

describe.each(channelIds)('the catalogue of %s', channel => {
  const catalogue = catalogueOf(channel)
  const metrics = Object.entries(catalogue.metrics)
  const own = (Object.keys(providers) as Provider[]).filter(
    provider => providers[provider].channel === (catalogue.accounts_of ?? channel),
  )

  it('has the name that the channel has everywhere', () => {
    expect(catalogue.names).toEqual(channelNames[channel])
  })

  it('offers its dimensions, and says what limits them', () => {
    expect(catalogue.dimensions.toSorted()).toEqual([...everywhere, ...offered[channel]].toSorted())
    expect(Object.keys(catalogue.limited ?? {})).toEqual(expect.arrayContaining(limited[channel] ?? []))
  })

  it('filters by what it can be split by', () => {
    const unknown = catalogue.filters.filter(field => {
      const { of } = filterFields[field]
      return of !== 'account' && !catalogue.dimensions.includes(of)
    })
    expect(unknown).toEqual([])
    const missing = (['campaign_name', 'device_type'] as const).filter(
      field => !catalogue.filters.includes(field),
    )
    expect(missing).toEqual([])
  })

  it('computes every derived metric from metrics that it fetches', () => {
    const unknown = metrics.flatMap(([id, metric]) =>
      metric.kind === 'derived'
        ? measuresOf(catalogue, id).filter(part => (catalogue.metrics[part]?.kind ?? 'derived') === 'derived')
        : [],
    )
    expect(unknown).toEqual([])
  })

  it('speaks only of dimensions, metrics and providers that it has', () => {
    const facts = metrics.map(([, metric]) => metric)
    const named = facts.flatMap(({ only_with = [] }) => only_with)
    const pairs = (catalogue.apart ?? []).flat()
    const keyed = Object.keys({ ...catalogue.limited, ...catalogue.dimension_providers })
    expect(
      [...named, ...pairs, ...keyed].filter(each => !(catalogue.dimensions as string[]).includes(each)),
    ).toEqual([])
    const beside = facts.flatMap(({ not_beside = [] }) => not_beside)
    expect(beside.filter(id => !Object.hasOwn(catalogue.metrics, id))).toEqual([])
    const theirs = [
      ...facts.flatMap(({ providers: of = [] }) => of),
      ...Object.values(catalogue.dimension_providers ?? {}).flat(),
    ]
    expect(theirs.filter(provider => !own.includes(provider))).toEqual([])
  })

  it.each(languages)('gives each metric a name of its own and an explanation in %s', language => {
    const names = metrics.map(([, metric]) => metric.names[language])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(metrics.filter(([, { explanation }]) => explanation[language].trim().length < 4)).toEqual([])
  })

  it('can be queried for its usual metrics, by day and campaign, at each provider', () => {
    for (const provider of own) {
      const block = { channel, metrics: [...catalogue.usual_metrics], filters: [] }
      const refusals = whyNotAsk({
        index: 0,
        block,
        dimensions: ['date', 'campaign'],
        catalogue,
        accounts: [{ provider }],
      })
      expect(refusals).toEqual([])
    }
  })

  it('can be queried for each of its metrics in some way', () => {
    const hidden = metrics.filter(([id, metric]) => {
      return own.every(
        provider =>
          whyNotAsk({
            index: 0,
            block: { channel, metrics: [id], filters: [] },
            dimensions: metric.only_with ?? [],
            catalogue,
            accounts: [{ provider }],
          }).length > 0,
      )
    })
    expect(hidden.map(([id]) => id)).toEqual([])
  })

  it('knows every dimension that it names', () => {
    expect(catalogue.dimensions.filter(id => !Object.hasOwn(dimensions, id))).toEqual([])
  })
})

/** What is side by side in a table of several channels. */
const common = [
  'impressions',
  'clicks',
  'cost',
  'conversions',
  'conversion_value',
  'reach',
  'frequency',
  'video_views',
  'ctr',
  'cpc',
  'cpm',
  'cvr',
  'cpa',
  'roas',
]

it.each(common)('calls %s the same in every channel that has it, of one unit', id => {
  const titles = channelIds.flatMap(channel => {
    const metric = catalogueOf(channel).metrics[id]
    return metric ? [JSON.stringify([metric.names, metric.unit])] : []
  })
  expect(titles.length).toBeGreaterThan(4)
  expect(new Set(titles).size).toBe(1)
})
