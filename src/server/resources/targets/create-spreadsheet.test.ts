import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CreatedSpreadsheet } from '#shared/api/spreadsheets.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { spreadsheetEffects } from '#server/resources/spreadsheets/effects.ts'
import { found } from '#server/resources/spreadsheets/testing/permission.ts'
import { testService } from '#server/sheets/testing/service.ts'

const service = await testService()
const api = await testApi({ effects: { spreadsheets: spreadsheetEffects(service.seeking()) } })
const { settings } = api.effects
api.effects.settings = {
  ...settings,
  built_in_sheets: { sheets: service.origin, drive: service.origin },
  spreadsheet_origins: [settings.public_url],
}

const PATH = '/api/ad/gs_spreadsheet/'
const create = (who: Client, body: object = {}, key: string = randomUUID()) =>
  who.post(PATH, body, { headers: { 'idempotency-key': key } })
const created = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBe(201)
  return CreatedSpreadsheet.parse(response.body)
}
const idIn = ({ spreadsheet_url }: { spreadsheet_url: string }) => spreadsheet_url.split('/').at(-2) ?? ''

const person = (identity: 'external_user' | 'staff' | 'director' = 'staff', facts: object = {}) =>
  api.signedIn(identity, { email: `${randomUUID()}@people.demo`, email_confirmed: true, ...facts })
const client = () => api.client({ email: `${randomUUID()}@people.demo`, email_confirmed: true })
const join = (advertiser: number, { user }: Client) =>
  api.db.insertInto('advertiser_member').values({ advertiser, user_id: user.id }).execute()

const bindingOf = (id: string) =>
  api.db
    .selectFrom('spreadsheet_binding')
    .selectAll()
    .where('spreadsheet_id', '=', id)
    .executeTakeFirstOrThrow()
/** The titles of the person's own files in the service. */
const titlesOf = async (who: Client) => {
  const response = await who.get('/api/sheets/')
  return (response.body as { title: string; role: string }[]).map(({ title, role }) => `${title} (${role})`)
}

describe('a spreadsheet that is created for a person', () => {
  it('is theirs, named after client and report, and can be written to without anything further', async () => {
    const me = await client()
    const account = await api.account({ advertiser: me.advertiser })
    const reply = created(await create(me, { report_name: 'Daily numbers', accounts: [account] }))
    expect(reply).toMatchObject({
      spreadsheet_url: `http://localhost:3000/spreadsheets/d/${idIn(reply)}/edit`,
      title: `Client ${me.user.username} – Daily numbers`,
      sheet_name: 'Data',
      start_cell: 'A1',
      check: { result: 'ok', title: `Client ${me.user.username} – Daily numbers` },
    })
    expect(await titlesOf(me)).toEqual([`${reply.title} (owner)`])
    expect(await bindingOf(idIn(reply))).toMatchObject({
      advertiser: me.advertiser,
      proven_by: me.user.id,
      role: 'owner',
      proof: 'permission',
    })
    const { id } = await me.report({ spreadsheet_url: reply.spreadsheet_url, sheet_name: 'Data' })
    const report = await me.get(`/api/gs-template-setting/${id}/`)
    expect(report.body).toMatchObject({ gaps: expect.not.arrayContaining(['permission_not_set']) })
    const trail = await api.db
      .selectFrom('audit')
      .select(['actor', 'action', 'detail'])
      .where('object_id', '=', idIn(reply))
      .orderBy('id')
      .execute()
    expect(trail).toMatchObject([
      { actor: me.user.id, action: 'spreadsheet.create', detail: { title: reply.title } },
      { actor: me.user.id, action: 'spreadsheet.bind' },
    ])
  })

  it('is named in the person’s language where the report has no name yet', async () => {
    const me = await person('staff')
    await api.db.updateTable('users').set({ language: 'zh-TW' }).where('id', '=', me.user.id).execute()
    expect(created(await create(me))).toMatchObject({ title: '報表', sheet_name: '資料' })
  })

  it('is one, however often and however concurrently it is requested with the same key', async () => {
    const me = await person()
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 4 }, () => create(me, {}, key)))
    expect(
      new Set(
        [...replies, await create(me, { report_name: 'Another name' }, key)].map(each => idIn(created(each))),
      ).size,
    ).toBe(1)
    expect(await titlesOf(me)).toEqual(['Report (owner)'])
    expect(idIn(created(await create(me)))).not.toBe(idIn(created(replies[0] ?? (await create(me)))))
  })

  it('is the one that a broken request has left behind', async () => {
    const me = await person()
    const key = randomUUID()
    service.control.setFaults([
      { platform: 'sheets', method: 'POST', path: '^/v4/spreadsheets$', action: 'drop_after_commit' },
    ])
    const first = await create(me, { report_name: 'Left' }, key)
    expect(first.status).toBe(503)
    const second = created(await create(me, { report_name: 'Left' }, key))
    expect(second.check.result).toBe('ok')
    expect(await titlesOf(me)).toEqual(['Left (owner)'])
  })

  it('is never one of the same title that the person or another request has created', async () => {
    const me = await person()
    const [mine, other] = [randomUUID(), randomUUID()]
    const own = (await me.post('/api/sheets/', { title: 'Same' })).body as { id: string }
    for (const [key, action] of [
      [mine, 'drop_after_commit'],
      [other, '503'],
    ] as const) {
      service.control.setFaults([{ platform: 'sheets', method: 'POST', path: '^/v4/spreadsheets$', action }])
      expect((await create(me, { report_name: 'Same' }, key)).status).toBe(503)
    }
    const another = idIn(created(await create(me, { report_name: 'Same' }, other)))
    const left = idIn(created(await create(me, { report_name: 'Same' }, mine)))
    expect(new Set([own.id, another, left]).size).toBe(3)
    expect(await titlesOf(me)).toEqual(['Same (owner)', 'Same (owner)', 'Same (owner)'])
  })

  it('belongs to the department of the agency’s own people, and only names the client', async () => {
    const me = await person('staff', { department: 2 })
    const advertiser = await api.advertiser('Aurora')
    await join(advertiser, me)
    const accounts = [await api.account({ advertiser }), await api.account({ advertiser })]
    const reply = created(await create(me, { report_name: 'Weekly', accounts }))
    expect(reply.title).toBe('Aurora – Weekly')
    expect(await bindingOf(idIn(reply))).toMatchObject({ advertiser: null, department: 2 })
  })

  it('asks a client of several for which one it is, unless the accounts say it', async () => {
    const me = await client()
    const other = await api.advertiser(`Second ${me.user.username}`)
    await join(other, me)
    const open = created(await create(me, { report_name: 'Both' }))
    expect(open).toMatchObject({ title: 'Both', check: { result: 'proof_required' } })
    expect(open.check.advertisers?.map(({ id }) => id).toSorted()).toEqual([me.advertiser, other].toSorted())
    const account = await api.account({ advertiser: other })
    const named = created(await create(me, { report_name: 'One', accounts: [account] }))
    expect(named.check.result).toBe('ok')
    expect(await bindingOf(idIn(named))).toMatchObject({ advertiser: other })
  })

  it('is not named after a client twice', async () => {
    const me = await client()
    const report_name = `Client ${me.user.username} · Daily performance`
    const account = await api.account({ advertiser: me.advertiser })
    expect(created(await create(me, { report_name, accounts: [account] })).title).toBe(report_name)
  })

  it('says nothing about clients whose accounts the person may not use', async () => {
    const [me, outsider] = [await client(), await client()]
    const theirs = await api.account({ advertiser: outsider.advertiser })
    expect(created(await create(me, { report_name: 'Mine', accounts: [theirs, 999_999_999] })).title).toBe(
      `Client ${me.user.username} – Mine`,
    )
  })

  it('is one of so many in a day', async () => {
    const me = await person()
    const { quotas } = api.effects.settings
    onTestFinished(() => void (quotas.spreadsheets_a_day = 1_000_000))
    quotas.spreadsheets_a_day = 2
    const key = randomUUID()
    created(await create(me, {}, key))
    const [one, two] = await Promise.all([create(me), create(me)])
    expect([one.status, two.status].toSorted()).toEqual([201, 429])
    expectRefusal(await create(me), 429, 'too_many_spreadsheets')
    created(await create(me, {}, key))
  })
})

