import { expect, it } from 'vitest'
import { Catalogue } from '#shared/api/catalogue.ts'
import { catalogueOf, channelIds } from '#shared/channels/all.ts'
import { testApi } from '#server/http/testing.ts'

const api = await testApi()

it('is the whole catalogue, with the formulas of derived metrics', async () => {
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
  expect(catalogue.filter_rules).toEqual(['EQUAL', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'NOT_CONTAINS'])
  expect(catalogue.limits).toMatchObject({ channels: 10, accounts: 50 })
})
