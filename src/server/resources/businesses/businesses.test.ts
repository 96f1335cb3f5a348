import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { reasonText } from '#shared/account-standing.ts'
import {
  Business,
  BusinessAccountList,
  BusinessAccountUsers,
  BusinessMembers,
} from '#shared/api/businesses.ts'
import { AdAccountList } from '#shared/api/ad-accounts.ts'
import { IdentityReply } from '#shared/api/people.ts'
import { NotificationList } from '#shared/api/notifications.ts'
import { noticeText } from '#shared/notice-text.ts'
import { errorTexts } from '#server/resources/notifications/compose.ts'
import { expectRefusal, type Client } from '#server/http/testing/api.ts'
import { businessAgency, NOW } from './testing/agency.ts'

const agency = await businessAgency()
const { db, clock } = agency
const PATH = '/api/fb-business/'
const ACCOUNTS = `${PATH}adaccount/`

const director = await agency.signedIn('director')
const sam = await agency.signedIn('staff', { department: 2 })
const mika = await agency.signedIn('manager', { department: 3 })
const client = await agency.signedIn('external_user')
const outsider = await agency.signedIn('staff')
await agency.serve(sam.user.id, 'Aurora Cosmetics', 'Delta Fitness')
await agency.serve(mika.user.id, 'Cedar Coffee')
await agency.serve(client.user.id, 'Aurora Cosmetics')
let business = 0

beforeAll(async () => {
  await agency.refresh()
  business = (await db.selectFrom('business').select('id').executeTakeFirstOrThrow()).id
})

const list = async (who: Client, query = '') => {
  const response = await who.get(`${ACCOUNTS}?business=${business}&limit=100${query}`)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return BusinessAccountList.parse(response.body).results
}
const named = async (who: Client, name: string) => {
  const found = (await list(who)).find(account => account.name === name)
  if (!found) throw new Error(name)
  return found
}
const noticesOf = async (who: Client) =>
  NotificationList.parse((await who.get('/api/notifications/?limit=100')).body).results

describe('the accounts of a business', () => {
  it('are two of its own and sixteen of clients', async () => {
    expect(await list(director, '&relation=owned')).toHaveLength(2)
    expect(await list(director, '&relation=client')).toHaveLength(16)
  })

  it('stand near their cap in basis points, and without one have none', async () => {
    const near = await named(director, 'Aurora Cosmetics Outlet')
    expect(near).toMatchObject({
      spend_cap: 1_000_000_000_000,
      amount_spent: 901_000_000_000,
      cap_used: 9010,
      warning: 'cap',
    })
    expect(((near.spend_cap ?? 0) - (near.amount_spent ?? 0)) / 1e6).toBe(99_000)
    expect(await named(director, 'Borealis Outdoor US')).toMatchObject({
      spend_cap: 5_000_000_000,
      cap_used: 10_000,
    })
    expect(await named(director, 'Ember Games')).toMatchObject({ spend_cap: null, cap_used: null })
  })

  it('say why they are disabled', async () => {
    const account = await named(director, 'Fjord Travel Japan (access revoked)')
    expect(account).toMatchObject({ status: 2, disable_reason: 3, warning: 'stopped' })
    expect(reasonText(account.disable_reason)).toEqual({ en: 'payment risk', 'zh-TW': '付款風險' })
  })

  it('come by their urgency: stopped, near the cap, of no advertiser, and then the others', async () => {
    const warnings = (await list(director)).map(({ warning }) => warning)
    expect(warnings.slice(0, 4)).toEqual(['stopped', 'cap', 'cap', 'unassigned'])
    expect(new Set(warnings.slice(4))).toEqual(new Set([null]))
  })

  it('are filtered and searched', async () => {
    const names = async (query: string) => (await list(director, query)).map(({ name }) => name)
    expect(await names('&warn=stopped')).toEqual(['Fjord Travel Japan (access revoked)'])
    expect(await names('&warn=cap')).toEqual(['Borealis Outdoor US', 'Aurora Cosmetics Outlet'])
    expect(await names('&advertiser=none')).toEqual(['Cedar Coffee US (login expired)'])
    expect(await names('&warn=urgent')).toHaveLength(4)
    expect(await names('&status=9')).toEqual(['Delta Fitness 台灣'])
    expect(await names(`&advertiser=${agency.of('Borealis Outdoor')}&ordering=-name`)).toEqual([
      'Borealis Outdoor US',
      'Borealis Outdoor Taiwan',
    ])
    expect(await names('&search=outlet')).toEqual(['Aurora Cosmetics Outlet'])
    expect(await names('&search=10150357160960122')).toEqual(['Aurora Cosmetics Outlet'])
    expect((await names('&ordering=-cap_used')).slice(0, 2)).toEqual([
      'Borealis Outdoor US',
      'Aurora Cosmetics Outlet',
    ])
  })

  it('have null for what the login may not see', async () => {
    const accounts = await list(director)
    const unmanaged = accounts.filter(({ tasks }) => !tasks.includes('MANAGE'))
    expect(unmanaged.length).toBeGreaterThan(0)
    for (const { funding } of unmanaged) expect(funding).toBeNull()
    expect(accounts.filter(({ funding }) => funding !== null).length).toBeGreaterThan(0)
  })

  it('are exported as a file, with amounts in units', async () => {
    const { body } = await director.get(`${ACCOUNTS}?business=${business}&format=csv`)
    const lines = String(body).split('\r\n')
    expect(lines).toHaveLength(20)
    expect(lines.find(line => line.startsWith('Aurora Cosmetics Outlet'))).toContain('1000000,901000,90.1')
  })
})

