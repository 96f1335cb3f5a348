import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expectAlike } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import type { Audience } from '#shared/api/audiences.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { deleteEnded } from './queries.ts'
import {
  batchOf,
  customerFile,
  filled,
  LTA,
  people,
  readAudience,
  send,
  shareWith,
} from './testing/members.ts'

const api = await testApi()
api.effects.audiences.ga4Audiences = async ({ external_id }) =>
  external_id.startsWith('silent')
    ? { audiences: [], code: 'platform_timeout' }
    : { audiences: [{ audience: '77', name: 'Cart', window_days: 30, users: 1840 }], code: null }
const { db } = api
const me = await api.signedIn('staff')
const advertiser = await api.advertiser('Aurora', [me.user.id])
const foreign = await api.advertiser('Borealis')

async function siteOf(of: number, pixels: object[] = [{ platform: 'meta', id: '3390' }]) {
  const { id } = await db
    .insertInto('site')
    .values({
      advertiser: of,
      name: 'Shop',
      url: `https://${randomUUID()}.demo`,
      pixels: JSON.stringify(pixels),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const viewOf = (of: number, external_id: string = randomUUID()) =>
  api.account({ advertiser: of, channel: 'ga4', provider: 'ga4', external_id })
const create = (body: object, who: Client = me) => who.post(LTA, { advertiser, name: randomUUID(), ...body })
const created = async (body: object, who: Client = me) => {
  const response = await create(body, who)
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return response.body as Audience
}
const website = (site: number) => ({ kind: 'website', site, rule: { match: 'all' } })
const lookalike = (seed: number) => ({ kind: 'lookalike', seed, country: 'TW', ratio: 1 })
const update = (of: Audience, body: object, who: Client = me) =>
  who.patch(`${LTA}${of.id}/`, { version: of.version, ...body })
const remove = (of: Pick<Audience, 'id' | 'version'>, who: Client = me) =>
  who.delete(`${LTA}${of.id}/`, { version: of.version })

describe('a new audience', () => {
  it('of a customer file is a draft with its defaults', async () => {
    const audience = await created({ kind: 'customer_file', name: 'Aurora VIP 2026' })
    expect(audience).toMatchObject({
      advertiser,
      advertiser_name: 'Aurora',
      status: 'draft',
      collected_by: 'advertiser',
      consent: { ad_user_data: 'unknown', ad_personalization: 'unknown' },
      window_days: 540,
      keep_days: 30,
      rows: 0,
      expires_at: null,
      last_upload: null,
      shares: [],
      created_by: me.user.id,
      may_change: true,
      may_delete: true,
      version: 1,
    })
    expect((await me.get(`${LTA}${audience.id}/`)).body).toEqual(audience)
  })

  it('of a site, a seed or GA4 is ready at once', async () => {
    const site = await siteOf(advertiser)
    const visitors = await created(website(site))
    expect(visitors).toMatchObject({
      status: 'ready',
      site,
      site_name: 'Shop',
      window_days: 30,
      keep_days: null,
      consent: null,
      rule: { match: 'all', values: [] },
    })
    await shareWith(api, visitors)
    expect(await created(lookalike(visitors.id))).toMatchObject({
      status: 'ready',
      seed: visitors.id,
      seed_name: visitors.name,
      country: 'TW',
      ratio: 1,
      window_days: null,
    })
    const ga4 = { kind: 'ga4', ga4_view: await viewOf(advertiser), ga4_audience: '77' }
    expect(await created(ga4)).toMatchObject({ status: 'ready', rows: 1840, ...ga4 })
    const silent = { ...ga4, ga4_view: await viewOf(advertiser, 'silent') }
    expect(await created(silent)).toMatchObject({ rows: 0 })
  })

  const cases: [what: string, body: () => object | Promise<object>, fields: Record<string, ErrorCode[]>][] = [
    [
      'of a website without site and rule',
      () => ({ kind: 'website' }),
      { site: ['field_required'], rule: ['field_required'] },
    ],
    [
      'of a lookalike without anything',
      () => ({ kind: 'lookalike' }),
      { seed: ['field_required'], country: ['field_required'], ratio: ['field_required'] },
    ],
    [
      'of GA4 without a property',
      () => ({ kind: 'ga4', ga4_audience: '77' }),
      { ga4_view: ['field_required'] },
    ],
    [
      'with the fields of another kind',
      () => ({ kind: 'customer_file', site: 1, rule: { match: 'all' }, ratio: 2 }),
      { site: ['field_not_available'], rule: ['field_not_available'], ratio: ['field_not_available'] },
    ],
    [
      'of a site, kept for some days',
      async () => ({ ...website(await siteOf(advertiser)), keep_days: 3 }),
      { keep_days: ['field_not_available'] },
    ],
    [
      'of a site for 181 days',
      async () => ({ ...website(await siteOf(advertiser)), window_days: 181 }),
      { window_days: ['field_invalid'] },
    ],
    [
      'of a file for 541 days',
      () => ({ kind: 'customer_file', window_days: 541 }),
      { window_days: ['field_invalid'] },
    ],
    [
      'of a file for 0 days',
      () => ({ kind: 'customer_file', window_days: 0 }),
      { window_days: ['field_invalid'] },
    ],
    [
      'kept for 181 days',
      () => ({ kind: 'customer_file', keep_days: 181 }),
      { keep_days: ['field_invalid'] },
    ],
    ['of 0 %', async () => ({ ...lookalike(1), ratio: 0 }), { ratio: ['field_invalid'] }],
    ['of 21 %', async () => ({ ...lookalike(1), ratio: 21 }), { ratio: ['field_invalid'] }],
    ['of no country', async () => ({ ...lookalike(1), country: 'EU' }), { country: ['field_invalid'] }],
    [
      'of URLs without one',
      async () => ({ ...website(await siteOf(advertiser)), rule: { match: 'url_contains' } }),
      { 'rule.values': ['field_invalid'] },
    ],
    [
      'of another advertiser’s site',
      async () => website(await siteOf(foreign)),
      { site: ['field_not_available'] },
    ],
    [
      'of a site without a pixel of Meta',
      async () => website(await siteOf(advertiser, [{ platform: 'tiktok', id: '1' }])),
      { site: ['field_not_available'] },
    ],
    [
      'like an audience that nobody has',
      async () => lookalike((await customerFile(me, { advertiser })).id),
      { seed: ['seed_not_shared'] },
    ],
    [
      'like a list that failed to get there',
      async () => {
        const seed = await customerFile(me, { advertiser })
        await shareWith(api, seed, { state: 'failed' })
        return lookalike(seed.id)
      },
      { seed: ['seed_not_shared'] },
    ],
    [
      'like a lookalike',
      async () => {
        const seed = await customerFile(me, { advertiser })
        await shareWith(api, seed)
        return lookalike((await created(lookalike(seed.id))).id)
      },
      { seed: ['field_not_available'] },
    ],
    [
      'like another advertiser’s',
      async () => {
        const boss = await api.signedIn('superuser')
        const seed = await customerFile(boss, { advertiser: foreign })
        await shareWith(api, seed)
        return lookalike(seed.id)
      },
      { seed: ['field_not_available'] },
    ],
    [
      'of another advertiser’s property',
      async () => ({ kind: 'ga4', ga4_view: await viewOf(foreign), ga4_audience: '77' }),
      { ga4_view: ['field_not_available'] },
    ],
    [
      'that GA4 does not have',
      async () => ({ kind: 'ga4', ga4_view: await viewOf(advertiser), ga4_audience: '78' }),
      { ga4_audience: ['field_not_available'] },
    ],
    [
      'of another advertiser',
      () => ({ kind: 'customer_file', advertiser: foreign }),
      { advertiser: ['field_not_available'] },
    ],
    ['without a name', () => ({ kind: 'customer_file', name: '' }), { name: ['field_required'] }],
  ]
  it.each(cases)('is refused %s', async (_, body, fields) => {
    expectRefusal(await create(await body()), 400, 'invalid', fields)
  })

  it('has a name of its own within its advertiser, whatever the case', async () => {
    const { name } = await created({ kind: 'customer_file', name: `Vip ${randomUUID()}` })
    const again = await create({ kind: 'customer_file', name: name.toUpperCase() })
    expectRefusal(again, 400, 'invalid', { name: ['name_taken'] })
    const boss = await api.signedIn('superuser')
    await created({ kind: 'customer_file', name, advertiser: foreign }, boss)
  })
})

describe('a change', () => {
  it('needs the version that was read', async () => {
    const audience = await customerFile(me, { advertiser })
    const changed = await update(audience, {
      name: randomUUID(),
      consent: { ad_user_data: 'granted', ad_personalization: 'denied' },
    })
    expect(changed.body).toMatchObject({ version: 2, consent: { ad_user_data: 'granted' } })
    const late = await update(audience, { description: 'Late' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body).toMatchObject({ audience: { id: audience.id, version: 2 } })
  })

  it('has the fields of its kind', async () => {
    const visitors = await created(website(await siteOf(advertiser)))
    expectRefusal(await update(visitors, { keep_days: 3, collected_by: 'both' }), 400, 'invalid', {
      keep_days: ['field_not_available'],
      collected_by: ['field_not_available'],
    })
    expect((await update(visitors, { description: 'All of them' })).status).toBe(200)
    expectRefusal(await update(visitors, { site: 2 }), 400, 'invalid', { site: ['field_unknown'] })
  })

  it('of how long the rows are kept counts from the day they came', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 1) })
    const { last_upload } = await readAudience(me, audience)
    const { expires_at } = (await update(audience, { keep_days: 7 })).body as Audience
    expect(Date.parse(expires_at ?? '') - Date.parse(last_upload?.taken_at ?? '')).toBe(7 * 24 * 60 * 60_000)
  })
})

