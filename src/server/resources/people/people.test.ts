import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Folder } from '#shared/api/folders.ts'
import { Department, IdentityReply, PasswordLink, TransferPlan, User, UserList } from '#shared/api/people.ts'
import { sessionCookies } from '#shared/session-cookies.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { ready } from '#server/resources/reports/testing/requests.ts'

const api = await testApi()
const PASSWORD = 'correct battery horse 9'
const userIn = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return User.parse(response.body)
}
const names = (response: ApiResponse) =>
  UserList.parse(response.body).results.map(({ username, full_name }) => username ?? full_name)

describe('the signed-in person', () => {
  it('has role, level, department and permissions', async () => {
    const { get, user } = await api.signedIn('manager', { department: 3, full_name: 'Mina Chen' })
    const identity = {
      user_id: user.id,
      identity: 'manager',
      level: 2,
      department: 3,
      user_type: 1,
      language: 'en',
    }
    for (const path of ['/users/identity/', '/api/users/identity/'])
      expect(await get(path)).toMatchObject({
        status: 200,
        body: {
          ...identity,
          has_mailbox: false,
          has_link_checks: false,
          time_zone: 'Asia/Taipei',
          availableBM: {},
        },
      })
  })

  it('names to a client who serves their advertisers, of several the one of the least role', async () => {
    const client = await api.signedIn('external_user')
    const other = await api.signedIn('external_user')
    const [manager, staff, gone] = [
      await api.signedIn('manager', { full_name: 'Mei Manager' }),
      await api.signedIn('staff', { full_name: 'Lin Yu-ting', email: 'lin@agency.example' }),
      await api.signedIn('staff', { full_name: 'Gone Already' }),
    ]
    const specialistsOf = async ({ get }: typeof client) =>
      IdentityReply.parse((await get('/users/identity/')).body).specialists
    await api.advertiser('Acme', [gone.user.id, manager.user.id, staff.user.id, client.user.id])
    await api.advertiser('Acme Japan', [staff.user.id, client.user.id])
    await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', gone.user.id).execute()
    expect(await specialistsOf(client)).toEqual([{ name: 'Lin Yu-ting', email: 'lin@agency.example' }])
    await api.advertiser('Fjord', [manager.user.id, client.user.id, other.user.id])
    expect((await specialistsOf(client)).map(({ name }) => name)).toEqual(['Lin Yu-ting', 'Mei Manager'])
    expect((await specialistsOf(other)).map(({ name }) => name)).toEqual(['Mei Manager'])
    expect(await specialistsOf(staff)).toEqual([])
  })

  it('has departments in their language', async () => {
    const { get, patch, user } = await api.signedIn('external_user')
    expect((await get('/api/department/')).body).toHaveLength(7)
    await patch(`/users/${user.id}/`, { language: 'zh-TW' })
    expect((await get('/api/department/')).body).toContainEqual({ id: 7, name: '財務', key: 'finance' })
    const colleague = await api.signedIn('staff', { department: 4 })
    const departments = z.array(Department).parse((await colleague.get('/api/department/')).body)
    expect(departments.find(({ id }) => id === 4)).toMatchObject({ people: 1 })
  })
})

