import { expect, test } from 'vitest'
import { AURORA, BOREALIS, named, REVOKED, startClient } from '#sandbox/testing/ga4.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const CEDAR = '384626433'
const client = resetAfterEach(await startClient())
const list = (property: string, query = '') => client.get(`v1alpha/properties/${property}/audiences${query}`)
const SIZES = {
  dimensions: named('audienceId', 'audienceName'),
  metrics: named('totalUsers'),
  dateRanges: [{ startDate: '29daysAgo', endDate: 'today' }],
}

test('two properties have audiences, which come in pages', async () => {
  const { body } = await list(AURORA)
  expect(body.audiences).toHaveLength(2)
  expect(body.audiences[0]).toEqual({
    name: `properties/${AURORA}/audiences/77`,
    displayName: 'Cart, no purchase',
    description: 'Cart, no purchase.',
    membershipDurationDays: 30,
    adsPersonalizationEnabled: true,
    createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  expect((await client.get(`v1alpha/${body.audiences[0].name}`)).body).toEqual(body.audiences[0])
  const { body: first } = await list(CEDAR, '?pageSize=1')
  const { body: second } = await list(CEDAR, `?pageSize=1&pageToken=${first.nextPageToken}`)
  expect([...first.audiences, ...second.audiences]).toEqual((await list(CEDAR)).body.audiences)
  expect((await list(BOREALIS)).body).toEqual({})
})

test('a login sees those of its properties, and changes none here', async () => {
  expect((await list(REVOKED)).status).toBe(403)
  expect((await client.get(`v1alpha/properties/${AURORA}/audiences`, null)).status).toBe(401)
  expect((await client.get(`v1alpha/properties/${AURORA}/audiences/79`)).status).toBe(403)
  const refused = await client.post(`v1alpha/properties/${AURORA}/audiences`, {})
  expect([refused.status, refused.body.error.status]).toEqual([501, 'UNIMPLEMENTED'])
  expect((await client.control('GET', 'not-emulated')).body.not_emulated).toContainEqual({
    platform: 'ga4',
    name: 'changes of audiences',
  })
})

test('a report says how many people are in each', async () => {
  expect(await client.rows({ ...SIZES, orderBys: [{ metric: { metricName: 'totalUsers' } }] })).toEqual([
    [['78', '購買者 "VIP" 100%_[new]'], ['912']],
    [['77', 'Cart, no purchase'], ['1840']],
  ])
  const week = [{ startDate: '6daysAgo', endDate: 'today' }]
  const [[, [fewer]]] = (await client.rows({ ...SIZES, dateRanges: week, limit: 1 })) as [
    [string[], string[]],
  ]
  expect(Number(fewer)).toBeLessThan(1840)
  expect(await client.rows(SIZES, BOREALIS)).toEqual([])
  const other = await client.report({ ...SIZES, metrics: named('sessions') })
  expect([other.status, other.body.error.message]).toEqual([501, expect.stringContaining('sessions')])
  expect((await client.report({ ...SIZES, metrics: [] })).status).toBe(400)
})