describe('deleting', () => {
  it('is for its maker and for managers', async () => {
    const audience = await customerFile(me, { advertiser })
    const [colleague, manager] = [
      await api.signedIn('staff'),
      await api.signedIn('manager', { department: 3 }),
    ]
    for (const { user } of [colleague, manager])
      await db.insertInto('advertiser_member').values({ advertiser, user_id: user.id }).execute()
    expect(await readAudience(colleague, audience)).toMatchObject({ may_change: true, may_delete: false })
    expectRefusal(await remove(audience, colleague), 403, 'forbidden')
    expectRefusal(await remove({ ...audience, version: 2 }, manager), 409, 'conflict')
    expect((await remove(audience, manager)).status).toBe(204)
    expectRefusal(await me.get(`${LTA}${audience.id}/`), 404, 'not_found')
    expect((await remove(await customerFile(me, { advertiser }))).status).toBe(204)
  })

  it('takes rows and uploads with it', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 2) })
    expect((await remove(audience)).status).toBe(204)
    for (const table of ['audience_chunk', 'audience_upload'] as const)
      expect(await db.selectFrom(table).select('id').where('audience', '=', audience.id).execute()).toEqual(
        [],
      )
  })

  it('waits for lookalikes that are made from it', async () => {
    const seed = await customerFile(me, { advertiser })
    await shareWith(api, seed)
    const like = await created(lookalike(seed.id))
    const refused = await remove(seed)
    expectRefusal(refused, 409, 'has_lookalikes')
    expect(refused.body).toMatchObject({ by: { lookalikes: 1 } })
    expect((await remove(like)).status).toBe(204)
    expect((await remove(seed)).status).toBe(204)
  })

  it('names no account that has moved to another advertiser', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 1) })
    const { ad_account } = await shareWith(api, audience)
    const elsewhere = await api.advertiser(randomUUID())
    await db.updateTable('ad_account').set({ advertiser: elsewhere }).where('id', '=', ad_account).execute()
    const changed = await me.patch(`${LTA}${audience.id}/`, { version: 1, description: 'x' })
    expect(changed.body).toMatchObject({ shares: [] })
    expect(await readAudience(me, audience)).toMatchObject({ shares: [] })
    const director = await api.signedIn('director')
    expect(await readAudience(director, audience)).toMatchObject({ shares: [{ ad_account }] })
  })

  it('removes the shares first, and the audience with the last of them', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 1) })
    const share = await shareWith(api, audience)
    expect((await remove(audience)).status).toBe(204)
    const leaving = await readAudience(me, audience)
    expect(leaving).toMatchObject({ may_change: false, shares: [{ id: share.id, state: 'removing' }] })
    expectRefusal(await update(leaving, { name: 'x' }), 409, 'action_not_allowed')
    expectRefusal(await send(me, audience, batchOf(people(0, 1))), 409, 'action_not_allowed')
    expect(await deleteEnded(db)).toBe(0)
    await db.updateTable('audience_share').set({ state: 'removed' }).where('id', '=', share.id).execute()
    expect(await deleteEnded(db)).toBe(1)
    expectRefusal(await me.get(`${LTA}${audience.id}/`), 404, 'not_found')
  })
})