describe('who has a business', () => {
  it('is every director, and the staff that serves one of its accounts, who see those alone', async () => {
    const names = { [business]: 'Sheetcast Agency' }
    for (const who of [director, sam]) {
      expect((await who.get(PATH)).body).toEqual(names)
      expect(IdentityReply.parse((await who.get('/api/users/identity/')).body).availableBM).toEqual(names)
    }
    const visible = (await list(sam)).map(({ advertiser_name }) => advertiser_name)
    expect(new Set(visible)).toEqual(new Set(['Aurora Cosmetics', 'Delta Fitness']))
    expect(visible).toHaveLength(6)
  })

  it('is neither a client nor anybody else without a grant', async () => {
    for (const who of [client, outsider]) {
      expect((await who.get(PATH)).body).toEqual({})
      for (const query of ['', `?business=${business}`, '?format=csv'])
        expectRefusal(await who.get(`${ACCOUNTS}${query}`), 403, 'forbidden')
      expectRefusal(await who.get(`${PATH}${business}/`), 404, 'not_found')
    }
    expectRefusal(await sam.get(`${ACCOUNTS}?business=999999`), 404, 'not_found')
  })

  it('is whom a director grants it: internal people get all of it, clients their own accounts', async () => {
    const members = `${PATH}${business}/members/`
    for (const who of [client, outsider])
      expect((await director.post(members, { user: who.user.id })).status).toBe(201)
    expect(await list(outsider)).toHaveLength(18)
    // An advertiser whom they do not serve keeps its name.
    expect(new Set((await list(outsider)).map(({ advertiser_name }) => advertiser_name))).toEqual(
      new Set([null]),
    )
    const own = await list(client)
    expect(own.map(({ advertiser_name }) => advertiser_name)).toEqual(Array(3).fill('Aurora Cosmetics'))
    for (const { funding, balance } of own) expect([funding, balance]).toEqual([null, null])
    expectRefusal(await client.get(`${ACCOUNTS}${own[0]?.id}/users/`), 403, 'forbidden')
    expect(Business.parse((await client.get(`${PATH}${business}/`)).body)).toMatchObject({
      login: null,
      may_relate: false,
      may_grant: false,
    })
    const listed = BusinessMembers.parse((await director.get(members)).body).results
    expect(listed.map(({ user, is_client }) => [user, is_client])).toEqual([
      [client.user.id, true],
      [outsider.user.id, false],
    ])
    for (const who of [client, outsider])
      expect((await director.delete(`${members}${who.user.id}/`)).status).toBe(204)
    expectRefusal(await outsider.get(ACCOUNTS), 403, 'forbidden')
    expectRefusal(await director.delete(`${members}${client.user.id}/`), 404, 'not_found')
  })

  it('is granted by directors alone, and to people who are there', async () => {
    const members = `${PATH}${business}/members/`
    expectRefusal(await mika.post(members, { user: sam.user.id }), 403, 'forbidden')
    expectRefusal(await director.post(members, { user: 999_999 }), 400, 'invalid', {
      user: ['field_not_available'],
    })
  })
})

