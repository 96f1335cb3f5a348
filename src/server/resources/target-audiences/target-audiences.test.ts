import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { TargetAudience, TargetAudienceList } from '#shared/api/target-audiences.ts'
import { somebodyWaits } from '#server/db/testing/somebody-waits.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { deleteEnded, endAudience, lockToEnd } from '#server/resources/audiences/queries.ts'
import { customerFile, LTA, shareWith } from '#server/resources/audiences/testing/members.ts'
import { holdAudiences, replaceLists } from './queries.ts'

const api = await testApi()
const { db } = api
const staff = await api.signedIn('staff')
const colleague = await api.signedIn('staff')
const manager = await api.signedIn('manager', { department: 2 })
const client = await api.signedIn('external_user')
const members = [staff, colleague, manager, client].map(({ user }) => user.id)
const advertiser = await api.advertiser('Aurora', members)
const other = await api.advertiser('Borealis', [staff.user.id])

const PATH = '/api/targetaudience/'
const one = ({ body }: ApiResponse) => TargetAudience.parse(body)
const names = ({ body }: ApiResponse) => TargetAudienceList.parse(body).results.map(({ name }) => name)
const create = (facts: object = {}, who = staff) =>
  who.post(PATH, { advertiser, name: randomUUID(), ...facts })
const made = async (facts: object = {}) => {
  const response = await create(facts)
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return one(response)
}
const update = (id: number, body: object, version = 1) => staff.patch(`${PATH}${id}/`, { version, ...body })
const listOf = (of = advertiser) => customerFile(staff, { advertiser: of })
const removeList = ({ id, version }: { id: number; version: number }) =>
  manager.delete(`${LTA}${id}/`, { version })