describe('the list', () => {
  it('is filtered, searched, ordered and exported', async () => {
    const mine = await api.client()
    const own = { advertiser: mine.advertiser }
    await db.updateTable('users').set({ plan: 1 }).where('id', '=', mine.user.id).execute()
    const filled_one = await filled(mine, { ...own, name: 'A list', rows: people(0, 3) })
    const empty = await created(
      { ...own, kind: 'customer_file', name: 'B % of them', description: 'Cedar' },
      mine,
    )
    const visitors = await created({ ...own, ...website(await siteOf(mine.advertiser)), name: 'Carts' }, mine)
    await shareWith(api, visitors)
    const ids = async (query: string) => {
      const { body } = await mine.get(`${LTA}?${query}`)
      return Array.from(Object(body).results, row => Object(row).id)
    }
    expect(await ids('kind=website')).toEqual([visitors.id])
    expect(await ids('status=draft')).toEqual([empty.id])
    expect(await ids('share_state=ready')).toEqual([visitors.id])
    expect(await ids('share_state=failed')).toEqual([])
    expect(await ids('channel=fb')).toEqual([visitors.id])
    expect(await ids('channel=aw')).toEqual([])
    expect(await ids('search=cedar')).toEqual([empty.id])
    expect(await ids('search=%25')).toEqual([empty.id])
    expect(await ids(`advertiser=${foreign}`)).toEqual([])
    expect(await ids('ordering=-last_upload')).toEqual([filled_one.id, visitors.id, empty.id])
    expect(await ids('ordering=-rows&limit=1')).toEqual([filled_one.id])
    // The third one's name is random.
    const by_name = (await ids('ordering=name')).filter(id => id !== filled_one.id)
    expect(by_name).toEqual([empty.id, visitors.id])
    const { body } = await mine.get(`${LTA}?format=csv&kind=website`)
    expect(String(body).split('\r\n')).toHaveLength(3)
    expect(String(body)).toContain('Carts,')
  })

  it('says of a client without the plan that they may read', async () => {
    const client = await api.signedIn('external_user')
    await db.insertInto('advertiser_member').values({ advertiser, user_id: client.user.id }).execute()
    const audience = await customerFile(me, { advertiser })
    expect(await readAudience(client, audience)).toMatchObject({ may_change: false, may_delete: false })
    expectRefusal(await create({ kind: 'customer_file' }, client), 403, 'plan_needed')
    expectRefusal(await update(audience, { name: 'x' }, client), 403, 'plan_needed')
    expectRefusal(await remove(audience, client), 403, 'plan_needed')
  })
})

