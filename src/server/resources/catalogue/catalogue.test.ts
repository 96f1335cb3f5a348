import { expect, it } from 'vitest'
import { Catalogue } from '#shared/api/catalogue.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { testApi } from '#server/http/testing/api.ts'

const api = await testApi()

it('has the whole catalogue, with the formulas of derived metrics', async () => {
  const { get } = await api.signedIn('external_user')
  const catalogue = Catalogue.parse((await get('/api/ad/gs_metrics/')).body)
  expect(catalogue.channels.map(({ channel }) => channel)).toEqual(channelIds)
  const [fb] = catalogue.channels
  expect(fb?.metrics.map(({ id }) => id)).toEqual(Object.keys(catalogueOf('fb').metrics))
  expect(fb?.metrics.find(({ id }) => id === 'cpm')?.formula).toEqual({
    numerator: 'cost',
    denominator: 'impressions',
    times: 1000,
  })
  expect(fb?.metrics.find(({ id }) => id === 'impressions')?.formula).toBeNull()
  expect(
    catalogue.channels.map(({ channel, accounts_of, archive }) => ({ channel, accounts_of, archive })),
  ).toEqual(
    channelIds.map(channel => ({
      channel,
      accounts_of: catalogueOf(channel).accounts_of ?? channel,
      archive: catalogueOf(channel).archive ?? false,
    })),
  )
  expect(catalogue.filter_rules).toEqual(['EQUAL', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'NOT_CONTAINS'])
  expect(catalogue.limits).toMatchObject({ channels: 10, accounts: 50 })
})

it.each(channelIds)('has every limit of %s', async id => {
  const { get } = await api.signedIn('external_user')
  const { channels } = Catalogue.parse((await get('/api/ad/gs_metrics/')).body)
  const listed = channels.find(({ channel }) => channel === id)
  const { limited = {}, apart = [], dimension_providers = {}, metrics } = catalogueOf(id)
  expect(listed).toMatchObject({ limited, apart, dimension_providers })
  expect(
    listed?.metrics.map(({ not_with, only_with, not_beside, providers }) => ({
      not_with,
      only_with,
      not_beside,
      providers,
    })),
  ).toEqual(
    Object.values(metrics).map(({ not_with = [], only_with = [], not_beside = [], providers = null }) => ({
      not_with,
      only_with,
      not_beside,
      providers,
    })),
  )
})

it('has the calculated metrics of the agency and of one’s own advertisers, where a channel has their metrics', async () => {
  const manager = await api.signedIn('superuser')
  const client = await api.signedIn('external_user')
  const advertiser = await api.advertiser('Own', [client.user.id])
  const others = await api.advertiser('Other', [])
  const take = async (facts: object) =>
    (await manager.post('/api/insight-setting/metrics/', { name_zh: '指標', ...facts })).body as {
      id: number
    }
  const agency = await take({ name: 'Agency', formula: 'clicks / impressions' })
  const own = await take({ advertiser, name: 'Own', formula: 'client_cost / link_clicks' })
  const foreign = await take({ advertiser: others, name: 'Foreign', formula: 'clicks' })
  const retired = await take({ name: 'Retired', formula: 'clicks', is_active: false })
  const { channels, meanings } = Catalogue.parse((await client.get('/api/ad/gs_metrics/')).body)
  const calculated = (channel: string) =>
    channels
      .find(each => each.channel === channel)
      ?.metrics.flatMap(({ id, kind }) => (kind === 'calculated' ? id : []))
  expect(calculated('fb')).toEqual([`calc:${agency.id}`, `calc:${own.id}`])
  expect(calculated('aw')).toEqual([`calc:${agency.id}`])
  expect(meanings.metrics.map(({ id }) => id)).toEqual([agency.id, own.id, retired.id])
  expect(JSON.stringify(meanings)).not.toContain(`Foreign`)
  expect(foreign.id).toBeGreaterThan(0)
})