describe('relating an account to an advertiser', () => {
  const UNASSIGNED = 'Cedar Coffee US (login expired)'
  const path = async (name: string) => `${ACCOUNTS}${(await named(director, name)).id}/`

  it('makes the ad account, which reports offer then', async () => {
    await director.post(`${PATH}${business}/members/`, { user: mika.user.id })
    const cedar = agency.of('Cedar Coffee')
    const offered = async () =>
      AdAccountList.parse((await mika.get('/api/ad/account/?channel=fb&limit=100')).body).results.map(
        ({ name }) => name,
      )
    expect(await offered()).not.toContain(UNASSIGNED)
    const related = await mika.patch(await path(UNASSIGNED), { advertiser: cedar })
    expect(related.body).toMatchObject({ advertiser: cedar, advertiser_name: 'Cedar Coffee', warning: null })
    expect(await offered()).toContain(UNASSIGNED)
    const made = await db
      .selectFrom('ad_account')
      .select(['public_account', 'currency', 'channel'])
      .where('name', '=', UNASSIGNED)
      .executeTakeFirstOrThrow()
    expect(made).toEqual({ public_account: agency.login, currency: 'USD', channel: 'fb' })
    expect((await director.patch(await path(UNASSIGNED), { advertiser: null })).body).toMatchObject({
      warning: 'unassigned',
    })
    expect(await offered()).not.toContain(UNASSIGNED)
  })

  it('is refused for an advertiser whom one does not serve, on either side', async () => {
    const refused = { advertiser: ['field_not_available'] as const }
    const borealis = agency.of('Borealis Outdoor')
    expectRefusal(await mika.patch(await path(UNASSIGNED), { advertiser: borealis }), 400, 'invalid', refused)
    const taken = await mika.patch(await path('Borealis Outdoor US'), {
      advertiser: agency.of('Cedar Coffee'),
    })
    expectRefusal(taken, 400, 'invalid', refused)
  })

  it('goes to one of two managers who relate it at the same time', async () => {
    const managers = await Promise.all(
      (['Aurora Cosmetics', 'Cedar Coffee'] as const).map(async (name, at) => {
        const who = await agency.signedIn('manager', { department: at === 0 ? 1 : 6 })
        await agency.serve(who.user.id, name)
        await director.post(`${PATH}${business}/members/`, { user: who.user.id })
        return { who, advertiser: agency.of(name) }
      }),
    )
    for (let tries = 0; tries < 5; tries += 1) {
      const to = await path(UNASSIGNED)
      const both = await Promise.all(managers.map(({ who, advertiser }) => who.patch(to, { advertiser })))
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
      await director.patch(to, { advertiser: null })
    }
  })

  it('needs the role of a manager and a grant', async () => {
    const other = await agency.signedIn('manager', { department: 5 })
    await agency.serve(other.user.id, 'Aurora Cosmetics')
    const advertiser = agency.of('Aurora Cosmetics')
    const own = await path('Aurora Cosmetics Outlet')
    expectRefusal(await other.patch(own, { advertiser }), 403, 'forbidden')
    expectRefusal(await sam.patch(own, { advertiser }), 403, 'forbidden')
    expectRefusal(await other.patch(await path('Ember Games'), { advertiser }), 404, 'not_found')
  })
})

describe('the people of an account', () => {
  it('are read at Meta, or it is said why not', async () => {
    const { id } = await named(sam, 'Aurora Cosmetics Outlet')
    const read = async () => BusinessAccountUsers.parse((await sam.get(`${ACCOUNTS}${id}/users/`)).body)
    expect((await read()).users.map(({ name }) => name)).toContain('Dana Wu')
    await agency.enter('sandbox-expired')
    expect(await read()).toEqual({ users: [], problem: 'credential_expired' })
    await agency.enter('sandbox-agency')
    const foreign = await named(director, 'Ember Games')
    expectRefusal(await sam.get(`${ACCOUNTS}${foreign.id}/users/`), 404, 'not_found')
  })
})

