import { randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { createTestDatabase } from '#server/db/testing.ts'
import { insertLogin } from '#server/resources/public-accounts/logins.ts'
import { openVault } from '#server/vault.ts'
import { newFolder, sheetcast } from './testing.ts'

describe('the command line', () => {
  it('says what it can do, and its version', async () => {
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

  it('says all that is wrong with the environment', async () => {
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
    expect(await create('glacier tuba orchid\n')).toMatchObject({ code: 0, output: 'ann may sign in.\n' })
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

  it('seals the logins of platforms with another key, as often as one likes, and says which no key opens', async () => {
    const { url, drop } = await createTestDatabase()
    const DATA_DIR = await newFolder()
    const rotate = (...keys: string[]) =>
      sheetcast(['rotate-keys'], {
        env: { DATABASE_URL: url, DATA_DIR, ...(keys.length > 0 && { CREDENTIAL_KEYS: keys.join(',') }) },
      })
    expect(await rotate()).toMatchObject({
      code: 0,
      output: '0 logins sealed anew, 0 had the first key already.\n',
    })
    const kept = await readFile(join(DATA_DIR, 'credential.key'), 'utf8')
    const vault = openVault({ credential_keys: null, data_dir: DATA_DIR })
    const { db, close } = await openDatabase({ database_url: url, data_dir: '' }, { command: 'test' })
    const login = { platform: 'meta' as const, login: { access_token: 'x' }, created_by: null }
    await db.transaction().execute(trx => insertLogin(trx, vault, { ...login, name: 'Agency' }))

    const [newer, stranger] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    expect(await rotate(newer, kept)).toMatchObject({
      code: 0,
      output: '1 login sealed anew, 0 had the first key already.\n',
    })
    expect(await rotate(newer)).toMatchObject({
      code: 0,
      output: '0 logins sealed anew, 1 had the first key already.\n',
    })
    const lost = await rotate(stranger, kept)
    expect(lost).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('none of the keys opens 1 login: Agency'),
    })
    expect(lost.output + lost.complaint).not.toContain(kept.trim())
    await close()
    await drop()
  })

  it('backs up while somebody works, and restores when nobody does', async () => {
    const env = { DATA_DIR: await newFolder() }
    const file = join(env.DATA_DIR, 'backup.tar.gz')
    const serving = await openDatabase({ database_url: null, data_dir: env.DATA_DIR }, { command: 'serve' })
    await migrate(serving.url)
    await serving.db.insertInto('advertiser').values({ name: 'Aurora' }).execute()

    expect(await sheetcast(['backup', file], { env })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/tables, \d+ rows/),
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
