import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { changeApp } from '#server/resources/public-accounts/apps.ts'
import { saveConnection } from '#server/resources/public-accounts/login-queries.ts'
import { insertLogin } from '#server/resources/public-accounts/logins.ts'
import { hashPassword } from '#server/resources/session/passwords.ts'
import { insertReport } from '#server/resources/runs/testing/reports.ts'
import { createVault } from '#server/vault.ts'
import { closeDemo } from './close-demo.ts'
import { markDemoPeople, refuseDemoPeople, refuseSharedPassword, visibleDemoPassword } from './demo-people.ts'
import { demoApps, demoLogins } from './logins.ts'

const { db } = await testDatabase()
const vault = createVault([randomBytes(32)])
const published = await hashPassword('sheetcast-demo')
const chosen = await hashPassword('glacier tuba orchid')
const real = {
  sandbox: false,
  roles: ['api' as const],
  host: '127.0.0.1',
  public_url: 'https://reports.agency.example',
  demo_password: 'sheetcast-demo',
}
const demo = { ...real, sandbox: true, public_url: 'http://localhost:3000' }
const close = () =>
  closeDemo(db, { vault, config: { demo_password: 'glacier tuba orchid' }, now: new Date() })

/** What earlier tests have made is removed; the trail stays, as it does in production. */
let linesBefore = 0
beforeEach(async () => {
  const nobody = sql<string>`'gone ' || id`
  await db
    .updateTable('users')
    .set({ username: nobody, email: null, password_hash: null, is_active: 0 })
    .execute()
  for (const table of ['spreadsheet_binding', 'report', 'public_account', 'refresh_family'] as const)
    await db.deleteFrom(table).execute()
  await db.deleteFrom('setting').where('name', '=', 'demo_people').execute()
  linesBefore = (await trail()).length
})

const trail = () => db.selectFrom('audit').select(['action', 'object_id']).orderBy('id').execute()

async function person(
  username: string,
  { email = `${username}@agency.example`, password_hash = chosen, ...more }: Partial<Facts> = {},
) {
  const row = { username, email, password_hash, identity: 'superuser' as const, user_type: 1, ...more }
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}
interface Facts {
  email: string
  password_hash: string | null
  is_active: number
  employment_status: number
}

const open = (names: string) =>
  `people of the demo can still sign in here (${names}), whose password is published: close their accounts with "sheetcast close-demo", or keep using the demo with SANDBOX=1`

describe('a start without the sandbox', () => {
  it.each<[string, string, Partial<Facts>, { demo_password?: string }]>([
    ['who has the published password', 'director', { password_hash: published }, {}],
    ['who has the password of this demo', 'Staff', {}, { demo_password: 'glacier tuba orchid' }],
    [
      'with the address of the demo and a password of their own',
      'finance',
      { email: 'finance@sheetcast.demo' },
      {},
    ],
  ])('is refused by one of the demo %s', async (_, username, facts, config) => {
    await person(username, facts)
    await expect(refuseDemoPeople(db, { ...real, ...config })).rejects.toThrow(open(username))
  })

  it('is refused by an account that the demo made, under another name, address and password', async () => {
    await markDemoPeople(db, [await person('ann')])
    await expect(refuseDemoPeople(db, real)).rejects.toThrow(open('ann'))
  })

  it.each<[string, Partial<Facts>]>([
    ['has a name that the demo uses, too', {}],
    ['is closed', { password_hash: published, is_active: 0 }],
    ['has left', { password_hash: published, employment_status: 2 }],
  ])('is accepted with a person who %s', async (_, facts) => {
    await person('director', facts)
    await expect(refuseDemoPeople(db, real)).resolves.toBeUndefined()
  })
})

describe('a demo', () => {
  const forOthers = [
    { host: '0.0.0.0' },
    { host: '10.0.0.5' },
    { host: '::' },
    { public_url: 'https://demo.agency.example' },
  ]

  it.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost'])(
    'on %s needs no password of its own',
    async host => {
      await refuseSharedPassword({ ...demo, host })
      expect(visibleDemoPassword({ ...demo, host })).toBe('sheetcast-demo')
      await person('director', { password_hash: published })
      await expect(refuseDemoPeople(db, { ...demo, host })).resolves.toBeUndefined()
    },
  )

  it.each(forOthers)('that other machines reach needs one: %j', async origin => {
    for (const demo_password of ['sheetcast-demo', 'short', 'passwordpassword'])
      await expect(refuseSharedPassword({ ...demo, ...origin, demo_password })).rejects.toThrow(
        /^the demo would be open to others .* set DEMO_PASSWORD/,
      )
    await refuseSharedPassword({ ...demo, ...origin, demo_password: 'glacier tuba orchid' })
    await refuseSharedPassword({ ...demo, ...origin, roles: ['worker'] })
    expect(visibleDemoPassword({ ...demo, ...origin })).toBe(null)
  })

  it('that other machines reach is refused while people have the published password from before', async () => {
    const config = { ...demo, host: '0.0.0.0', demo_password: 'glacier tuba orchid' }
    await markDemoPeople(db, [await person('director', { password_hash: published }), await person('staff')])
    await expect(refuseDemoPeople(db, config)).rejects.toThrow('still have the published password (director)')
  })
})

