import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Account, User, UserList } from '#shared/api/people.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'

const api = await testApi()
const superuser = await api.signedIn('superuser', { department: 6 })
const nameless = () => `person-${randomUUID().slice(0, 8)}`

const create = (facts: object) =>
  superuser.post('/api/user/', {
    username: nameless(),
    full_name: 'Sam Huang',
    identity: 'staff',
    department: 2,
    ...facts,
  })
async function created(facts: object = {}) {
  const { body, status } = await create(facts)
  expect(status, JSON.stringify(body)).toBe(201)
  return Account.parse(body)
}
const change = (id: number, body: object) => superuser.patch(`/api/user/${id}/`, body)
async function changed(id: number, body: object) {
  const response = await change(id, body)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return Account.parse(response.body)
}
const listed = async ({ get }: Pick<typeof superuser, 'get'>, query: string) =>
  UserList.parse((await get(`/api/user/?limit=100&ordering=id&${query}`)).body).results.map(
    ({ user_id }) => user_id,
  )

describe('the fields of an account', () => {
  it.each([
    [{ username: 'ab' }, { username: ['field_invalid'] }],
    [{ username: 'a'.repeat(65) }, { username: ['field_too_long'] }],
    [{ full_name: '' }, { full_name: ['field_required'] }],
    [{ full_name: 'a'.repeat(81) }, { full_name: ['field_too_long'] }],
    [{ position: 'a'.repeat(81) }, { position: ['field_too_long'] }],
    [{ company_extension: '12 34' }, { company_extension: ['field_invalid'] }],
    [{ company_extension: '12345678901' }, { company_extension: ['field_too_long'] }],
    [
      { contacts: Array.from({ length: 11 }, () => ({ type: 0, value: 'x' })) },
      { contacts: ['field_too_many'] },
    ],
    [{ contacts: [{ type: 4, value: 'Sam' }] }, { 'contacts.0.value': ['contact_invalid'] }],
    [{ department: null }, { department: ['department_needed'] }],
    [{ identity: 'external_user' }, { department: ['field_not_available'] }],
    [{ plan: 0 }, { plan: ['field_not_available'] }],
  ] as const)('cannot be %j', async (facts, fields) =>
    expectRefusal(await create(facts), 400, 'invalid', fields),
  )

  it('can be the longest that there are', async () => {
    const facts = {
      username: `${nameless()}${'a'.repeat(49)}`,
      full_name: 'a'.repeat(80),
      position: 'b'.repeat(80),
      company_extension: '12#*,-4567',
      contacts: Array.from({ length: 10 }, () => ({ type: 0, value: 'x'.repeat(120) })),
    }
    expect(await created(facts)).toMatchObject(facts)
  })

  it('have a mobile number as E.164, of Taiwan unless it says otherwise', async () => {
    const { user_id, contacts } = await created({ contacts: [{ type: 1, value: '0912-345-678' }] })
    expect(contacts).toEqual([{ type: 1, value: '+886912345678' }])
    const own = await api.signedIn('external_user')
    const path = `/users/${own.user.id}/`
    expect(
      User.parse((await own.patch(path, { contacts: [{ type: 1, value: '0922 333 444' }] })).body).contacts,
    ).toEqual([{ type: 1, value: '+886922333444' }])
    expectRefusal(await own.patch(path, { contacts: [{ type: 2, value: 'mail' }] }), 400, 'invalid', {
      'contacts.0.value': ['contact_invalid'],
    })
    expectRefusal(await change(user_id, { contacts: [{ type: 1, value: '1' }] }), 400, 'invalid', {
      'contacts.0.value': ['contact_invalid'],
    })
  })

  it('have the name for signing in for good, and nobody gets it again', async () => {
    const username = nameless()
    const { user_id } = await created({ username })
    expectRefusal(await change(user_id, { username: 'another' }), 400, 'invalid', {
      username: ['field_unknown'],
    })
    await changed(user_id, { employment_status: 2 })
    await changed(user_id, { employment_status: 0 })
    expectRefusal(await create({ username: username.toUpperCase() }), 400, 'invalid', {
      username: ['name_taken'],
    })
  })

  it('have the kind and the plan that follow from the role', async () => {
    const client = await created({ identity: 'external_user', department: null })
    expect(client).toMatchObject({ user_type: 2, plan: 0 })
    expect(await changed(client.user_id, { plan: 1 })).toMatchObject({ plan: 1 })
    expectRefusal(await change(client.user_id, { identity: 'staff' }), 400, 'invalid', {
      department: ['department_needed'],
    })
    expect(await changed(client.user_id, { identity: 'staff', department: 3 })).toMatchObject({
      user_type: 1,
      plan: 1,
    })
    expectRefusal(await change(client.user_id, { department: null }), 400, 'invalid', {
      department: ['department_needed'],
    })
    expect(await changed(client.user_id, { identity: 'external_user' })).toMatchObject({
      user_type: 2,
      plan: 0,
      department: null,
    })
  })

  it('from before these rules stay, and the others can be changed', async () => {
    const old = await api.signedIn('staff', { full_name: 'a'.repeat(100) })
    expect(await changed(old.user.id, { company_extension: '12' })).toMatchObject({
      full_name: 'a'.repeat(100),
      department: null,
      company_extension: '12',
    })
    expect(await changed(old.user.id, { identity: 'manager' })).toMatchObject({ identity: 'manager' })
  })
})

