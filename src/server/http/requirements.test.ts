import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mayReach, type Reach } from '#shared/access.ts'
import { shareWith } from '#server/resources/audiences/testing/members.ts'
import { expectRefusal, testApi } from './testing/api.ts'

/**
 * Every call that the requirements name, at the address that they write, for every role: who may gets what
 * they describe, everybody else a 403, and nobody a missing address or method.
 */

const PASSWORD = `pass-${randomUUID()}`
const tab = { title: 'Data', sheet_id: 1, rows: 1000, columns: 26, hidden: false }
const api = await testApi({
  effects: {
    audiences: {
      ga4Audiences: async () => ({ audiences: [], code: null }),
      access: async () => ({ result: 'ok', business: null, fix_url: null }),
    },
  },
})
const { db, effects } = api
effects.spreadsheets = {
  ...effects.spreadsheets,
  findSystemUser: async () => ({ result: 'ok', title: 'A file', system_user: null, permissions: null }),
  check: async () => ({ result: 'ok' }),
  tabs: async () => [tab],
}

const signIn = (identity: Parameters<typeof api.signedIn>[0], department?: number) =>
  api.signedIn(identity, { password: PASSWORD, ...(department !== undefined && { department }) })
const people = {
  external_user: await signIn('external_user'),
  staff: await signIn('staff', 2),
  manager: await signIn('manager', 2),
  director: await signIn('director', 1),
  superuser: await signIn('superuser', 6),
  finance: await signIn('staff', 7),
}
type Role = keyof typeof people
const roles = Object.keys(people).filter((name): name is Role => name in people)
const ids = Object.values(people).map(({ user }) => user.id)

// Everybody belongs to one customer that has one of everything: what differs is the role alone.
const advertiser = await api.advertiser('Aurora', ids)
const account = await api.account({ advertiser })
const spreadsheet = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg'
const sheet = encodeURIComponent(`https://docs.google.com/spreadsheets/d/${spreadsheet}/edit`)
await db
  .insertInto('spreadsheet_binding')
  .values({ spreadsheet_id: spreadsheet, advertiser, proven_by: ids[0] ?? null, proof: 'code' })
  .execute()
const { id: business } = await db
  .insertInto('business')
  .values({ external_id: randomUUID(), name: 'Agency' })
  .returning('id')
  .executeTakeFirstOrThrow()
await db
  .insertInto('business_member')
  .values(ids.map(user_id => ({ business, user_id })))
  .execute()
const { id: audience } = await db
  .insertInto('audience')
  .values({ advertiser, kind: 'customer_file', name: 'VIP', basis: 'Terms', status: 'ready', rows: 1 })
  .returning('id')
  .executeTakeFirstOrThrow()
await shareWith(api, { id: audience, advertiser })

const forbidden = z.object({ status: z.literal(403), code: z.literal('forbidden') })
/** What the generic list reads. */
const page = z.object({ count: z.int(), results: z.array(z.unknown()) })
const list = z.array(z.unknown())
/** These fields, and perhaps others. */
const having = (...fields: string[]) =>
  z.record(z.string(), z.unknown()).refine(body => fields.every(field => field in body))
const labels = z.strictObject({ [business]: z.literal('Agency') })

const reads: [path: string, least: Reach, answer: z.ZodType, query?: string][] = [
  ['/users/identity/', 'external_user', having('identity', 'department', 'language', 'availableBM')],
  ['/api/department/', 'external_user', list],
  ['/api/user/', 'external_user', page],
  ['/api/advertiser/', 'staff', page],
  ['/api/advertiser/relate/ad-account/', 'staff', having('ad_accounts'), `advertiser=${advertiser}`],
  ['/api/advertiser/relate/ga-view/', 'staff', having('ga_views'), `advertiser=${advertiser}`],
  ['/api/agent/', 'staff', page],
  ['/api/industry/', 'staff', page],
  ['/api/targetaudience/', 'staff', page],
  ['/api/site/', 'staff', page],
  ['/api/publisher/', 'staff', page],
  ['/api/image/', 'staff', page],
  ['/api/file/', 'staff', page],
  ['/api/lta/', 'external_user', page],
  ['/api/lta/sources/', 'external_user', having('sites', 'ga4'), `advertiser=${advertiser}`],
  [
    '/api/lta/check-ad-account-permission',
    'external_user',
    having('result', 'mode', 'fix_url'),
    `ad_account=${account}&audience=${audience}`,
  ],
  ['/api/ad/', 'staff', page],
  [
    '/api/ad/metrics/',
    'external_user',
    having('series'),
    `accounts=${account}&start=2026-11-01&end=2026-11-30`,
  ],
  ['/api/ad/ecspend/', 'director_or_finance', having('months', 'rows', 'totals'), 'from=2026-10&to=2026-11'],
  ['/api/ad/account/', 'external_user', page],
  [
    '/api/ad/gs_permission_check/',
    'external_user',
    having('result', 'system_user'),
    `spreadsheet_url=${sheet}`,
  ],
  ['/api/ad/gs_sheet_name_list/', 'external_user', list, `spreadsheet_url=${sheet}`],
  ['/api/ad/gs_metrics/', 'external_user', having('channels')],
  ['/api/gs-template-setting/', 'external_user', page],
  ['/api/gs-template-folder/', 'external_user', list, 'ordering=-last_modified_at&p=0'],
  ['/api/ad_insertion/quotation/', 'staff', page],
  ['/api/ad_insertion/payment/', 'staff', page],
  ['/api/ga-view/', 'external_user', page],
  ['/api/ga4-view/', 'external_user', page],
  ['/api/public-account/', 'superuser', page],
  // Keepers of a login read it, too; nobody else finds one.
  ['/api/public-account-user/', 'staff', list],
  ['/api/public-account-platform/', 'superuser', list],
  ['/api/public-account-service/', 'superuser', list],
  ['/api/public-account-permission/', 'superuser', list],
  ['/api/support/', 'external_user', page],
  ['/api/support/editor-check', 'external_user', having('editor')],
  ['/api/fb-business/', 'external_user', labels],
  ['/api/fb-business/adaccount', 'external_user', page, `business=${business}`],
]

