import { describe, expect, it } from 'vitest'
import { MetricLabel, MetricLabelList } from '#shared/api/insight-settings.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const manager = await api.signedIn('manager', { department: 2 })
const staff = await api.signedIn('staff', { department: 2 })
const outsider = await api.signedIn('staff', { department: 3 })
const client = await api.signedIn('external_user')
const ours = await api.advertiser('Ours', [staff.user.id, client.user.id])
const theirs = await api.advertiser('Theirs', [outsider.user.id])

const PATH = '/api/insight-setting/labels/'
const one = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return MetricLabel.parse(response.body)
}
const listed = ({ body }: ApiResponse) => MetricLabelList.parse(body).results
const body = (facts: object = {}) => ({
  advertiser: ours,
  metric: 'cost',
  label: 'Spend',
  label_zh: '廣告費',
  ...facts,
})
const take = async (facts: object = {}, who: Client = staff) => one(await who.post(PATH, body(facts)))

describe('labels', () => {
  it('name a metric of all channels or of one', async () => {
    expect(await take()).toMatchObject({ channel: null, label: 'Spend', may_change: true, version: 1 })
    expect(await take({ channel: 'fb' })).toMatchObject({ channel: 'fb', advertiser_name: 'Ours' })
    expect(await take({ metric: 'client_cost' })).toMatchObject({ metric: 'client_cost' })
    expect(await take({ metric: 'quality_ranking', channel: 'fb' })).toMatchObject({
      metric: 'quality_ranking',
    })
  })

  it.each([
    [{ metric: 'sessions', channel: 'fb' }, 'field_not_available'],
    [{ metric: 'client_cost', channel: 'ga4' }, 'field_not_available'],
    [{ metric: 'constructor' }, 'field_not_available'],
    [{ metric: 'calc:7' }, 'field_invalid'],
  ] as const)('are of a metric that is there: not %j', async (facts, code) => {
    expectRefusal(await staff.post(PATH, body(facts)), 400, 'invalid', { metric: [code] })
  })

  it('are one for each scope, channel and metric', async () => {
    await take({ metric: 'clicks' })
    expectRefusal(await staff.post(PATH, body({ metric: 'clicks' })), 400, 'invalid', {
      metric: ['label_taken'],
    })
    await take({ metric: 'clicks', channel: 'aw' })
    await take({ metric: 'clicks', advertiser: null }, manager)
    const again = await manager.post(PATH, body({ metric: 'clicks', advertiser: null }))
    expectRefusal(again, 400, 'invalid', { metric: ['label_taken'] })
  })

  it('of an advertiser are for those who serve it, the agency’s for everybody', async () => {
    const all = await take({ metric: 'ctr', advertiser: null }, boss)
    const others = await take({ metric: 'ctr', advertiser: theirs, label: 'Foreign' }, boss)
    for (const who of [staff, manager]) {
      const ids = listed(await who.get(`${PATH}?limit=100`)).map(({ id }) => id)
      expect(ids).toContain(all.id)
      expect(ids).not.toContain(others.id)
      expect((await who.get(`${PATH}?search=Foreign`)).body).toMatchObject({ count: 0 })
      expectRefusal(await who.get(`${PATH}${others.id}/`), 404, 'not_found')
      expectRefusal(await who.patch(`${PATH}${others.id}/`, { version: 1, label: 'x' }), 404, 'not_found')
      expectRefusal(await who.delete(`${PATH}${others.id}/`, { version: 1 }), 404, 'not_found')
    }
    expect(one(await staff.get(`${PATH}${all.id}/`)).may_change).toBe(false)
    expectRefusal(await staff.post(PATH, body({ advertiser: null })), 403, 'forbidden')
    expectRefusal(await staff.patch(`${PATH}${all.id}/`, { version: 1, label: 'x' }), 403, 'forbidden')
    expectRefusal(await staff.delete(`${PATH}${all.id}/`, { version: 1 }), 403, 'forbidden')
    expectRefusal(await staff.post(PATH, body({ advertiser: theirs, metric: 'cpm' })), 400, 'invalid', {
      advertiser: ['field_not_available'],
    })
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expect((await manager.delete(`${PATH}${all.id}/`, { version: 1 })).status).toBe(204)
    expectRefusal(await staff.get(`${PATH}${all.id}/`), 404, 'not_found')
  })

  it('are changed by one of two who have read the same version', async () => {
    const { id } = await take({ metric: 'cpc' })
    const change = (label: string) => staff.patch(`${PATH}${id}/`, { version: 1, label })
    const [first, second] = await Promise.all([change('first'), change('second')])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ label: { version: 2, label: one(won).label } })
  })

  it('are found by metric and name, by channel and by advertiser', async () => {
    const { id } = await take({ metric: 'reach', channel: 'fb', label: 'People', label_zh: '人數' })
    for (const search of ['reach', 'people', '人數'])
      expect(listed(await staff.get(`${PATH}?search=${encodeURIComponent(search)}`))).toMatchObject([{ id }])
    expect(listed(await staff.get(`${PATH}?search=reach&channel=tt`))).toEqual([])
    expect(listed(await staff.get(`${PATH}?search=reach&advertiser=agency`))).toEqual([])
    for (const ordering of ['id', '-metric', 'label', 'last_modified_at'])
      expect((await staff.get(`${PATH}?ordering=${ordering}`)).status).toBe(200)
    expect(String((await staff.get(`${PATH}?search=reach&format=csv`)).body)).toContain(
      'Ours,fb,reach,People,人數',
    )
  })
})
