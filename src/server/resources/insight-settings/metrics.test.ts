import { describe, expect, it } from 'vitest'
import { CalculatedMetric, CalculatedMetricList } from '#shared/api/insight-settings.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { reportsWithMetrics } from './metric-queries.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const manager = await api.signedIn('manager', { department: 2 })
const staff = await api.signedIn('staff', { department: 2 })
const outsider = await api.signedIn('staff', { department: 3 })
const client = await api.signedIn('external_user')
const ours = await api.advertiser('Ours', [staff.user.id, client.user.id])
const theirs = await api.advertiser('Theirs', [outsider.user.id])

const PATH = '/api/insight-setting/metrics/'
const one = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return CalculatedMetric.parse(response.body)
}
const names = ({ body }: ApiResponse) => CalculatedMetricList.parse(body).results.map(({ name }) => name)
let made = 0
const body = (facts: object = {}) => {
  const name = `Metric ${(made += 1)}`
  return { advertiser: ours, name, name_zh: '指標', formula: 'cost / (purchases + leads)', ...facts }
}
const take = async (facts: object = {}, who: Client = boss) => one(await who.post(PATH, body(facts)))
async function reportWith(metrics: string[], who: Client = boss) {
  const { id } = await who.report()
  const channels = JSON.stringify([{ channel: 'fb', accounts: [], metrics }])
  await api.db.updateTable('report').set({ channels }).where('id', '=', id).execute()
  return id
}