describe('a profile', () => {
  it('is changed by its person in their own fields, and in nothing else', async () => {
    const { patch, user } = await api.signedIn('external_user')
    const path = `/users/${user.id}/`
    const changes = {
      full_name: 'Neo',
      language: 'zh-TW',
      theme: 'dark',
      contacts: [{ type: 1, value: '+886912345678' }],
      position: 'Buyer',
    }
    expect(userIn(await patch(path, changes))).toMatchObject(changes)
    for (const field of ['identity', 'email', 'is_active', 'department', 'username'])
      expectRefusal(await patch(path, { [field]: 'superuser' }), 400, 'invalid', {
        [field]: ['field_unknown'],
      })
  })

  it('changes the password with the old one, which ends all sessions', async () => {
    const { patch, get, user } = await api.signedIn('staff', { username: 'changer', password: PASSWORD })
    const path = `/users/${user.id}/`
    const change = (old: string, fresh: string) => patch(path, { password: { old, new: fresh } })
    expectRefusal(await change('wrong', 'a new long phrase'), 400, 'invalid', {
      'password.old': ['password_wrong'],
    })
    expectRefusal(await change(PASSWORD, 'short'), 400, 'invalid', { 'password.new': ['password_too_short'] })
    expect((await change(PASSWORD, 'a new long phrase')).status).toBe(200)
    expectRefusal(await get(path), 401, 'unauthenticated')
    const signIn = (password: string) => api.anonymous.post('/api/token/', { username: 'changer', password })
    expectRefusal(await signIn(PASSWORD), 401, 'unauthenticated')
    expect((await signIn('a new long phrase')).status).toBe(200)
  })

  it('keeps the browser in which the password is changed signed in', async () => {
    const { patch, user } = await api.signedIn('staff', { password: PASSWORD })
    const cookie = { headers: { cookie: `${sessionCookies('http:').refresh}=x` } }
    const response = await patch(
      `/users/${user.id}/`,
      { password: { old: PASSWORD, new: 'a new long phrase' } },
      cookie,
    )
    const [, access = ''] = /access_token=([^;]+)/.exec(response.headers.getSetCookie().join(';')) ?? []
    expect((await api.bearing(access).get('/users/identity/')).status).toBe(200)
  })

  it('counts wrong old passwords like failed sign-ins', async () => {
    const { patch, user } = await api.signedIn('staff', { password: PASSWORD })
    const guess = (old: string) =>
      patch(`/users/${user.id}/`, { password: { old, new: 'a new long phrase' } })
    for (let n = 0; n < 10; n += 1) expect((await guess(`guess ${n}`)).status).toBe(400)
    expectRefusal(await guess(PASSWORD), 429, 'rate_limited')
  })
})