describe('where a person can own no file', () => {
  const creationFor = async (who: Client) =>
    (await who.get('/users/identity/')).body as { spreadsheet_creation: string }

  it.each([
    ['no_confirmed_email', () => api.signedIn('staff', { email: 'somebody@people.demo' })],
    ['no_confirmed_email', () => api.signedIn('staff')],
    ['no_advertiser', () => person('external_user')],
  ])('none is created, and the reason is %s', async (reason, who) => {
    const me = await who()
    expect(await creationFor(me)).toMatchObject({ spreadsheet_creation: reason })
    expectRefusal(await create(me), 404, 'not_found')
  })

  it('none is created with Google’s service, where the system user can own none', async () => {
    const { built_in_sheets: _none, ...google } = api.effects.settings
    const before = api.effects.settings
    onTestFinished(() => void (api.effects.settings = before))
    const me = await person()
    expect(await creationFor(me)).toMatchObject({ spreadsheet_creation: 'available' })
    api.effects.settings = google
    expect(await creationFor(me)).toMatchObject({ spreadsheet_creation: 'no_connected_account' })
    expectRefusal(await create(me), 404, 'not_found')
  })
})

describe('the check of a built-in spreadsheet', () => {
  const check = async (who: Client, spreadsheet_url: string) =>
    found(await who.get(`/api/ad/gs_permission_check/?${new URLSearchParams({ spreadsheet_url })}`))

  it('says to its owner alone that they can share it', async () => {
    const [me, outsider] = [await client(), await client()]
    const made = (await me.post('/api/sheets/', { title: 'Not shared yet' })).body as { id: string }
    const google = `https://docs.google.com/spreadsheets/d/${made.id}/edit`
    const mine = await check(me, made.id)
    expect(mine).toMatchObject({ result: 'not_shared', can_share: true })
    expect(mine.spreadsheet_url).toBe(`http://localhost:3000/spreadsheets/d/${made.id}/edit`)
    // To anybody else it is like a file of Google's, or none.
    expect(await check(outsider, made.id)).toMatchObject({
      result: 'not_shared',
      spreadsheet_url: google,
    })
    expect(await check(outsider, made.id)).not.toHaveProperty('can_share')
    const email = mine.system_user
    expect((await me.post(`/api/sheets/${made.id}/share/`, { email, role: 'writer' })).status).toBe(204)
    const shared = await check(me, made.id)
    expect(shared).toMatchObject({ result: 'ok' })
    expect(shared).not.toHaveProperty('can_share')
  })

  it('returns the address without what was pasted around it', async () => {
    const me = await client()
    const id = 'x'.repeat(44)
    expect((await check(me, `<docs.google.com/spreadsheets/u/1/d/${id}/edit#gid=3>.`)).spreadsheet_url).toBe(
      `https://docs.google.com/spreadsheets/d/${id}/edit#gid=3`,
    )
    for (const text of ['nonsense', `https://docs.google.com/spreadsheets/d/${id}/edit`])
      expect(await check(me, text)).not.toHaveProperty('spreadsheet_url')
  })
})