describe('calculated metrics', () => {
  it('say in which channels they can be, and how many reports have them', async () => {
    const facts = { unit: 'money', decimals: 0, explanation: 'Per purchase\nor lead' }
    expect(await take(facts, staff)).toMatchObject({
      ...facts,
      advertiser: ours,
      advertiser_name: 'Ours',
      channels: ['fb', 'ln'],
      used_by: 0,
      may_change: true,
      is_active: true,
      version: 1,
    })
    expect(await take({ formula: 'cost × 2' }, staff)).toMatchObject({ unit: 'ratio', decimals: 2 })
  })

  it.each([
    ['cost ** 2', 'ratio', { code: 'formula_syntax', at: 6 }],
    ['1e9', 'ratio', { code: 'formula_syntax', at: 1 }],
    ['__proto__', 'ratio', { code: 'formula_syntax', at: 0 }],
    ['constructor', 'ratio', { code: 'formula_unknown', at: 0, metric: 'constructor' }],
    ['cost / quality_ranking', 'ratio', { code: 'formula_unknown', at: 7, metric: 'quality_ranking' }],
    ['cost / frequency / sessions', 'ratio', { code: 'formula_unknown', at: 19, metric: 'sessions' }],
    ['cost + clicks', 'ratio', { code: 'formula_units', at: 5, operator: '+' }],
    ['clicks', 'money', { code: 'formula_units', at: 0, unit: 'money' }],
  ])('are refused with the place of the fault: %s as %s', async (formula, unit, { code, ...detail }) => {
    const refused = await staff.post(PATH, body({ formula, unit }))
    expectRefusal(refused, 400, 'invalid', { formula: [code as 'formula_syntax'] })
    expect(refused.body).toMatchObject({ details: { formula: detail } })
    const { id } = await take({ unit: 'money' })
    const change = await staff.patch(`${PATH}${id}/`, { version: 1, formula, unit })
    expect(change.body).toMatchObject({ codes: { formula: [code] }, details: { formula: detail } })
  })

  it('keep their unit and formula together when one of them changes', async () => {
    const { id } = await take({ unit: 'money' })
    const change = (facts: object) => staff.patch(`${PATH}${id}/`, { version: 1, ...facts })
    expectRefusal(await change({ formula: 'clicks / impressions' }), 400, 'invalid', {
      formula: ['formula_units'],
    })
    expect(one(await change({ formula: 'clicks / impressions', unit: 'percent' })).channels).toContain('aw')
  })

  it('have names of their own for each advertiser and for the agency, whatever the case', async () => {
    const { name } = await take()
    const upper = name.toUpperCase()
    expectRefusal(await staff.post(PATH, body({ name: upper })), 400, 'invalid', { name: ['name_taken'] })
    for (const advertiser of [theirs, null]) expect((await take({ name, advertiser })).name).toBe(name)
    const again = await boss.post(PATH, body({ name: upper, advertiser: null }))
    expectRefusal(again, 400, 'invalid', { name: ['name_taken'] })
  })

  it('of an advertiser are for those who serve it, the agency’s for everybody', async () => {
    const [mine, others, all] = [
      await take(),
      await take({ advertiser: theirs }),
      await take({ advertiser: null, explanation: 'Of the agency' }),
    ]
    expect(await take({ advertiser: null }, manager)).toMatchObject({ advertiser: null, may_change: true })
    for (const who of [staff, manager]) {
      const listed = names(await who.get(`${PATH}?limit=100`))
      expect(listed).toEqual(expect.arrayContaining([mine.name, all.name]))
      expect(listed).not.toContain(others.name)
      expect((await who.get(`${PATH}?search=${others.name}`)).body).toMatchObject({ count: 0 })
      expect((await who.get(`${PATH}?advertiser=${theirs}`)).body).toMatchObject({ count: 0 })
      const change = { version: 1, name: 'Mine now' }
      for (const refused of [
        await who.get(`${PATH}${others.id}/`),
        await who.patch(`${PATH}${others.id}/`, change),
        await who.delete(`${PATH}${others.id}/`, { version: 1 }),
      ])
        expectRefusal(refused, 404, 'not_found')
      expectRefusal(await who.post(PATH, body({ advertiser: theirs })), 400, 'invalid', {
        advertiser: ['field_not_available'],
      })
    }
    expect(one(await staff.get(`${PATH}${all.id}/`)).may_change).toBe(false)
    expectRefusal(await staff.post(PATH, body({ advertiser: null })), 403, 'forbidden')
    expectRefusal(await staff.patch(`${PATH}${all.id}/`, { version: 1, decimals: 3 }), 403, 'forbidden')
    expectRefusal(await staff.delete(`${PATH}${all.id}/`, { version: 1 }), 403, 'forbidden')
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expect(names(await boss.get(`${PATH}?advertiser=agency&search=Of the agency`))).toEqual([all.name])
    expectRefusal(await boss.post(PATH, body({ advertiser: 987_654 })), 400, 'invalid', {
      advertiser: ['field_not_available'],
    })
  })

  it('are changed by one of two who have read the same version', async () => {
    const { id } = await take()
    const change = (explanation: string) => staff.patch(`${PATH}${id}/`, { version: 1, explanation })
    const [first, second] = await Promise.all([change('first'), change('second')])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ metric: { version: 2, explanation: one(won).explanation } })
  })

  it('that a report has are deactivated, not deleted, whoever owns the report', async () => {
    const { id } = await take()
    const other = await take()
    await reportWith(['cost', `calc:${id}`])
    await reportWith([`calc:${id}`, `calc:${other.id}0`], client)
    const gone = await reportWith([`calc:${id}`, `calc:${other.id}`])
    await boss.delete(`/api/gs-template-setting/${gone}/`)
    expect(one(await staff.get(`${PATH}${id}/`)).used_by).toBe(2)
    expect(await reportsWithMetrics(api.db, [id, other.id])).toEqual(new Map([[id, 2]]))
    const refused = await staff.delete(`${PATH}${id}/`, { version: 1 })
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { reports: 2 } })
    expect(one(await staff.patch(`${PATH}${id}/`, { version: 1, is_active: false })).is_active).toBe(false)
    expect((await staff.delete(`${PATH}${other.id}/`, { version: 1 })).status).toBe(204)
    expectRefusal(await staff.get(`${PATH}${other.id}/`), 404, 'not_found')
  })

  it('are found by name, explanation and formula, in any order', async () => {
    const { name } = await take({
      name_zh: '每筆名單成本',
      explanation: 'findable',
      formula: 'cost / form_leads',
    })
    for (const search of ['每筆名單', 'FINDABLE', 'form_leads'])
      expect(names(await staff.get(`${PATH}?search=${encodeURIComponent(search)}`))).toEqual([name])
    expect(names(await staff.get(`${PATH}?search=findable&is_active=false`))).toEqual([])
    for (const ordering of ['id', '-name', 'name_zh', 'last_modified_at'])
      expect((await staff.get(`${PATH}?ordering=${ordering}`)).status).toBe(200)
    expect(String((await staff.get(`${PATH}?search=findable&format=csv`)).body)).toContain(
      'cost / form_leads',
    )
  })

  it('are at most 200 of an advertiser', async () => {
    const advertiser = await api.advertiser('With many', [staff.user.id])
    const values = Array.from({ length: 199 }, (_, at) => ({
      advertiser,
      name: `Many ${at}`,
      name_zh: 'x',
      formula: 'cost',
      unit: 'money' as const,
      decimals: 2,
    }))
    await api.db.insertInto('calculated_metric').values(values).execute()
    const responses = await Promise.all([1, 2, 3].map(() => staff.post(PATH, body({ advertiser }))))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
    const refused = responses.find(({ status }) => status === 400)
    expect(refused?.body).toMatchObject({ codes: { advertiser: ['field_too_many'] } })
  })

  it('keep an advertiser from being deleted', async () => {
    const advertiser = await api.advertiser('With a metric')
    await take({ advertiser })
    const refused = await boss.delete(`/api/advertiser/${advertiser}/`, { version: 1 })
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { metrics: 1 } })
  })
})