describe('target audiences', () => {
  it('have everything that a persona says, and what platforms make of its ages', async () => {
    const [vip, buyers] = [await listOf(), await listOf()]
    const facts = {
      age_min: 20,
      age_max: 39,
      genders: ['female', 'unknown'],
      locations: [{ country: 'TW', region: 'TW-TPE', city: '信義區' }, { country: 'JP' }],
      languages: ['zh-TW', 'ja'],
      interests: ['Hiking', '登山'],
      devices: ['mobile', 'tablet'],
      note: 'Buys twice a year.\nLikes maps.',
    }
    const audience = await made({ ...facts, audience_lists: { include: [vip.id], exclude: [buyers.id] } })
    expect(audience).toMatchObject({
      ...facts,
      version: 1,
      advertiser_name: 'Aurora',
      created_by: staff.user.id,
      may_delete: true,
      audience_lists: {
        include: [{ id: vip.id, name: vip.name }],
        exclude: [{ id: buyers.id, name: buyers.name }],
      },
    })
    expect(audience.platforms.map(({ platform, state, from, to }) => [platform, state, from, to])).toEqual([
      ['meta', 'exact', 20, 39],
      ['google_ads', 'widened', 18, 44],
      ['tiktok', 'widened', 18, 44],
      ['line', 'by_hand', 20, 39],
      ['ly', 'by_hand', 20, 39],
    ])
  })

  it('are for everybody from 18 on unless something is said', async () => {
    const none = { genders: [], locations: [], languages: [], interests: [], devices: [] }
    const lists = { include: [], exclude: [] }
    expect(await made()).toMatchObject({ ...none, age_min: 18, age_max: 65, audience_lists: lists, note: '' })
  })

  it('keep their order of ages, also when one of them is changed', async () => {
    const order = { age_max: ['age_order'] } as const
    expectRefusal(await create({ age_min: 40, age_max: 30 }), 400, 'invalid', order)
    const { id } = await made({ age_min: 30, age_max: 40 })
    expectRefusal(await update(id, { age_min: 41 }), 400, 'invalid', order)
    expectRefusal(await update(id, { age_max: 29 }), 400, 'invalid', order)
    expect(one(await update(id, { age_min: 41, age_max: 41 }))).toMatchObject({ age_min: 41, age_max: 41 })
    for (const age_min of [12, 66, 30.5])
      expectRefusal(await create({ age_min }), 400, 'invalid', { age_min: ['field_invalid'] })
  })

  it.each([
    ['locations.0.country', 'field_invalid', { locations: [{ country: 'XX' }] }],
    ['locations.0.region', 'field_invalid', { locations: [{ country: 'TW', region: 'JP-13' }] }],
    ['locations', 'field_invalid', { locations: [{ country: 'TW' }, { country: 'TW' }] }],
    ['languages.0', 'field_invalid', { languages: ['xx'] }],
    ['languages', 'field_invalid', { languages: ['en', 'en'] }],
    ['languages.0', 'field_invalid', { languages: ['en-ZZ'] }],
    ['languages.0', 'field_invalid', { languages: ['cmn'] }],
    ['interests', 'field_invalid', { interests: ['Hiking', 'hiking'] }],
    ['interests.0', 'field_too_long', { interests: ['x'.repeat(61)] }],
    ['interests', 'field_too_many', { interests: Array.from({ length: 51 }, String) }],
    ['genders', 'field_invalid', { genders: ['female', 'female'] }],
    ['devices.0', 'field_invalid', { devices: ['watch'] }],
    ['audience_lists.include', 'field_invalid', { audience_lists: { include: [7, 7] } }],
    ['audience_lists', 'list_twice', { audience_lists: { include: [7], exclude: [7] } }],
    ['advertiser', 'field_not_available', { advertiser: 999_999_999 }],
    ['name', 'field_required', { name: '' }],
  ] as const)('refuse a wrong %s: %s', async (field, code, facts) => {
    expectRefusal(await create(facts), 400, 'invalid', {
      [field]: [code],
    })
  })

  it('refer to at most ten lists a side, of their own advertiser', async () => {
    const foreign = await listOf(other)
    const notAvailable = { audience_lists: ['field_not_available'] } as const
    for (const id of [foreign.id, 999_999_999]) {
      const response = await create({ audience_lists: { include: [id] } })
      expectRefusal(response, 400, 'invalid', notAvailable)
    }
    const { id } = await made()
    const patched = await update(id, { audience_lists: { include: [], exclude: [foreign.id] } })
    expectRefusal(patched, 400, 'invalid', notAvailable)
    const eleven = Array.from({ length: 11 }, (_, n) => n + 1)
    expectRefusal(await create({ audience_lists: { exclude: eleven } }), 400, 'invalid', {
      'audience_lists.exclude': ['field_too_many'],
    })
  })

  it('keep the side of their lists that a change leaves out', async () => {
    const [vip, buyers] = [await listOf(), await listOf()]
    const { id } = await made({ audience_lists: { include: [vip.id], exclude: [buyers.id] } })
    const change = (version: number, audience_lists: object) => update(id, { audience_lists }, version)
    const sides = ({ audience_lists: { include, exclude } }: TargetAudience) =>
      [include, exclude].map(side => side.map(list => list.id))
    expect(sides(one(await change(1, { include: [] })))).toEqual([[], [buyers.id]])
    expectRefusal(await change(2, { include: [buyers.id] }), 400, 'invalid', {
      audience_lists: ['list_twice'],
    })
    expect(sides(one(await change(2, { include: [vip.id] })))).toEqual([[vip.id], [buyers.id]])
    expect(sides(one(await change(3, { exclude: [] })))).toEqual([[vip.id], []])
  })

  it('have names of their own within an advertiser, which stays', async () => {
    const { id, name } = await made()
    expectRefusal(await create({ name: name.toUpperCase() }), 400, 'invalid', { name: ['name_taken'] })
    expect((await create({ name, advertiser: other })).status).toBe(201)
    expectRefusal(await update(id, { advertiser: other }), 400, 'invalid', {
      advertiser: ['field_unknown'],
    })
  })

  it('are changed by one of two who have read the same version', async () => {
    const list = await listOf()
    const { id } = await made({ audience_lists: { include: [list.id] } })
    const [first, second] = await Promise.all([
      update(id, { interests: ['first'] }),
      update(id, { audience_lists: { include: [], exclude: [list.id] } }),
    ])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ target_audience: one(won) })
  })

  it('are deleted by their maker or a manager, with their references', async () => {
    const list = await listOf()
    const { id } = await made({ audience_lists: { include: [list.id] } })
    const remove = (who: typeof staff, of = id) => who.delete(`${PATH}${of}/`, { version: 1 })
    expect(one(await colleague.get(`${PATH}${id}/`)).may_delete).toBe(false)
    expectRefusal(await remove(colleague), 403, 'forbidden')
    expect((await remove(staff)).status).toBe(204)
    expectRefusal(await staff.get(`${PATH}${id}/`), 404, 'not_found')
    expect((await remove(manager, (await made()).id)).status).toBe(204)
    expect((await removeList(list)).status).toBe(204)
  })

  it('are nothing for clients, nor for the agency’s people beside their advertisers', async () => {
    const { id } = await made()
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expectRefusal(await client.get(`${PATH}${id}/`), 403, 'forbidden')
    const theirs = await made({ advertiser: other })
    for (const response of [
      await colleague.get(`${PATH}${theirs.id}/`),
      await colleague.patch(`${PATH}${theirs.id}/`, { version: 1, note: 'x' }),
      await colleague.delete(`${PATH}${theirs.id}/`, { version: 1 }),
    ])
      expectRefusal(response, 404, 'not_found')
    expectRefusal(await create({ advertiser: other }, colleague), 400, 'invalid', {
      advertiser: ['field_not_available'],
    })
  })
})

