import { describe, expect, it } from 'vitest'
import { Industry, IndustryList } from '#shared/api/customers.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const manager = await api.signedIn('manager', { department: 2 })
const staff = await api.signedIn('staff')
const finance = await api.signedIn('staff', { department: 7 })
const client = await api.signedIn('external_user')

const PATH = '/api/industry/'
const one = ({ body }: ApiResponse) => Industry.parse(body)
const list = ({ body }: ApiResponse) => IndustryList.parse(body)
let made = 0
const take = async () =>
  one(await staff.post(PATH, { name: `Industry ${(made += 1)}`, name_zh: `產業 ${made}` }))
const advertiserIn = async (industry: number, members: number[] = []) => {
  const id = await api.advertiser(`Customer ${(made += 1)}`, members)
  await api.db.updateTable('advertiser').set({ industry }).where('id', '=', id).execute()
  return id
}

describe('industries', () => {
  it('are thirteen at first, in both languages', async () => {
    const { count, results } = list(await staff.get(`${PATH}?limit=100&ordering=id`))
    expect(count).toBe(13)
    const names = results.map(({ name, name_zh }) => `${name} ${name_zh}`)
    expect(names).toEqual(expect.arrayContaining(['E-commerce 電商零售', 'Beauty 美妝保養', 'Travel 旅遊']))
    expectRefusal(await client.get(PATH), 403, 'forbidden')
  })

  it('are found in either language, and ordered by any field', async () => {
    const first = async (query: string) => list(await staff.get(`${PATH}?${query}`)).results[0]?.name
    expect(await first('search=beau')).toBe('Beauty')
    expect(await first(`search=${encodeURIComponent('旅')}`)).toBe('Travel')
    expect(await first('ordering=name')).toBe('Beauty')
    const { id, name } = await take()
    await advertiserIn(id, [staff.user.id])
    expect(await first('ordering=-advertisers')).toBe(name)
    for (const ordering of ['name_zh', '-name_zh', '-name', 'advertisers', '-id'])
      expect((await staff.get(`${PATH}?ordering=${ordering}`)).status).toBe(200)
  })

  it.each([
    ['name', { name: 'beauty', name_zh: '新' }],
    ['name_zh', { name: 'New', name_zh: '旅遊' }],
  ])('have one %s each, whatever the case', async (field, names) => {
    expectRefusal(await staff.post(PATH, names), 400, 'invalid', { [field]: ['name_taken'] })
    const { id } = await take()
    const renamed = await staff.patch(`${PATH}${id}/`, { version: 1, [field]: Object(names)[field] })
    expectRefusal(renamed, 400, 'invalid', { [field]: ['name_taken'] })
  })

  it('count the advertisers that the reader may see', async () => {
    const { id } = await take()
    await advertiserIn(id, [staff.user.id])
    await advertiserIn(id)
    const counted = async (who: typeof staff) => one(await who.get(`${PATH}${id}/`)).advertisers
    expect([await counted(staff), await counted(finance), await counted(boss)]).toEqual([1, 2, 2])
    expect(one(await staff.patch(`${PATH}${id}/`, { version: 1 })).advertisers).toBe(1)
  })

  it('are changed by one of two who have read the same version', async () => {
    const { id } = await take()
    const rename = (name: string) => staff.patch(`${PATH}${id}/`, { version: 1, name })
    expect(one(await rename('Renamed')).version).toBe(2)
    const late = await rename('Too late')
    expectRefusal(late, 409, 'conflict')
    expect(late.body).toMatchObject({ industry: { id, version: 2, name: 'Renamed' } })
    expectRefusal(await staff.patch(`${PATH}999999/`, { version: 1 }), 404, 'not_found')
  })

  it('are deleted by managers and finance while nobody is in them', async () => {
    const { id } = await take()
    const body = { version: 1 }
    expectRefusal(await staff.delete(`${PATH}${id}/`, body), 403, 'forbidden')
    const advertiser = await advertiserIn(id)
    const refused = await manager.delete(`${PATH}${id}/`, body)
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { advertisers: 1 } })
    await api.db.deleteFrom('advertiser').where('id', '=', advertiser).execute()
    expect((await finance.delete(`${PATH}${id}/`, body)).status).toBe(204)
    expectRefusal(await staff.get(`${PATH}${id}/`), 404, 'not_found')
  })

  it('are merged into another with all their advertisers', async () => {
    const [from, into] = [await take(), await take()]
    const moved = await advertiserIn(from.id)
    await advertiserIn(into.id)
    const merge = (body: object) => manager.post(`${PATH}${from.id}/merge/`, body)
    expectRefusal(
      await staff.post(`${PATH}${from.id}/merge/`, { version: 1, into: into.id }),
      403,
      'forbidden',
    )
    for (const nowhere of [from.id, 999_999])
      expectRefusal(await merge({ version: 1, into: nowhere }), 400, 'invalid', {
        into: ['field_not_available'],
      })
    expectRefusal(await merge({ version: 2, into: into.id }), 409, 'conflict')
    expect((await merge({ version: 1, into: into.id })).status).toBe(200)
    expect(one(await boss.get(`${PATH}${into.id}/`)).advertisers).toBe(2)
    expectRefusal(await boss.get(`${PATH}${from.id}/`), 404, 'not_found')
    expect((await boss.get(`/api/advertiser/${moved}/`)).body).toMatchObject({
      industry: into.id,
      version: 2,
    })
  })

  it('are merged into each other by one of two at once', async () => {
    const [oneWay, otherWay] = [await take(), await take()]
    const merge = (from: number, into: number) => boss.post(`${PATH}${from}/merge/`, { version: 1, into })
    const responses = await Promise.all([merge(oneWay.id, otherWay.id), merge(otherWay.id, oneWay.id)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })
})