describe('the accounts of people', () => {
  it('are created by a superuser, who passes on a link that sets the password', async () => {
    const { post } = await api.signedIn('superuser')
    const advertiser = await api.advertiser('Gamma')
    const person = userIn(
      await post('/api/user/', {
        username: 'newcomer',
        full_name: 'New Comer',
        identity: 'external_user',
        advertisers: [advertiser],
      }),
    )
    expect(person).toMatchObject({ username: 'newcomer', user_type: 2, is_active: 1 })
    const account = { full_name: 'Another', identity: 'staff', department: 2 }
    expectRefusal(await post('/api/user/', { ...account, username: 'NEWCOMER' }), 400, 'invalid', {
      username: ['name_taken'],
    })
    expectRefusal(
      await post('/api/user/', { ...account, username: 'unknown', advertisers: [999_999] }),
      400,
      'invalid',
      {
        advertisers: ['field_not_available'],
      },
    )
    const { url } = PasswordLink.parse((await post(`/api/user/${person.user_id}/password-link/`)).body)
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')
    expect((await api.anonymous.post('/api/set-password/', { token, password: PASSWORD })).status).toBe(204)
    expect(
      (await api.anonymous.post('/api/token/', { username: 'newcomer', password: PASSWORD })).status,
    ).toBe(200)
  })

  it('are closed or given another role with effect on the next request', async () => {
    const { patch } = await api.signedIn('superuser')
    const [demoted, closed] = [await api.signedIn('director'), await api.signedIn('staff')]
    expect(userIn(await patch(`/api/user/${demoted.user.id}/`, { identity: 'staff' })).identity).toBe('staff')
    expect(userIn(await patch(`/api/user/${closed.user.id}/`, { is_active: 0 })).is_active).toBe(0)
    for (const { get } of [demoted, closed])
      expectRefusal(await get('/users/identity/'), 401, 'unauthenticated')
  })

  it('let no superuser lock themselves out', async () => {
    const { patch, user } = await api.signedIn('superuser')
    await api.signedIn('superuser')
    for (const change of [{ identity: 'staff' }, { is_active: 0 }, { employment_status: 2 }])
      expectRefusal(await patch(`/api/user/${user.id}/`, change), 403, 'forbidden')
  })

  it('keep one superuser, also when two close each other at the same moment', async () => {
    await api.db.updateTable('users').set({ is_active: 0 }).where('identity', '=', 'superuser').execute()
    const [one, two] = [await api.signedIn('superuser'), await api.signedIn('superuser')]
    const responses = await Promise.all([
      one.patch(`/api/user/${two.user.id}/`, { is_active: 0 }),
      two.patch(`/api/user/${one.user.id}/`, { identity: 'staff' }),
    ])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = await api.db
      .selectFrom('users')
      .select('id')
      .where('identity', '=', 'superuser')
      .where('is_active', '=', 1)
      .execute()
    expect(left).toHaveLength(1)
  })

  it('show whom a person serves, to people who may use these advertisers', async () => {
    const superuser = await api.signedIn('superuser')
    const [one, two] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const shared = await api.advertiser('Epsilon', [one.user.id, two.user.id])
    const own = await api.advertiser('Zeta', [one.user.id])
    const path = `/api/user/${one.user.id}/`
    expect((await superuser.get(path)).body).toMatchObject({ advertisers: [shared, own] })
    expect((await two.get(path)).body).toMatchObject({ advertisers: [shared] })
    expect(await superuser.patch(path, { advertisers: [own] })).toMatchObject({
      body: { advertisers: [own] },
    })
    expect((await two.get(path)).body).toMatchObject({ advertisers: [] })
  })

  it('are listed by name, department and kind; to a client only those of their advertiser', async () => {
    const superuser = await api.signedIn('superuser')
    const one = await api.signedIn('external_user', { username: 'delta-one', full_name: 'Dora' })
    const two = await api.signedIn('staff', { username: 'delta-two', department: 5 })
    const other = await api.signedIn('external_user', { username: 'delta-three' })
    await api.advertiser('Delta', [one.user.id, two.user.id])
    const listed = async (query: string) =>
      names(await superuser.get(`/api/user/?ordering=id&limit=100&${query}`))
    expect(await listed('search=delta-')).toEqual(['delta-one', 'delta-two', 'delta-three'])
    expect(await listed('search=dor')).toEqual(['delta-one'])
    expect(await listed('search=delta-&user_type=2')).toEqual(['delta-one', 'delta-three'])
    expect(await listed('search=delta-&department=5')).toEqual(['delta-two'])
    expect(names(await one.get('/api/user/?ordering=id'))).toEqual(['delta-one', 'delta-two'])
    expect(names(await other.get('/api/user/'))).toEqual(['delta-three'])
  })

  it('are exported as CSV, with their filters, in the reader’s language; for a client theirs alone', async () => {
    const superuser = await api.signedIn('superuser')
    const client = await api.signedIn('external_user', { username: 'csv-client', full_name: '=Eve' })
    await api.signedIn('staff', { username: 'csv-staff', department: 5 })
    const rowsFor = async ({ get }: typeof superuser, query: string) =>
      String((await get(`/api/user/?format=csv&${query}`)).body)
        .trimEnd()
        .split('\r\n')
        .map(line => line.split(',').slice(1, 5))
    expect(await rowsFor(superuser, 'search=csv-&ordering=id')).toEqual([
      ['Account', 'Full name', 'Role', 'Department'],
      ['csv-client', "'=Eve", 'Client', ''],
      ['csv-staff', expect.any(String), 'Staff', 'Business development'],
    ])
    await client.patch(`/users/${client.user.id}/`, { language: 'zh-TW' })
    expect(await rowsFor(client, 'limit=1')).toEqual([
      ['帳號', '姓名', '角色', '部門'],
      ['csv-client', "'=Eve", '客戶', ''],
    ])
  })

  it('show a client the agency’s people’s name and state, and nothing else', async () => {
    const facts = { department: 2, email: 'served@agency.example', full_name: 'Serving Person' }
    const served = await api.signedIn('manager', facts)
    const nameless = await api.signedIn('staff', { full_name: '' })
    await api.db
      .updateTable('users')
      .set({
        position: 'Lead',
        company_extension: '812',
        contacts: JSON.stringify([{ type: 1, value: '0912345678' }]),
      })
      .where('id', '=', served.user.id)
      .execute()
    const colleague = await api.signedIn('external_user', { email: 'colleague@client.example' })
    const client = await api.signedIn('external_user')
    const members = [served, nameless, colleague, client].map(({ user }) => user.id)
    await api.advertiser(`Served ${randomUUID()}`, members)
    const profile = {
      user_id: served.user.id,
      username: null,
      full_name: 'Serving Person',
      identity: null,
      department: null,
      user_type: 1,
      plan: null,
      position: null,
      email: null,
      contacts: null,
      company_extension: null,
      language: null,
      theme: null,
      mail_notices: null,
      is_active: 1,
      employment_status: 1,
      created_at: null,
    }
    const list = async (query: string) => UserList.parse((await client.get(`/api/user/?${query}`)).body)
    expect((await list('')).results).toContainEqual(profile)
    expect((await client.get(`/api/user/${served.user.id}/`)).body).toMatchObject(profile)
    expect((await client.get(`/api/users/${served.user.id}/`)).body).toEqual(profile)
    expect((await client.get(`/users/${served.user.id}/`)).body).toEqual(profile)
    // Of their own colleagues they see everything, and the agency's people of everybody.
    expect((await client.get(`/api/users/${colleague.user.id}/`)).body).toMatchObject({
      username: colleague.user.username,
      email: 'colleague@client.example',
    })
    expect((await nameless.get(`/api/users/${served.user.id}/`)).body).toMatchObject({
      email: 'served@agency.example',
      position: 'Lead',
    })
    const csv = String((await client.get('/api/user/?format=csv')).body)
    expect(csv).toContain(`${served.user.id},,Serving Person,,,,,,,,Open,Employed,\r\n`)
    expect(csv).not.toMatch(/served@agency|Lead|812|0912/)

    // Hidden fields cannot be found by filtering either.
    const ids = async (query: string) => (await list(query)).results.map(({ user_id }) => user_id)
    expect(await ids(`search=${served.user.username}`)).toEqual([])
    expect(await ids('search=Serving')).toEqual([served.user.id])
    expect(await ids(`search=${nameless.user.username}`)).toEqual([nameless.user.id])
    expect(await ids('department=2')).toEqual([])
    for (const ordering of ['username', 'created_at'])
      expect((await ids(`ordering=${ordering}`)).slice(-2)).toEqual([served.user.id, nameless.user.id])
  })

  it('transfer their reports', async () => {
    const superuser = await api.signedIn('superuser')
    const [leaver, heir] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const [first, second] = [await leaver.report(), await leaver.report()]
    const transfer = (body: object) => superuser.post(`/api/user/${leaver.user.id}/transfer-reports/`, body)
    expect(await transfer({ to: heir.user.id, reports: [first.id] })).toMatchObject({
      status: 200,
      body: { reports: 1 },
    })
    expect(await heir.get(`/api/gs-template-setting/${first.id}/`)).toMatchObject({
      body: { access: 'owner', folder: null },
    })
    expectRefusal(await leaver.get(`/api/gs-template-setting/${first.id}/`), 404, 'not_found')
    expect(await transfer({ to: heir.user.id })).toMatchObject({ body: { reports: 1 } })
    expect((await heir.get(`/api/gs-template-setting/${second.id}/`)).status).toBe(200)
    expectRefusal(await transfer({ to: leaver.user.id }), 400, 'invalid', { to: ['field_not_available'] })
    const trail = await superuser.get(`/api/audit/?action=user.transfer_reports&ordering=id`)
    expect(trail.body).toMatchObject({
      results: [{ detail: { to: heir.user.id, reports: [first.id] } }, { detail: { reports: [second.id] } }],
    })
  })

  it('do not get a report by transfer that begins to write to their spreadsheet at a target chosen by another person', async () => {
    const superuser = await api.signedIn('superuser')
    const [leaver, heir] = [await ready(api), await ready(api)]
    const targetOf = async (id: number) =>
      await api.db
        .selectFrom('report')
        .select(['sheet_name', 'target_state', 'next_run_at'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const own = await leaver.report(leaver.body)
    const unrelated = await leaver.report({ ...leaver.body, spreadsheet_url: heir.body.spreadsheet_url })
    const before = await targetOf(own.id)
    expect(before.next_run_at).not.toBeNull()
    await superuser.post(`/api/user/${leaver.user.id}/transfer-reports/`, { to: heir.user.id })
    expect(await targetOf(own.id)).toEqual(before)
    const cleared = { sheet_name: '', target_state: null, next_run_at: null }
    expect(await targetOf(unrelated.id)).toEqual(cleared)
    const { id } = await heir.report(heir.body)
    await api.db.updateTable('report').set({ target_state: 'not_shared' }).where('id', '=', id).execute()
    await superuser.post(`/api/user/${heir.user.id}/transfer-reports/`, {
      to: leaver.user.id,
      reports: [id],
    })
    expect(await targetOf(id)).toMatchObject({ sheet_name: 'Data', target_state: 'not_shared' })
  })

  it('get transferred reports back, in their folders, and the new owner a share', async () => {
    const superuser = await api.signedIn('superuser')
    const [owner, heir] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const folder = await owner.folder()
    const { id } = await owner.report({ folder: folder.id })
    await owner.post(`/api/gs-template-setting/${id}/share/`, { user: heir.user.id, access: 'editor' })
    const back = () =>
      superuser.post(`/api/user/${heir.user.id}/transfer-reports/`, {
        to: owner.user.id,
        reports: [id],
        take_back: true,
      })
    expectRefusal(await back(), 409, 'conflict')
    const notices = await owner.get('/api/notifications/')
    const hand = (to: number) =>
      superuser.post(`/api/user/${owner.user.id}/transfer-reports/`, { to, reports: [id] })
    await hand(heir.user.id)
    expect(await back()).toMatchObject({ status: 200, body: { reports: 1 } })
    expect(await owner.get(`/api/gs-template-setting/${id}/`)).toMatchObject({
      body: { access: 'owner', folder: folder.id },
    })
    expect(await heir.get(`/api/gs-template-setting/${id}/`)).toMatchObject({ body: { access: 'editor' } })
    expect((await owner.get('/api/notifications/')).body).toEqual(notices.body)
    expectRefusal(await back(), 409, 'conflict')

    const plan = async () =>
      TransferPlan.parse((await superuser.get(`/api/user/${owner.user.id}/transfer-reports/`)).body)
    expect((await plan()).reports).toMatchObject([{ id, may_return: true }])
    await hand(heir.user.id)
    await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', owner.user.id).execute()
    expectRefusal(await back(), 400, 'invalid', { to: ['field_not_available'] })
    await api.db.updateTable('report').set({ owner: owner.user.id }).where('id', '=', id).execute()
    expect((await plan()).reports).toMatchObject([{ may_return: false }])
  })

  it('transfer nothing to a person who has left, nor to a client what is not their own advertiser’s', async () => {
    const superuser = await api.signedIn('superuser')
    const [leaver, resigned] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const client = await api.signedIn('external_user')
    await api.db
      .updateTable('users')
      .set({ employment_status: 2 })
      .where('id', '=', resigned.user.id)
      .execute()
    const theirs = await api.account({
      advertiser: await api.advertiser('Kappa', [client.user.id, leaver.user.id]),
    })
    const unrelated = await api.account({ advertiser: await api.advertiser('Lambda', [leaver.user.id]) })
    const about = (account: number) =>
      leaver.report({ channels: [{ channel: 'fb', accounts: [account], metrics: ['cost'] }] })
    const [own, foreign] = [await about(theirs), await about(unrelated)]
    const transfer = (to: number, reports: number[]) =>
      superuser.post(`/api/user/${leaver.user.id}/transfer-reports/`, { to, reports })
    for (const refused of [
      await transfer(resigned.user.id, [own.id]),
      await transfer(client.user.id, [own.id, foreign.id]),
    ])
      expectRefusal(refused, 400, 'invalid', { to: ['field_not_available'] })
    expect(await transfer(client.user.id, [own.id])).toMatchObject({ body: { reports: 1 } })
  })

  it('show in advance what the new owner could not use', async () => {
    const superuser = await api.signedIn('superuser')
    const leaver = await ready(api)
    const heir = await api.signedIn('staff')
    const shared = await api.advertiser(`Shared of ${leaver.user.username}`, [leaver.user.id, heir.user.id])
    const usable = await api.account({ advertiser: shared, name: 'Kept' })
    const outer = await leaver.folder({ name: 'Clients' })
    const inner = await leaver.folder({ name: 'Acme', parent: outer.id })
    const losing = await leaver.report({ ...leaver.body, name: 'A', folder: inner.id })
    const whole = await leaver.report({
      name: 'B',
      channels: [{ channel: 'fb', accounts: [usable], metrics: ['cost'] }],
    })
    await api.db.updateTable('ad_account').set({ name: 'Lost' }).where('id', '=', leaver.account).execute()
    const path = `/api/user/${leaver.user.id}/transfer-reports/`
    const plan = async (query: string) => TransferPlan.parse((await superuser.get(path + query)).body)
    const lines = [
      {
        id: losing.id,
        name: 'A',
        folder: ['Clients', 'Acme'],
        lost_accounts: [{ id: leaver.account, name: 'Lost' }],
        loses_spreadsheet: true,
        may_return: true,
      },
      { id: whole.id, name: 'B', folder: [], lost_accounts: [], loses_spreadsheet: false, may_return: true },
    ]
    expect(await plan(`?to=${heir.user.id}`)).toEqual({ reports: lines, left_out: 0 })
    expect((await plan('')).reports.every(report => report.lost_accounts.length === 0)).toBe(true)

    await heir.folder({ name: 'clients' })
    expect(await superuser.post(path, { to: heir.user.id, keep_folders: true })).toMatchObject({
      body: { reports: 2 },
    })
    const folders = z.array(Folder).parse((await heir.get('/api/gs-template-folder/')).body)
    const folder = folders.find(({ name }) => name === 'Acme')
    expect(folders.map(({ name }) => name).toSorted()).toEqual(['', 'Acme', 'clients'])
    expect((await heir.get(`/api/gs-template-setting/${losing.id}/`)).body).toMatchObject({
      folder: folder?.id,
      access: 'owner',
    })
    expect(await plan('')).toEqual({ reports: [], left_out: 0 })
  })
})

describe('the trail', () => {
  it('has who did what, for superusers', async () => {
    const superuser = await api.signedIn('superuser')
    const person = await api.signedIn('staff', { username: 'traced', password: PASSWORD })
    await api.anonymous.post('/api/token/', { username: 'traced', password: PASSWORD })
    // Further ones from the same address are only counted.
    await api.db.deleteFrom('refused_sign_in').execute()
    await api.anonymous.post('/api/token/', { username: 'traced', password: 'wrong' })
    const { id } = await person.report()
    await person.delete(`/api/gs-template-setting/${id}/`)
    const { body } = await superuser.get(`/api/audit/?actor=${person.user.id}&ordering=id`)
    expect(body).toMatchObject({
      count: 3,
      results: [
        { action: 'session.sign_in', actor_name: 'traced', address: '127.0.0.1' },
        { action: 'report.create', object: 'report', object_id: String(id) },
        { action: 'report.delete', object: 'report', object_id: String(id) },
      ],
    })
    const refused = await superuser.get('/api/audit/?action=session.refused&limit=1')
    expect(refused.body).toMatchObject({ results: [{ actor: null, detail: { username: 'traced' } }] })
    expect(JSON.stringify(refused.body)).not.toContain('wrong')
  })
})
