import { describe, expect, it } from 'vitest'
import { ConversionDefinition, ConversionDefinitionList } from '#shared/api/insight-settings.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const staff = await api.signedIn('staff')
const outsider = await api.signedIn('staff')
const client = await api.signedIn('external_user')
const ours = await api.advertiser('Ours', [staff.user.id, client.user.id])
const theirs = await api.advertiser('Theirs', [outsider.user.id])

const PATH = '/api/insight-setting/conversions/'
const one = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return ConversionDefinition.parse(response.body)
}
const listed = ({ body }: ApiResponse) => ConversionDefinitionList.parse(body).results
let made = 0
const body = (facts: object = {}) => ({
  advertiser: ours,
  name: `Leads ${(made += 1)}`,
  name_zh: '名單',
  entries: [{ channel: 'fb', metric: 'leads' }],
  ...facts,
})
const take = async (facts: object = {}, who: Client = boss) => one(await who.post(PATH, body(facts)))
const refusalOf = async (entries: object[]) => await staff.post(PATH, body({ entries }))

describe('conversion definitions', () => {
  it('count metrics of the catalogue and actions of the platforms', async () => {
    const entries = [
      { channel: 'fb', metric: 'leads' },
      { channel: 'fb', action: 'offsite_conversion.custom.101' },
      { channel: 'aw', action: 'Newsletter' },
      { channel: 'yg', metric: 'conversions' },
      { channel: 'ga4', action: 'generate_lead' },
    ]
    expect(await take({ entries }, staff)).toMatchObject({
      entries,
      advertiser_name: 'Ours',
      is_default: false,
      used_by: 0,
      version: 1,
    })
  })

  it.each([
    ['ga4', 'leads'],
    ['fb', 'cost'],
    ['fb', 'ctr'],
    ['fb', 'reach'],
    ['fb', 'purchase_value'],
    ['fb', 'constructor'],
  ])('count no metric that the channel lacks or that is no sum of events: %s %s', async (channel, metric) => {
    const refused = await refusalOf([
      { channel: 'aw', action: 'Call' },
      { channel, metric },
    ])
    expectRefusal(refused, 400, 'invalid', { 'entries.1.metric': ['field_not_available'] })
  })

  it.each([
    [
      { channel: 'fb', metric: 'conversions' },
      { channel: 'fb', action: 'purchase' },
    ],
    [
      { channel: 'fb', action: 'omni_purchase' },
      { channel: 'fb', action: 'web_in_store_purchase' },
    ],
    [
      { channel: 'aw', metric: 'all_conversions' },
      { channel: 'aw', action: 'Call' },
    ],
    [
      { channel: 'ga4', action: 'purchase' },
      { channel: 'ga4', action: 'purchase' },
    ],
  ])('count no event twice: %j and %j', async (entry, other) => {
    const refused = await refusalOf([{ channel: 'yg', action: 'x' }, entry, other])
    expectRefusal(refused, 400, 'invalid', { entries: ['conversion_overlaps'] })
    expect(refused.body).toMatchObject({ details: { entries: { entry: 2, with: 1 } } })
    const { id } = await take()
    const change = await staff.patch(`${PATH}${id}/`, { version: 1, entries: [entry, other] })
    expectRefusal(change, 400, 'invalid', { entries: ['conversion_overlaps'] })
  })

  it('have from one to twenty entries, each of a metric or of an action', async () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ channel: 'aw', action: `Action ${at}` }))
    for (const entries of [
      [],
      many,
      [{ channel: 'tt', metric: 'conversions' }],
      [{ channel: 'fb' }],
      [{ channel: 'fb', metric: 'calc:1' }],
      [{ channel: 'fb', metric: 'leads', action: 'lead' }],
    ])
      expect((await refusalOf(entries)).status, JSON.stringify(entries)).toBe(400)
    expect((await take({ entries: many.slice(1) })).entries).toHaveLength(20)
  })

  it('have one default for each advertiser: a new one takes the place of the last', async () => {
    const advertiser = await api.advertiser('With a default', [staff.user.id])
    const first = await take({ advertiser, is_default: true }, staff)
    const elsewhere = await take({ is_default: true })
    const second = await take({ advertiser, is_default: true }, staff)
    expect(one(await staff.get(`${PATH}${first.id}/`))).toMatchObject({ is_default: false, version: 2 })
    expect(one(await staff.patch(`${PATH}${first.id}/`, { version: 2, is_default: true })).version).toBe(3)
    expect(one(await staff.get(`${PATH}${second.id}/`))).toMatchObject({ is_default: false, version: 2 })
    expect(one(await staff.get(`${PATH}${elsewhere.id}/`))).toMatchObject({ is_default: true, version: 1 })
    expect(one(await staff.patch(`${PATH}${first.id}/`, { version: 3, is_default: true })).version).toBe(4)
    expect(one(await staff.patch(`${PATH}${first.id}/`, { version: 4, is_default: false })).is_default).toBe(
      false,
    )
  })

  it('have one default however many become it at once', async () => {
    const advertiser = await api.advertiser('Contested', [staff.user.id])
    const rows = [
      await take({ advertiser }),
      await take({ advertiser }),
      await take({ advertiser, is_default: true }),
    ]
    const responses = await Promise.all([
      ...rows.map(({ id }) => staff.patch(`${PATH}${id}/`, { version: 1, is_default: true })),
      ...Array.from({ length: 5 }, () => staff.post(PATH, body({ advertiser, is_default: true }))),
    ])
    // One that has lost its place meanwhile has another version.
    for (const { status } of responses) expect([200, 201, 409]).toContain(status)
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5)
    const all = listed(await staff.get(`${PATH}?advertiser=${advertiser}&limit=100`))
    expect(all.filter(row => row.is_default)).toHaveLength(1)
    expect(all).toHaveLength(8)
  })

  it('are for those who serve the advertiser', async () => {
    const [mine, others] = [await take(), await take({ advertiser: theirs })]
    const ids = listed(await staff.get(`${PATH}?limit=100`)).map(({ id }) => id)
    expect(ids).toContain(mine.id)
    expect(ids).not.toContain(others.id)
    expect((await staff.get(`${PATH}?search=${others.name}&advertiser=${theirs}`)).body).toMatchObject({
      count: 0,
    })
    for (const refused of [
      await staff.get(`${PATH}${others.id}/`),
      await staff.patch(`${PATH}${others.id}/`, { version: 1, name: 'Mine' }),
      await staff.delete(`${PATH}${others.id}/`, { version: 1 }),
    ])
      expectRefusal(refused, 404, 'not_found')
    expectRefusal(await staff.post(PATH, body({ advertiser: theirs })), 400, 'invalid', {
      advertiser: ['field_not_available'],
    })
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expectRefusal(await client.post(PATH, body()), 403, 'forbidden')
  })

  it('are changed in the version that was read, and have names of their own', async () => {
    const [{ id, name }, other] = [await take(), await take()]
    expect(one(await staff.patch(`${PATH}${id}/`, { version: 1, name_zh: '表單' })).version).toBe(2)
    const late = await staff.patch(`${PATH}${id}/`, { version: 1, name_zh: '太晚' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body).toMatchObject({ conversion: { version: 2, name_zh: '表單' } })
    const taken = await staff.patch(`${PATH}${other.id}/`, { version: 1, name: name.toUpperCase() })
    expectRefusal(taken, 400, 'invalid', { name: ['name_taken'] })
    expect((await take({ name, advertiser: theirs })).name).toBe(name)
  })

  it('that blocks of reports have are not deleted', async () => {
    const [used, unused] = [await take(), await take()]
    const block = { channel: 'fb', accounts: [], metrics: ['cpa'] }
    const { id: report } = await client.report({ channels: [block, { ...block, conversion: null }] })
    const blocks = [block, { ...block, conversion: used.id }, { ...block, conversion: null }]
    const channels = JSON.stringify(blocks)
    await api.db.updateTable('report').set({ channels }).where('id', '=', report).execute()
    expect(one(await staff.get(`${PATH}${used.id}/`)).used_by).toBe(1)
    const refused = await staff.delete(`${PATH}${used.id}/`, { version: 1 })
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { reports: 1 } })
    expect((await staff.delete(`${PATH}${unused.id}/`, { version: 1 })).status).toBe(204)
    await api.db.updateTable('report').set({ deleted_at: new Date() }).where('id', '=', report).execute()
    expect((await staff.delete(`${PATH}${used.id}/`, { version: 1 })).status).toBe(204)
  })

  it('are listed in any order, and as a table', async () => {
    const { name } = await take({ name_zh: '可找到', entries: [{ channel: 'aw', action: 'Call, by phone' }] })
    for (const ordering of ['id', 'name', '-name_zh', 'advertiser_name', '-last_modified_at'])
      expect((await staff.get(`${PATH}?ordering=${ordering}`)).status).toBe(200)
    expect(listed(await staff.get(`${PATH}?search=${encodeURIComponent('可找到')}`))).toMatchObject([
      { name },
    ])
    expect(String((await staff.get(`${PATH}?format=csv`)).body)).toContain('"aw: Call, by phone"')
  })
})
