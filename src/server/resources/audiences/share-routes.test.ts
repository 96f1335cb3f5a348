import { beforeEach, describe, expect, it } from 'vitest'
import type { AudienceAccess } from '#server/http/effects.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { customerFile, filled, LTA, people, readAudience, shareWith } from './testing/members.ts'

const OK: AudienceAccess = { result: 'ok', business: null, fix_url: null }
/** What platforms say, by account; and which accounts they were asked about. */
const said = new Map<number, AudienceAccess>()
let questions: { account: number; again: boolean }[] = []
const api = await testApi({
  effects: {
    audiences: {
      ga4Audiences: async () => ({ audiences: [], code: null }),
      access: async ({ id }, { again = false }) => {
        questions.push({ account: id, again })
        return said.get(id) ?? OK
      },
    },
  },
})
const { db, clock } = api
const me = await api.signedIn('staff')
const boss = await api.signedIn('manager')
const advertiser = await api.advertiser('Aurora', [me.user.id, boss.user.id])
const elsewhere = await api.advertiser('Borealis', [me.user.id])
const foreign = await api.advertiser('Cedar')

beforeEach(() => {
  questions = []
})

const list = () => filled(me, { advertiser, rows: people(0, 3) })
const account = (of = advertiser) => api.account({ advertiser: of })
const inBusiness = async (business: string) => {
  const id = await account()
  said.set(id, { ...OK, business })
  return id
}
const SHARE = `${LTA}share-custom-audience/`
const share = (audience: { id: number }, accounts: number[], client: Client = me) =>
  client.post(SHARE, { audience: audience.id, ad_accounts: accounts })
const rowOf = (audience: { id: number }, ad_account: number) =>
  db
    .selectFrom('audience_share')
    .selectAll()
    .where('audience', '=', audience.id)
    .where('ad_account', '=', ad_account)
    .executeTakeFirstOrThrow()
const change = (id: number, changes: object) =>
  db.updateTable('audience_share').set(changes).where('id', '=', id).execute()
const CHECK = `${LTA}check-ad-account-permission/`

describe('the check of an ad account', () => {
  it('says what the platform says, and how the audience would be shared', async () => {
    const [home, second, other] = [await inBusiness('b1'), await inBusiness('b1'), await account()]
    const audience = await list()
    const check = async (id: number) =>
      (await me.get(`${CHECK}?ad_account=${id}&audience=${audience.id}`)).body
    expect(await check(home)).toEqual({ result: 'ok', mode: 'home', fix_url: null })
    await share(audience, [home])
    expect(await check(home)).toMatchObject({ mode: 'home' })
    expect(await check(second)).toMatchObject({ mode: 'shared' })
    expect(await check(other)).toMatchObject({ mode: 'copy' })
  })

  it('names where a person accepts the terms', async () => {
    const id = await account()
    const fix_url = 'https://terms.example'
    said.set(id, { ...OK, result: 'terms_not_accepted', fix_url })
    const { body } = await me.get(`${CHECK}?ad_account=${id}`)
    expect(body).toEqual({ result: 'terms_not_accepted', mode: null, fix_url })
  })

  it('asks the platform again where a person says so', async () => {
    const id = await account()
    await me.get(`${CHECK}?ad_account=${id}`)
    await me.get(`${CHECK}?ad_account=${id}&again=true`)
    expect(questions.filter(({ account: of }) => of === id).map(({ again }) => again)).toEqual([false, true])
  })

  it('is refused while the platform does not respond', async () => {
    const id = await account()
    said.set(id, { ...OK, result: 'platform_timeout' })
    expectRefusal(await me.get(`${CHECK}?ad_account=${id}`), 503, 'platform_timeout')
  })

  it('finds no account and no audience of others', async () => {
    const audience = await filled(await api.signedIn('superuser'), {
      advertiser: foreign,
      rows: people(0, 1),
    })
    expectRefusal(await me.get(`${CHECK}?ad_account=${await account(foreign)}`), 404, 'not_found')
    const path = `${CHECK}?ad_account=${await account()}&audience=${audience.id}`
    expectRefusal(await me.get(path), 404, 'not_found')
    expect(questions).toEqual([])
  })
})