describe('the list of target audiences', () => {
  it('is searched by name and interest, filtered, ordered and exported', async () => {
    const of = await api.advertiser('Listed', [staff.user.id])
    const list = await listOf(of)
    const own = { advertiser: of }
    await made({ ...own, name: 'Wanderers', interests: ['Night walks'], age_min: 60 })
    await made({ ...own, name: 'Teens', age_min: 13, age_max: 17, genders: ['male'], note: '=1+1' })
    await made({ ...own, name: '100 % sure', audience_lists: { include: [list.id] } })
    const found = async (query: string) => names(await staff.get(`${PATH}?advertiser=${of}&${query}`))
    expect(await found('')).toEqual(['100 % sure', 'Teens', 'Wanderers'])
    expect(await found('search=WANDER')).toEqual(['Wanderers'])
    expect(await found('search=night')).toEqual(['Wanderers'])
    expect(await found('search=%25')).toEqual(['100 % sure'])
    expect(await found(`audience=${list.id}`)).toEqual(['100 % sure'])
    expect(await found('ordering=age_min')).toEqual(['Teens', '100 % sure', 'Wanderers'])
    for (const ordering of ['name', '-advertiser', 'last_modified_at', 'id'])
      expect(await found(`ordering=${ordering}`)).toHaveLength(3)
    const { body } = await staff.get(`${PATH}?advertiser=${of}&format=csv&ordering=name`)
    const [header = '', sure = '', teens = '', wanderers = ''] = String(body).split('\r\n')
    expect(header).toContain('Advertiser,Name,Ages,Genders')
    expect(sure).toContain(list.name)
    expect(teens).toBe(`Listed,Teens,13–17,Male,,,,,,,13–17,not possible,13–17,'=1+1`)
    expect(wanderers).toBe('Listed,Wanderers,60–65+,,,,Night walks,,,,60–65+,55–65+ (widened),55+ (widened),')
  })
})

describe('an audience list that a target audience refers to', () => {
  it('is in use until nothing refers to it any more', async () => {
    const list = await listOf()
    const first = await made({ audience_lists: { include: [list.id] } })
    const second = await made({ audience_lists: { exclude: [list.id] } })
    const refused = await removeList(list)
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { target_audiences: 2 } })
    await update(first.id, { audience_lists: { include: [] } })
    expect((await removeList(list)).body).toMatchObject({ by: { target_audiences: 1 } })
    await manager.delete(`${PATH}${second.id}/`, { version: 1 })
    expect((await removeList(list)).status).toBe(204)
  })

  it('is not taken while it is on its way out, and goes with its last share', async () => {
    const list = await listOf()
    const share = await shareWith(api, list)
    expect((await removeList(list)).status).toBe(204)
    expectRefusal(await create({ audience_lists: { include: [list.id] } }), 400, 'invalid', {
      audience_lists: ['field_not_available'],
    })
    await db.updateTable('audience_share').set({ state: 'removed' }).where('id', '=', share.id).execute()
    expect(await deleteEnded(db)).toBe(1)
  })

  it('is in use for a deletion that has waited for a reference', async () => {
    const list = await listOf()
    const { id } = await made()
    const referring = await db.startTransaction().execute()
    expect(await holdAudiences(referring, { advertiser, ids: [list.id] })).toEqual([list.id])
    const removing = removeList(list)
    await somebodyWaits(db)
    await replaceLists(referring, id, { include: [list.id], exclude: [] })
    await referring.commit().execute()
    expectRefusal(await removing, 409, 'in_use')
  })

  it.each([false, true])(
    'is not available for a reference that has waited for its deletion (shared: %j)',
    async isShared => {
      const list = await listOf()
      if (isShared) await shareWith(api, list)
      const removing = await db.startTransaction().execute()
      await lockToEnd(removing, manager.user, list.id)
      const referring = create({ audience_lists: { include: [list.id] } })
      await somebodyWaits(db)
      await endAudience(removing, list.id, api.clock.now)
      await removing.commit().execute()
      expectRefusal(await referring, 400, 'invalid', { audience_lists: ['field_not_available'] })
      await db
        .updateTable('audience_share')
        .set({ state: 'removed' })
        .where('audience', '=', list.id)
        .execute()
      expect(await deleteEnded(db, list.id)).toBe(isShared ? 1 : 0)
    },
  )
})