describe('a refresh', () => {
  const state = async () => Business.parse((await director.get(`${PATH}${business}/`)).body)

  it('is asked for once in ten minutes', async () => {
    const at = Date.parse(NOW) + 1
    clock.now = new Date(at)
    const ask = () => director.post(`${PATH}${business}/refresh/`)
    expect(await ask()).toMatchObject({ status: 202, body: { is_refreshing: true } })
    clock.now = new Date(at + 599_000)
    const refused = await ask()
    expectRefusal(refused, 429, 'rate_limited')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await agency.refresh('2026-11-20T02:00:10Z')).toBe(1)
    expect(await state()).toMatchObject({ is_refreshing: false, refreshed_at: '2026-11-20T02:00:10.000Z' })
    await sql`update business set requested_at = requested_at - interval '1 second'`.execute(db)
    expect((await ask()).status).toBe(202)
    clock.now = new Date(NOW)
  })

  it('notifies the staff of an advertiser once that an account has stopped or is near its cap', async () => {
    const kinds = async (who: Client) => (await noticesOf(who)).map(({ kind }) => kind)
    expect(await kinds(sam)).toEqual(['spend_cap_near'])
    await agency.refresh('2026-11-21T02:00:00Z')
    expect(await kinds(sam)).toEqual(['spend_cap_near'])
    expect(await kinds(client)).toEqual([])
    const fjord = await agency.signedIn('staff')
    await agency.serve(fjord.user.id, 'Fjord Travel')
    await db.updateTable('business_ad_account').set({ stop_noted: false, cap_noted: 1 }).execute()
    await agency.refresh('2026-11-22T02:00:00Z')
    const notice = (await noticesOf(fjord)).find(({ kind }) => kind === 'ad_account_stopped')
    if (!notice) throw new Error('no notice')
    const textIn = (language: 'en' | 'zh-TW') =>
      noticeText(notice, { language, errors: errorTexts[language], audience: 'internal', specialists: [] })
    expect(textIn('en').title).toContain('has stopped: Disabled (payment risk)')
    expect(textIn('zh-TW').title).toContain('停用（付款風險）')
    expect((await noticesOf(sam)).map(({ detail }) => detail.cap_used)).toEqual([9010, 9010])
  })

  it('is due daily at six in the zone of the organisation', async () => {
    await agency.refresh('2026-11-23T21:00:00Z')
    expect(await agency.refresh('2026-11-23T21:59:00Z')).toBe(0)
    expect(await agency.refresh('2026-11-23T22:00:00Z')).toBe(1)
    expect(await agency.refresh('2026-11-23T22:00:01Z')).toBe(0)
  })

  it('that lacks the permission leaves the old rows, and says so', async () => {
    const before = await state()
    await agency.enter('sandbox-ads-only')
    await agency.refresh('2026-11-25T03:00:00Z')
    expect(await state()).toMatchObject({ problem: 'scope_missing', refreshed_at: before.refreshed_at })
    expect(await list(director)).toHaveLength(18)
    await agency.enter('sandbox-agency')
    await agency.refresh('2026-11-26T03:00:00Z')
    expect(await state()).toMatchObject({ problem: null, refreshed_at: '2026-11-26T03:00:00.000Z' })
  })

  it('keeps what has changed, and an account that is gone for thirty days', async () => {
    const { id } = await named(director, 'Ember Games')
    await sql`update business_ad_account set status = 2, spend_cap = 5000000 where id = ${id}`.execute(db)
    await db
      .insertInto('business_ad_account')
      .values({
        business,
        account: '1',
        name: 'Gone',
        relation: 'client',
        status: 1,
        currency: 'TWD',
        timezone: 'Asia/Taipei',
        disable_reason: 0,
        spend_cap: null,
        amount_spent: null,
        balance: null,
        is_prepay: null,
        tos_accepted: null,
        created_at: null,
        listed_at: new Date(NOW),
        gone_at: null,
        cap_noted: null,
      })
      .execute()
    await agency.refresh('2026-11-27T03:00:00Z')
    expect(
      (await named(director, 'Ember Games')).history.map(({ field, from, to }) => [field, from, to]),
    ).toEqual(
      expect.arrayContaining([
        ['status', 2, 1],
        ['spend_cap', 5_000_000, null],
      ]),
    )
    expect(await named(director, 'Gone')).toMatchObject({
      gone_at: '2026-11-27T03:00:00.000Z',
      warning: null,
    })
    await agency.refresh('2026-12-26T03:00:00Z')
    expect(await list(director)).toHaveLength(19)
    await agency.refresh('2026-12-28T03:00:00Z')
    expect(await list(director)).toHaveLength(18)
  })

  it('of one login does not overwrite what another reads, while that one can', async () => {
    const claimed = await db.selectFrom('business').select('login').executeTakeFirstOrThrow()
    expect(claimed.login).toBe(agency.login)
  })
})
