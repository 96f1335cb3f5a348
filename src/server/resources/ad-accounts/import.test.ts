import { afterAll, describe, expect, it } from 'vitest'
import { sourceOf } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { discoverAccounts } from './import.ts'
import { saveAccounts } from './queries.ts'

const { db } = await testDatabase()
const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
const now = new Date('2026-11-20T01:00:00Z')
const context = testContext(sandbox.base_url, now.toISOString())
const source = sourceOf(meta, { access_token: 'sandbox-agency' })
const saving = { public_account: null, now }
const accountNamed = (name: string) =>
  db.selectFrom('ad_account').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

describe('importing accounts', () => {
  it('stores every account that the login sees, with the advertiser of the same name as its owner', async () => {
    const { id } = await db
      .insertInto('advertiser')
      .values({ name: 'Aurora Cosmetics' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const accounts = await discoverAccounts(source, context)
    await saveAccounts(db, accounts, saving)
    expect(await accountNamed('Aurora Cosmetics Taiwan')).toMatchObject({ advertiser: id, currency: 'TWD' })
    expect(await accountNamed('Cedar Coffee Tokyo')).toMatchObject({
      advertiser: null,
      timezone: 'Asia/Tokyo',
    })
    const { count } = await db
      .selectFrom('ad_account')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(accounts.length)
  })

  it('updates what the platform says of a known account, and keeps its advertiser', async () => {
    const before = await accountNamed('Aurora Cosmetics Taiwan')
    const [account] = (await discoverAccounts(source, context)).filter(one => one.name === before.name)
    if (!account) throw new Error('the sandbox has lost an account')
    await saveAccounts(db, [{ ...account, name: 'Aurora TW', owner_name: 'Somebody else' }], saving)
    expect(await accountNamed('Aurora TW')).toMatchObject({ id: before.id, advertiser: before.advertiser })
  })
})
