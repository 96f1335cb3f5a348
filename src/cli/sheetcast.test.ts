import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase, type Db } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { createTestDatabase } from '#server/db/testing/database.ts'
import { insertLogin } from '#server/resources/public-accounts/logins.ts'
import { replaceFactor } from '#server/resources/second-factor/queries.ts'
import { sealSecret } from '#server/resources/second-factor/secrets.ts'
import { createVault, openVault, type Vault } from '#server/vault.ts'
import { newFolder, sheetcast } from './testing/program.ts'

/** Of rotate-keys. */
const NO_APPS = '0 apps encrypted again, 0 had the first key already.\n'
const NO_ROWS = '0 chunks of audience rows encrypted again, 0 had the first key already.\n'

describe('the command line', () => {
  it('prints its commands and its version', async () => {
    const help = await sheetcast(['help'])
    expect(help.output).toMatch(/migrate \[--resume\][\s\S]*backup FILE[\s\S]*restore FILE/)
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await sheetcast(['version'])).toMatchObject({ code: 0, output: `${version}\n` })
    expect(await sheetcast(['dance'])).toMatchObject({
      code: 2,
      complaint: expect.stringContaining('no such command'),
    })
    expect(await sheetcast(['migrate', '--backwards'])).toMatchObject({
      code: 2,
      complaint: expect.stringContaining('Usage: sheetcast migrate'),
    })
  })

  it('prints everything that is wrong with the environment', async () => {
    const { code, complaint } = await sheetcast(['migrate'], { env: { PORT: 'x', HISTORY_DAYS: 'y' } })
    expect(code).toBe(1)
    expect(complaint).toBe(
      'sheetcast migrate: the configuration cannot be used.\n  PORT must be a port, 0 to 65535\n  HISTORY_DAYS must be a whole number, 1 to 10000\n',
    )
  })

  it('starts the embedded database for a command and stops it afterwards', async () => {
    const env = { DATA_DIR: await newFolder() }
    expect(await sheetcast(['migrate'], { env })).toMatchObject({
      code: 0,
      output: expect.stringContaining('Applied 0001_'),
    })
    expect(await sheetcast(['migrate'], { env })).toMatchObject({
      code: 0,
      output: 'The database is up to date.\n',
    })
    expect(await readdir(join(env.DATA_DIR, 'postgres'))).not.toContain('postmaster.pid')
  })

  it('makes a superuser, with a strong password only and once', async () => {
    const { url, drop } = await createTestDatabase()
    const env = { DATABASE_URL: url }
    const create = (input: string) =>
      sheetcast(['create-superuser', 'ann', '--email', 'ann@agency.example'], { env, input })
    expect(await create('password1234\n')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('many people use'),
    })
    expect(await create('short\n')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('12 characters'),
    })
    expect(await create('glacier tuba orchid\n')).toMatchObject({ code: 0, output: 'ann can sign in.\n' })
    expect(await create('glacier tuba orchid\n')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('already'),
    })
    const { db, close } = await openDatabase({ database_url: url, data_dir: '' }, { command: 'test' })
    expect(
      await db.selectFrom('users').select(['username', 'identity', 'email', 'email_confirmed']).execute(),
    ).toEqual([
      { username: 'ann', identity: 'superuser', email: 'ann@agency.example', email_confirmed: true },
    ])
    await close()
    await drop()
  })

  it('turns off a lost second factor, and says when there is none', async () => {
    const { url, drop } = await createTestDatabase()
    await migrate(url)
    const { db, close } = await openDatabase({ database_url: url, data_dir: '' }, { command: 'test' })
    const user_id = await insertFactor(db, createVault([randomBytes(32)]), 'ann')
    const family = { id: randomUUID(), user_id, created_at: new Date() }
    await db.insertInto('refresh_family').values(family).execute()
    const reset = (...names: string[]) =>
      sheetcast(['reset-second-factor', ...names], { env: { DATABASE_URL: url } })
    expect(await reset()).toMatchObject({ code: 1, complaint: expect.stringContaining('name one account') })
    expect(await reset('bob')).toMatchObject({
      code: 1,
      complaint: 'sheetcast reset-second-factor: there is no account bob; nothing was changed\n',
    })
    expect(await reset('Ann')).toMatchObject({
      code: 0,
      output: 'Two-step sign-in is off for Ann, who was signed out everywhere.\n',
    })
    expect(await reset('ann')).toMatchObject({
      code: 1,
      complaint: 'sheetcast reset-second-factor: two-step sign-in is off for ann; nothing was changed\n',
    })
    expect(await db.selectFrom('refresh_family').select('revoked_because').execute()).toEqual([
      { revoked_because: 'second_factor' },
    ])
    expect(await db.selectFrom('audit').select(['actor', 'action', 'object_id']).execute()).toEqual([
      { actor: null, action: 'user.second_factor_reset', object_id: String(user_id) },
    ])
    expect(await db.selectFrom('notification').select(['user_id', 'kind']).execute()).toEqual([
      { user_id, kind: 'second_factor_reset' },
    ])
    await close()
    await drop()
  })

  it('seals platform logins and second factors with another key, repeatably, and says which no key opens', async () => {
    const { url, drop } = await createTestDatabase()
    const DATA_DIR = await newFolder()
    const rotate = (...keys: string[]) =>
      sheetcast(['rotate-keys'], {
        env: { DATABASE_URL: url, DATA_DIR, ...(keys.length > 0 && { CREDENTIAL_KEYS: keys.join(',') }) },
      })
    expect(await rotate()).toMatchObject({
      code: 0,
      output: `0 logins encrypted again, 0 had the first key already.\n${NO_APPS}0 second factors encrypted again, 0 had the first key already.\n${NO_ROWS}`,
    })
    const keyFile = await readFile(join(DATA_DIR, 'credential.key'), 'utf8')
    const vault = openVault({ credential_keys: null, data_dir: DATA_DIR })
    const { db, close } = await openDatabase({ database_url: url, data_dir: '' }, { command: 'test' })
    const login = { platform: 'meta' as const, login: { access_token: 'x' }, created_by: null }
    await db.transaction().execute(trx => insertLogin(trx, vault, { ...login, name: 'Agency' }))
    await insertFactor(db, vault, 'ann')

    const [newer, unknownKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    expect(await rotate(newer, keyFile)).toMatchObject({
      code: 0,
      output: `1 login encrypted again, 0 had the first key already.\n${NO_APPS}1 second factor encrypted again, 0 had the first key already.\n${NO_ROWS}`,
    })
    expect(await rotate(newer)).toMatchObject({
      code: 0,
      output: `0 logins encrypted again, 1 had the first key already.\n${NO_APPS}0 second factors encrypted again, 1 had the first key already.\n${NO_ROWS}`,
    })
    const lost = await rotate(unknownKey, keyFile)
    expect(lost).toMatchObject({
      code: 1,
      complaint: expect.stringContaining(
        'none of the keys opens 1 login: Agency; none of the keys opens 1 second factor, of ann.',
      ),
    })
    expect(lost.output + lost.complaint).not.toContain(keyFile.trim())
    await close()
    await drop()
  })

  it('backs up while the product runs, and restores when it is stopped', async () => {
    const env = { DATA_DIR: await newFolder() }
    const file = join(env.DATA_DIR, 'backup.tar.gz')
    const serving = await openDatabase({ database_url: null, data_dir: env.DATA_DIR }, { command: 'serve' })
    await migrate(serving.url)
    await serving.db.insertInto('advertiser').values({ name: 'Aurora' }).execute()
    await serving.db
      .insertInto('blob')
      .values({ sha256: 'a'.repeat(64) })
      .execute()

    expect(await sheetcast(['backup', file], { env })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/tables, \d+ rows\.\nImages and files are .*\/files: back that up too/),
    })
    await serving.db.insertInto('advertiser').values({ name: 'Borealis' }).execute()
    expect(await sheetcast(['restore', file, '--force'], { env })).toMatchObject({
      code: 1,
      complaint: expect.stringContaining(`in use by sheetcast serve ${process.pid}`),
    })
    await serving.close()

    expect(await sheetcast(['restore', file], { env })).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('--force'),
    })
    expect(await sheetcast(['restore', file, '--force'], { env })).toMatchObject({ code: 0 })
    const again = await openDatabase({ database_url: null, data_dir: env.DATA_DIR }, { command: 'serve' })
    expect(await again.db.selectFrom('advertiser').select('name').execute()).toEqual([{ name: 'Aurora' }])
    await again.close()
  })
})

/** A superuser with a second factor. */
async function insertFactor(db: Db, vault: Vault, username: string): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ username, identity: 'superuser', user_type: 1, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const secret = sealSecret(vault, randomBytes(20), { kind: 'factor', user_id: id })
  await db.transaction().execute(trx => replaceFactor(trx, id, { secret, last_step: 1, now: new Date() }))
  return id
}
