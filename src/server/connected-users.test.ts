import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { scopesOf } from '#shared/connect.ts'
import { readConfig } from './config.ts'
import { openConnectedUsers } from './connected-users.ts'
import { oauthConnectors } from './connectors/all.ts'
import { answerConsent, apps, CALLBACK, VERIFIER, type Answer } from './connectors/testing/consent.ts'
import { testContext } from './connectors/testing/context.ts'
import { startTestSandbox } from './connectors/testing/sandbox.ts'
import { testDatabase } from './db/testing/database.ts'
import { spreadsheetsOf } from './demo/spreadsheets.ts'
import { saveConnection } from './resources/public-accounts/login-queries.ts'
import { insertLogin } from './resources/public-accounts/logins.ts'
import { createVault } from './vault.ts'

const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
const now = new Date()
await sandbox.reset(now.toISOString())
const database = await testDatabase()
const { db } = database
const vault = createVault([randomBytes(32)])
const origin = sandbox.base_url
const read = readConfig({
  GOOGLE_SHEETS_BASE_URL: origin,
  GOOGLE_DRIVE_BASE_URL: origin,
  GOOGLE_TOKEN_URL: `${origin}/token`,
})
if ('problems' in read) throw new Error(read.problems.join())
const users = openConnectedUsers(read.config, { ...database, vault }, async () => {})
const addresses = async () => {
  await users.refresh()
  return users.current().map(({ client }) => client.system_user)
}

/** Somebody agrees at Google, and their login is used for spreadsheets. */
async function connect(person: NonNullable<Answer['person']>) {
  const scopes = scopesOf('google', ['spreadsheets'])
  const back = await answerConsent(origin, { platform: 'google', scopes, person })
  const code = back.searchParams.get('code') ?? ''
  const request = { app: apps.google, code, callback_url: CALLBACK, verifier: VERIFIER }
  const context = testContext(origin, now.toISOString())
  const { login, person: who } = await oauthConnectors.google.exchange(request, context)
  const facts = { platform: 'google', name: person, login, created_by: null } as const
  const id = await db.transaction().execute(trx => insertLogin(trx, vault, facts))
  await saveConnection(db, id, { kind: 'oauth', person_email: who?.email ?? null })
  await db
    .insertInto('public_account_service')
    .values({ public_account: id, service: 'spreadsheets', enabled: true })
    .execute()
  return { id, login }
}

describe('people who have connected for spreadsheets', () => {
  it('are system users in every process, and write what is shared with them', async () => {
    expect(await addresses()).toEqual([])
    await connect('agency-analyst')
    expect(await addresses()).toEqual(['analyst@agency.demo'])
    const [user] = users.current()
    if (!user) throw new Error('nobody is there')
    expect(user.client.project).toBe('100000000000')
    const service = spreadsheetsOf({ sheets: origin, drive: origin }, 'owner@agency.demo')
    const id = await service.create('Book', ['Tab'])
    await expect(user.client.getFile(id)).rejects.toThrow('spreadsheet_not_shared')
    await service.share(id, 'analyst@agency.demo', 'writer')
    expect(await user.client.getFile(id)).toMatchObject({ name: 'Book' })
    await user.client.putValues(id, 'Tab!A1', [Buffer.from(JSON.stringify({ values: [['written']] }))])
    expect(await user.client.getValues(id, 'Tab!A1')).toEqual([['written']])
  })

  it('stay the same for a run while nothing changes, and each address is there once', async () => {
    const [before] = users.current()
    await users.refresh()
    expect(users.current()[0]).toBe(before)
    await connect('agency-analyst')
    await connect('client-admin')
    expect(await addresses()).toEqual(['analyst@agency.demo', 'admin@cedar.demo'])
    // The quota of their project is shared with one more.
    expect(users.current()[0]).not.toBe(before)
  })

  it('are none while the service is off, and cannot write once the consent is taken back', async () => {
    const { id, login } = await connect('agency-admin')
    await users.refresh()
    const user = users.current().find(({ client }) => client.system_user === 'admin@agency.demo')
    await oauthConnectors.google.revoke?.(login, apps.google, testContext(origin, now.toISOString()))
    await expect(user?.client.getFile('x'.repeat(44))).rejects.toMatchObject({ why: 'configuration' })
    await db
      .updateTable('public_account_service')
      .set({ enabled: false })
      .where('public_account', '=', id)
      .execute()
    expect(await addresses()).not.toContain('admin@agency.demo')
  })
})