describe('sharing', () => {
  it('begins in the accounts that the platform admits, and says of the others why not', async () => {
    const [good, terms, other] = [await account(), await account(), await account(elsewhere)]
    said.set(terms, { ...OK, result: 'terms_not_accepted' })
    const audience = await list()
    const { status, body } = await share(audience, [other, good, terms])
    const row = await rowOf(audience, good)
    expect([status, body]).toEqual([
      202,
      {
        shares: [
          { ad_account: other, result: 'other_advertiser' },
          { ad_account: good, share: row.id, result: 'queued' },
          { ad_account: terms, result: 'terms_not_accepted' },
        ],
      },
    ])
    expect(row).toMatchObject({ state: 'queued', mode: 'copy', auto_sync: true, created_by: me.user.id })
    expect(row.next_at).toEqual(clock.now)
    // A person may have accepted the terms since.
    expect(questions.filter(({ account: of }) => of === terms)).toEqual([{ account: terms, again: true }])
  })

  it('makes the first account of a business the home of the others', async () => {
    const [first, second, third] = [await inBusiness('b2'), await inBusiness('b2'), await inBusiness('b3')]
    const audience = await list()
    await share(audience, [second, first, third])
    const home = await rowOf(audience, second)
    expect(home).toMatchObject({ mode: 'home', home: null, business: 'b2' })
    expect(await rowOf(audience, first)).toMatchObject({ mode: 'shared', home: home.id })
    expect(await rowOf(audience, third)).toMatchObject({ mode: 'home', business: 'b3' })
  })

  it('of what is shared already changes nothing', async () => {
    const id = await account()
    const audience = await list()
    const first = await share(audience, [id])
    const before = await rowOf(audience, id)
    questions = []
    expect((await share(audience, [id])).body).toEqual(first.body)
    expect(await rowOf(audience, id)).toEqual(before)
    expect(questions).toEqual([])
  })

  it('of what has failed lets it go on, and of what was removed begins anew', async () => {
    const id = await account()
    const audience = await list()
    await share(audience, [id])
    const { id: of } = await rowOf(audience, id)
    await change(of, { state: 'failed', code: 'terms_not_accepted', next_at: null })
    await share(audience, [id])
    expect(await rowOf(audience, id)).toMatchObject({ id: of, state: 'queued', code: null })
    await change(of, { state: 'removing' })
    expect((await share(audience, [id])).body).toEqual({
      shares: [{ ad_account: id, result: 'action_not_allowed' }],
    })
    await change(of, { state: 'removed', sent_to: 7, synced_at: new Date(), next_at: null })
    await share(audience, [id])
    expect(await rowOf(audience, id)).toMatchObject({ id: of, state: 'queued', sent_to: 0, synced_at: null })
  })

  it('is refused for a draft, an expired list and one whose consent is denied', async () => {
    const id = await account()
    const draft = await customerFile(me, { advertiser })
    expectRefusal(await share(draft, [id]), 409, 'action_not_allowed')
    const audience = await list()
    const set = (changes: object) =>
      db.updateTable('audience').set(changes).where('id', '=', audience.id).execute()
    await set({ status: 'expired' })
    expectRefusal(await share(audience, [id]), 409, 'members_expired')
    const consent = { ad_user_data: 'granted', ad_personalization: 'denied' }
    await set({ status: 'ready', consent: JSON.stringify(consent) })
    expectRefusal(await share(audience, [id]), 409, 'consent_denied')
  })

  it('of visitors and lookalikes reaches Meta alone, and of GA4 nobody', async () => {
    const audience = await list()
    const [id, other] = [await account(), await account()]
    await db
      .updateTable('ad_account')
      .set({ channel: 'tt', provider: 'tiktok' })
      .where('id', '=', other)
      .execute()
    const set = (changes: object) =>
      db.updateTable('audience').set(changes).where('id', '=', audience.id).execute()
    await set({ kind: 'website' })
    expect((await share(audience, [other, id])).body).toMatchObject({
      shares: [{ result: 'action_not_allowed' }, { result: 'queued' }],
    })
    await set({ kind: 'ga4' })
    expectRefusal(await share(audience, [id]), 409, 'action_not_allowed')
  })

  it('of a lookalike needs its seed in the same account', async () => {
    const seed = await list()
    const id = await account()
    const { ad_account } = await shareWith(api, seed)
    const { id: lookalike } = await list()
    await db
      .updateTable('audience')
      .set({ kind: 'lookalike', seed: seed.id, country: 'TW', ratio: 1 })
      .where('id', '=', lookalike)
      .execute()
    expect((await share({ id: lookalike }, [id, ad_account])).body).toMatchObject({
      shares: [{ result: 'seed_not_shared' }, { result: 'queued' }],
    })
    const { id: of } = await rowOf(seed, ad_account)
    expectRefusal(await boss.delete(`${LTA}${seed.id}/shares/${of}/`), 409, 'has_lookalikes')
  })

  it('finds no audience and no account of others', async () => {
    const mine = await list()
    expectRefusal(await share(mine, [await account(), await account(foreign)]), 404, 'not_found')
    expectRefusal(await share(mine, [await account()], await api.client()), 404, 'not_found')
    expect(questions).toEqual([])
  })

  it('takes fifty accounts at most', async () => {
    const response = await share(
      await list(),
      Array.from({ length: 51 }, (_, n) => n + 1),
    )
    expectRefusal(response, 400, 'invalid', { ad_accounts: ['field_too_many'] })
  })

  it('by a client needs the plan Advanced', async () => {
    const client = await api.client()
    const audience = await filled(await api.signedIn('superuser'), {
      advertiser: client.advertiser,
      rows: people(0, 1),
    })
    const id = await account(client.advertiser)
    expectRefusal(await share(audience, [id], client), 403, 'plan_needed')
    await db.updateTable('users').set({ plan: 1 }).where('id', '=', client.user.id).execute()
    expect((await share(audience, [id], client)).body).toMatchObject({ shares: [{ result: 'queued' }] })
  })
})