describe('an audience of another advertiser', () => {
  it('is as if it did not exist', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 1) })
    const other = await api.client()
    await db.updateTable('users').set({ plan: 1 }).where('id', '=', other.user.id).execute()
    const calls: ((id: number) => Promise<ApiResponse>)[] = [
      id => other.get(`${LTA}${id}/`),
      id => other.get(`${LTA}${id}/uploads/`),
      id => other.get(`${LTA}${id}/history/`),
      id => other.patch(`${LTA}${id}/`, { version: 1, name: 'x' }),
      id => other.delete(`${LTA}${id}/`, { version: 1 }),
      id => send(other, { id }, batchOf(people(0, 1))),
    ]
    for (const call of calls) {
      const [theirs, missing] = [await call(audience.id), await call(999_999_999)]
      expectRefusal(theirs, 404, 'not_found')
      expectAlike(theirs, missing)
    }
    const about = (of: number) => other.get(`${LTA}sources/?advertiser=${of}`)
    expectAlike(await about(advertiser), await about(999_999_999))
  })
})

describe('what audiences are made of', () => {
  it('are the sites of the advertiser and the audiences of its properties', async () => {
    const own = await api.client()
    const [site, view] = [await siteOf(own.advertiser), await viewOf(own.advertiser)]
    const hidden = await siteOf(own.advertiser)
    await db.updateTable('site').set({ is_active: false }).where('id', '=', hidden).execute()
    const read = async () => (await own.get(`${LTA}sources/?advertiser=${own.advertiser}`)).body
    const sites = [{ site, name: 'Shop', pixels: [{ platform: 'meta', id: '3390' }] }]
    const ga4 = [{ ga4_view: view, audience: '77', name: 'Cart', window_days: 30, users: 1840 }]
    expect(await read()).toEqual({ sites, ga4, code: null })
    await viewOf(own.advertiser, 'silent too')
    expect(await read()).toEqual({ sites, ga4, code: 'platform_timeout' })
  })
})