describe('employment', () => {
  const possibleSteps = ['1 to 2', '1 to 3', '3 to 1', '3 to 2', '2 to 1', '2 to 0']

  it('goes from one status to another only by these steps', async () => {
    const possible: string[] = []
    for (const from of [0, 1, 2, 3])
      for (const to of [0, 1, 2, 3].filter(other => other !== from)) {
        const { user } = await api.signedIn('staff')
        await api.db.updateTable('users').set({ employment_status: from }).where('id', '=', user.id).execute()
        const response = await change(user.id, { employment_status: to })
        if (response.status === 200) possible.push(`${from} to ${to}`)
        expect(response.body).toMatchObject(
          response.status === 200
            ? { employment_status: to }
            : { codes: { employment_status: ['employment_step'] } },
        )
      }
    expect(possible.toSorted()).toEqual(possibleSteps.toSorted())
  })

  it('that ends closes the account and signs the person out within one request; coming back opens it', async () => {
    const sam = await api.signedIn('staff', { full_name: 'Sam' })
    expect((await sam.get('/users/identity/')).status).toBe(200)
    expect(await changed(sam.user.id, { employment_status: 2 })).toMatchObject({ is_active: 0 })
    expectRefusal(await sam.get('/users/identity/'), 401, 'unauthenticated')
    expectRefusal(await change(sam.user.id, { is_active: 1 }), 400, 'invalid', {
      is_active: ['field_not_available'],
    })
    expectRefusal(await change(sam.user.id, { employment_status: 3 }), 400, 'invalid', {
      employment_status: ['employment_step'],
    })
    expect(await changed(sam.user.id, { employment_status: 1 })).toMatchObject({ is_active: 1 })
    expectRefusal(await sam.get('/users/identity/'), 401, 'unauthenticated')
  })

  it('takes one of two steps that are made at the same moment', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { user_id } = await created()
      await changed(user_id, { employment_status: 2 })
      const steps = await Promise.all([1, 0].map(step => change(user_id, { employment_status: step })))
      const [taken, ...others] = steps.toSorted((a, b) => a.status - b.status)
      expect(taken?.status).toBe(200)
      for (const { status } of others) expect([400, 409]).toContain(status)
      const { employment_status, full_name } = Account.parse(
        (await superuser.get(`/api/user/${user_id}/`)).body,
      )
      expect(full_name).toBe(employment_status === 0 ? `Deleted user ${user_id}` : 'Sam Huang')
    }
  })

  it('goes on during unpaid leave, with the account as it is', async () => {
    const mei = await api.signedIn('staff')
    expect(await changed(mei.user.id, { employment_status: 3 })).toMatchObject({ is_active: 1 })
    expect((await mei.get('/users/identity/')).status).toBe(200)
    await changed(mei.user.id, { is_active: 0 })
    expect(await changed(mei.user.id, { employment_status: 1 })).toMatchObject({ is_active: 0 })
  })

  it('leaves of a deleted person the id and the trail', async () => {
    const advertiser = await api.advertiser(`Client ${randomUUID()}`, [])
    const { user_id, username } = await created({
      full_name: 'Sam Huang',
      email: 'sam@agency.example',
      position: 'Planner',
      company_extension: '12',
      contacts: [{ type: 1, value: '0912345678' }],
      advertisers: [advertiser],
    })
    await superuser.post(`/api/user/${user_id}/password-link/`)
    await changed(user_id, { employment_status: 2 })
    expect(await changed(user_id, { employment_status: 0 })).toMatchObject({
      username,
      full_name: `Deleted user ${user_id}`,
      position: '',
      email: null,
      contacts: [],
      company_extension: '',
      is_active: 0,
      employment_status: 0,
      advertisers: [],
    })
    for (const body of [{ full_name: 'Back' }, { employment_status: 1 }])
      expectRefusal(await change(user_id, body), 400, 'invalid', { employment_status: ['employment_step'] })
    expectRefusal(await superuser.post(`/api/user/${user_id}/password-link/`), 404, 'not_found')
    const trail = await superuser.get(`/api/audit/?object=user&object_id=${user_id}&ordering=id`)
    expect(trail.body).toMatchObject({
      count: 4,
      results: [
        { action: 'user.create', detail: { name: 'Sam Huang' } },
        { action: 'user.password_link', detail: { name: 'Sam Huang' } },
        { action: 'user.change', detail: { changes: { employment_status: { from: 1, to: 2 } } } },
        { action: 'user.change', detail: { name: 'Sam Huang', changes: { employment_status: { to: 0 } } } },
      ],
    })
  })

  it('of the last superuser who can sign in can neither end nor become a lower role', async () => {
    await api.db
      .updateTable('users')
      .set({ is_active: 0 })
      .where('identity', '=', 'superuser')
      .where('id', '<>', superuser.user.id)
      .execute()
    for (const body of [{ employment_status: 2 }, { is_active: 0 }, { identity: 'manager' }])
      expectRefusal(await change(superuser.user.id, body), 409, 'last_superuser')
    expect(await changed(superuser.user.id, { employment_status: 3 })).toMatchObject({ is_active: 1 })
    await changed(superuser.user.id, { employment_status: 1 })
  })
})