describe('a share', () => {
  const shared = async (changes: object = { state: 'ready' }) => {
    const audience = await list()
    const { id, ad_account } = await shareWith(api, audience)
    await change(id, changes)
    const path = `${LTA}${audience.id}/shares/${id}/`
    return { audience, id, ad_account, path }
  }
  const failed = { state: 'failed', code: 'terms_not_accepted' }
  const task = JSON.stringify({ action: 'add', part: 0, batch: 2, batches: 5 })

  it('that has failed while it was sent goes on with what it was sending', async () => {
    const { id, audience, ad_account, path } = await shared({ ...failed, task })
    const { status, body } = await me.post(`${path}retry/`)
    expect([status, body]).toEqual([202, { share: id, state: 'queued' }])
    expect(await rowOf(audience, ad_account)).toMatchObject({
      state: 'queued',
      task: { batch: 2 },
      code: null,
      next_at: clock.now,
    })
  })

  it('that has been stopped is looked at again; one that is gone is made anew', async () => {
    const synced = { sent_to: 3, synced_at: new Date(clock.now) }
    const stopped = await shared({ state: 'stopped', code: 'audience_flagged', ...synced })
    expect((await me.post(`${stopped.path}retry/`)).body).toMatchObject({ state: 'matching' })
    const gone = await shared({ state: 'stopped', code: 'audience_gone', ...synced })
    expect((await me.post(`${gone.path}retry/`)).body).toMatchObject({ state: 'queued' })
    expect(await rowOf(gone.audience, gone.ad_account)).toMatchObject({ parts: [], sent_to: 0 })
  })

  it('whose list is destroyed goes on only where nothing has to be sent', async () => {
    const expire = ({ id }: { id: number }) =>
      db.updateTable('audience').set({ status: 'expired' }).where('id', '=', id).execute()
    const sending = await shared({ ...failed, task })
    await expire(sending.audience)
    expectRefusal(await me.post(`${sending.path}retry/`), 409, 'members_expired')
    const done = await shared({ ...failed, sent_to: 3, synced_at: new Date(clock.now) })
    await expire(done.audience)
    expect((await me.post(`${done.path}retry/`)).body).toMatchObject({ state: 'matching' })
  })

  it('that is well is not retried', async () => {
    const { path } = await shared()
    expectRefusal(await me.post(`${path}retry/`), 409, 'action_not_allowed')
  })

  it('follows uploads or not, and catches up at once', async () => {
    const { path, audience, ad_account } = await shared()
    expect((await me.patch(path, { auto_sync: false })).status).toBe(200)
    expect(await rowOf(audience, ad_account)).toMatchObject({ auto_sync: false, next_at: null })
    await me.patch(path, { auto_sync: true })
    expect(await rowOf(audience, ad_account)).toMatchObject({ auto_sync: true, next_at: clock.now })
  })

  it('is taken away by its maker or a manager', async () => {
    const { id, path, audience } = await shared({ created_by: boss.user.id })
    expectRefusal(await me.delete(path), 403, 'forbidden')
    const mine = await shared({ created_by: me.user.id })
    const mayUnshare = async (client: Client, of: { id: number }) =>
      (await readAudience(client, of)).shares.map(({ may_unshare: may }) => may)
    expect([await mayUnshare(me, audience), await mayUnshare(boss, audience)]).toEqual([[false], [true]])
    expect(await mayUnshare(me, mine.audience)).toEqual([true])
    expect((await me.delete(mine.path)).body).toEqual({ share: mine.id, state: 'removing' })
    const { status, body } = await boss.delete(path)
    expect([status, body]).toEqual([202, { share: id, state: 'removing' }])
    expect((await boss.delete(path)).body).toEqual({ share: id, state: 'removing' })
    expect((await readAudience(me, audience)).shares).toMatchObject([{ state: 'removing' }])
  })

  it('that others depend on stays as long as they do', async () => {
    const { id, path, audience } = await shared({ business: 'b' })
    const other = await shareWith(api, audience)
    await change(other.id, { mode: 'shared', home: id })
    const response = await boss.delete(path)
    expectRefusal(response, 409, 'in_use')
    expect(response.body).toMatchObject({ by: { shares: 1 } })
    await boss.delete(`${LTA}${audience.id}/shares/${other.id}/`)
    expect((await boss.delete(path)).status).toBe(202)
  })

  it('of others, or of another audience, does not exist', async () => {
    const { path, id } = await shared(failed)
    const other = await list()
    const client = await api.client()
    for (const [caller, of] of [
      [client, path],
      [me, `${LTA}${other.id}/shares/${id}/`],
    ] as const) {
      expectRefusal(await caller.post(`${of}retry/`), 404, 'not_found')
      expectRefusal(await caller.patch(of, { auto_sync: false }), 404, 'not_found')
      expectRefusal(await caller.delete(of), 404, 'not_found')
    }
  })
})