describe.each(reads)('GET %s', (path, least, answer, query = '') => {
  it.each(roles)(`by %s (${least} and above)`, async role => {
    const { user, get } = people[role]
    const paged = answer === page ? '&search=&ordering=-id&limit=10&offset=0' : ''
    const [status, shape] = mayReach(user, least) ? [200, answer] : [403, forbidden]
    for (const address of [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`])
      expect(await get(`${address}?${query}${paged}`)).toMatchObject({
        status,
        body: expect.schemaMatching(shape),
      })
  })

  it('is for nobody without a session', async () => {
    expectRefusal(await api.anonymous.get(`${path}?${query}`), 401, 'unauthenticated')
  })
})

describe('the other calls', () => {
  it.each(roles)('sign %s in and renew the session', async role => {
    const { username, id } = people[role].user
    const signedIn = await api.anonymous.post('/api/token/', { username, password: PASSWORD })
    expect(signedIn).toMatchObject({
      status: 200,
      body: { access: expect.any(String), refresh: expect.any(String), user_id: id },
    })
    const { refresh } = Object(signedIn.body)
    const renewed = await api.anonymous.post('/api/token/refresh/', { refresh })
    expect(renewed).toMatchObject({ status: 200, body: { access: expect.any(String) } })
    const profile = await api.bearing(Object(renewed.body).access).get(`/users/${id}/`)
    expect(profile).toMatchObject({ status: 200, body: { language: 'en' } })
  })

  it.each(roles)('make, rename, move and delete folders of %s', async role => {
    const { post, patch, get, call } = people[role]
    const FOLDERS = '/api/gs-template-folder/'
    const made = async (name: string) => {
      const response = await post(FOLDERS, { name, parent: null })
      expect(response.status).toBe(201)
      return Number(Object(response.body).id)
    }
    const [outer, inner] = [await made('Outer'), await made('Inner')]
    expect((await patch(`${FOLDERS}${inner}/`, { parent: outer })).status).toBe(200)
    expect((await patch(`${FOLDERS}${inner}/`, { name: 'Renamed' })).status).toBe(200)
    const { body } = await get(`${FOLDERS}?p=${outer}`)
    expect(body).toContainEqual(expect.objectContaining({ id: inner, name: 'Renamed' }))
    expect(body).toContainEqual(expect.objectContaining({ layer: 0 }))
    expect((await call('DELETE', `${FOLDERS}${outer}/`, { mode: 'keepitems' })).status).toBe(200)
  })

  it.each(roles)('share an audience for %s', async role => {
    const body = { audience, ad_accounts: [await api.account({ advertiser })] }
    const shared = { status: 202, body: { shares: [{ result: 'queued' }] } }
    // Of a client the plan decides.
    const refused = { status: 403, body: { code: 'plan_needed' } }
    expect(await people[role].post('/api/lta/share-custom-audience', body)).toMatchObject(
      role === 'external_user' ? refused : shared,
    )
  })

  it('show the accounts of business managers to those who have one', async () => {
    for (const role of roles) {
      const { identity } = people[role].user
      const other = await api.signedIn(identity)
      const response = await other.get('/api/fb-business/adaccount')
      const seesAll = identity === 'director' || identity === 'superuser'
      expect([role, response.status]).toEqual([role, seesAll ? 200 : 403])
      const names = (await other.get('/api/fb-business/')).body
      expect([role, names]).toEqual([role, seesAll ? { [business]: 'Agency' } : {}])
    }
  })
})