describe('the list of accounts', () => {
  it('is filtered by plan and employment, in any combination', async () => {
    const key = randomUUID().slice(0, 8)
    const named = { full_name: `Filter ${key}` }
    const [basic, advanced, employee] = [
      await created({ ...named, identity: 'external_user', department: null }),
      await created({ ...named, identity: 'external_user', department: null, plan: 1 }),
      await created(named),
    ].map(({ user_id }) => user_id)
    await changed(employee ?? 0, { employment_status: 3 })
    const found = (query: string) => listed(superuser, `search=${key}&${query}`)
    expect(await found('plan=0')).toEqual([basic])
    expect(await found('plan=1')).toEqual([advanced, employee])
    expect(await found('plan=1&user_type=2')).toEqual([advanced])
    expect(await found('employment=3')).toEqual([employee])
    expect(await found('employment=1')).toEqual([basic, advanced])
  })

  it('is searched by what tells people apart, and by nothing that the reader may not see', async () => {
    const key = randomUUID().slice(0, 8)
    const served = await created({
      full_name: 'Searched',
      email: `${key}@agency.example`,
      position: `Planner ${key}`,
      company_extension: key.replaceAll(/\D/g, '7'),
    })
    const client = await api.signedIn('external_user')
    await api.advertiser(`Searching ${key}`, [client.user.id, served.user_id])
    const colleague = await api.signedIn('staff')
    for (const text of [`${key}@agency`, `Planner ${key}`, served.company_extension ?? '']) {
      expect(await listed(colleague, `search=${text}`)).toContain(served.user_id)
      expect(await listed(client, `search=${text}`)).toEqual([])
    }
    expect(await listed(client, 'search=Searched')).toEqual([served.user_id])
  })

  it('has deleted people for superusers alone', async () => {
    const colleague = await api.signedIn('staff')
    const { user_id } = await created()
    await changed(user_id, { employment_status: 2 })
    expect(await listed(colleague, 'employment=2')).toContain(user_id)
    await changed(user_id, { employment_status: 0 })
    expect(await listed(superuser, 'employment=0')).toContain(user_id)
    expect(await listed(colleague, 'employment=0')).toEqual([])
    expect(await listed(colleague, 'search=Deleted')).not.toContain(user_id)
  })

  it('shows no client the people of another one', async () => {
    const [a, b] = [
      await api.signedIn('external_user', { full_name: 'Alice of A' }),
      await api.signedIn('external_user', { full_name: 'Bo of B' }),
    ]
    const serving = await api.signedIn('staff', { full_name: 'Serving both' })
    const ember = await api.advertiser(`Ember ${randomUUID()}`, [a.user.id, serving.user.id])
    const own = await api.advertiser(`Borealis ${randomUUID()}`, [b.user.id, serving.user.id])
    expect(await listed(b, '')).toEqual([b.user.id, serving.user.id])
    expect(await listed(b, 'search=Alice')).toEqual([])
    expect(await listed(b, `advertiser=${ember}`)).toEqual([])
    expectRefusal(await b.get(`/api/user/${a.user.id}/`), 404, 'not_found')
    expect((await b.get(`/api/user/${serving.user.id}/`)).body).toMatchObject({ advertisers: [own] })
  })

  it('tells superusers how many reports each person still owns', async () => {
    const leaver = await api.signedIn('staff', { full_name: `Leaver ${randomUUID()}` })
    await leaver.report()
    const { id } = await leaver.report()
    await leaver.delete(`/api/gs-template-setting/${id}/`)
    await changed(leaver.user.id, { employment_status: 2 })
    expect((await superuser.get(`/api/user/${leaver.user.id}/`)).body).toMatchObject({ reports: 1 })
    const list = UserList.parse((await superuser.get('/api/user/?employment=2&limit=100')).body).results
    expect(list.find(({ user_id }) => user_id === leaver.user.id)).toMatchObject({ reports: 1 })
    const colleague = await api.signedIn('director')
    expect((await colleague.get(`/api/user/${leaver.user.id}/`)).body).not.toHaveProperty('reports')
  })

  it('hides what people have chosen for themselves from colleagues', async () => {
    const [one, two] = [await api.signedIn('staff'), await api.signedIn('director')]
    const path = `/api/user/${one.user.id}/`
    const own = { language: 'en', theme: 'auto', mail_notices: 'failures' }
    expect((await one.get(path)).body).toMatchObject(own)
    expect((await superuser.get(path)).body).toMatchObject(own)
    expect((await two.get(path)).body).toMatchObject({ language: null, theme: null, mail_notices: null })
  })
})