it('reveals the demo password only in the demo', () => {
  expect(visibleDemoPassword({ ...real, public_url: 'http://localhost:3000' })).toBe(null)
})

describe('closing the demo', () => {
  it('closes its people’s accounts for good, and no others', async () => {
    const seeded = await person('director', { password_hash: published })
    await markDemoPeople(db, [seeded])
    await person('ann')
    await db
      .insertInto('refresh_family')
      .values({ id: crypto.randomUUID(), user_id: seeded, created_at: new Date() })
      .execute()
    expect(await close()).toMatchObject({ people: ['director'], has_superuser: true })
    expect(
      await db
        .selectFrom('users')
        .select(['username', 'is_active'])
        .select(eb => eb('password_hash', 'is', null).as('without_password'))
        .where('username', 'in', ['director', 'ann'])
        .orderBy('id')
        .execute(),
    ).toEqual([
      { username: 'director', is_active: 0, without_password: true },
      { username: 'ann', is_active: 1, without_password: false },
    ])
    expect(await db.selectFrom('refresh_family').select('revoked_because').execute()).toEqual([
      { revoked_because: 'closed' },
    ])
    expect((await trail()).slice(linesBefore)).toEqual([
      { action: 'user.change', object_id: String(seeded) },
      { action: 'demo.close', object_id: null },
    ])
    await refuseDemoPeople(db, real)
  })

  it('deletes the logins of the emulated platforms, and leaves those that people entered', async () => {
    const entered = { ...demoLogins.tiktok, access_token: 'a real one' }
    const elsewhere = createVault([randomBytes(32)])
    await db.transaction().execute(async trx => {
      const login = { created_by: null, login: demoLogins.meta }
      await insertLogin(trx, vault, { ...login, platform: 'meta', name: 'Meta (agency)' })
      await insertLogin(trx, vault, { ...login, platform: 'tiktok', name: 'TikTok (agency)', login: entered })
      const ofPerson = { access_token: 'given to a person', app_secret: demoApps.meta.client_secret }
      const agreed = await insertLogin(trx, vault, {
        ...login,
        platform: 'meta',
        name: 'Meta · Mei',
        login: ofPerson,
      })
      await saveConnection(trx, agreed, { kind: 'oauth' })
      const now = new Date()
      for (const [platform, id] of [
        ['meta', demoApps.meta.client_id],
        ['google', 'real-id'],
      ] as const)
        await changeApp(trx, vault, { platform, version: 0, changes: { client_id: id }, now })
      await insertLogin(trx, elsewhere, { ...login, platform: 'line', name: 'LINE (agency)' })
    })
    expect(await close()).toMatchObject({
      logins: ['Meta (agency)', 'Meta · Mei'],
      sealed: ['LINE (agency)'],
      has_superuser: false,
    })
    expect(await db.selectFrom('public_account').select('name').orderBy('id').execute()).toEqual([
      { name: 'TikTok (agency)' },
      { name: 'LINE (agency)' },
    ])
    const apps = await db.selectFrom('platform_app').select('client_id').execute()
    expect(apps).toEqual([{ client_id: 'real-id' }])
  })

  it('ends the schedules of its people and of the built-in spreadsheets alone, and releases the spreadsheets that its people have bound', async () => {
    const due = { update_frequency: 1, next_run_at: new Date() }
    const google = 'https://docs.google.com/spreadsheets/d/a/edit'
    const ofDemo = await insertReport(db, { ...due, spreadsheet_url: google })
    const builtIn = await insertReport(db, {
      ...due,
      spreadsheet_url: 'http://127.0.0.1:3100/spreadsheets/d/b/edit',
    })
    const ofClient = await insertReport(db, { ...due, spreadsheet_url: google })
    const owner = async (report: number) =>
      (await db.selectFrom('report').select('owner').where('id', '=', report).executeTakeFirstOrThrow()).owner
    await markDemoPeople(db, [await owner(ofDemo.report)])
    for (const [spreadsheet_id, report] of [
      ['a', ofDemo],
      ['c', ofClient],
    ] as const)
      await db
        .insertInto('spreadsheet_binding')
        .values({
          spreadsheet_id,
          advertiser: null,
          proven_by: await owner(report.report),
          proof: 'permission',
        })
        .execute()
    expect(await close()).toMatchObject({ schedules: 2, bindings: 1 })
    const scheduled = await db
      .selectFrom('report')
      .select('id')
      .where('next_run_at', 'is not', null)
      .execute()
    expect(scheduled).toEqual([{ id: ofClient.report }])
    expect(builtIn.report).not.toBe(ofClient.report)
    expect(await db.selectFrom('spreadsheet_binding').select('spreadsheet_id').execute()).toEqual([
      { spreadsheet_id: 'c' },
    ])
  })

  it('finds nothing the second time, and writes nothing', async () => {
    await markDemoPeople(db, [await person('director', { password_hash: published })])
    await close()
    const before = await trail()
    expect(await close()).toMatchObject({ people: [], logins: [], schedules: 0, bindings: 0 })
    expect(await trail()).toEqual(before)
  })
})
