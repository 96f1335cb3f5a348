import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from './db/testing/database.ts'
import { somebodyWaits } from './db/testing/somebody-waits.ts'
import {
  insertLogin,
  openLogin,
  replaceLogin,
  resealLogins,
  shutLogins,
} from './resources/public-accounts/logins.ts'
import { createSources } from './resources/public-accounts/sources.ts'
import { StartProblem } from './start-problem.ts'
import { createVault, openVault, SealBroken } from './vault.ts'

const [key, newer, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const vault = createVault([key])
const PLACE = 'public_account/7/meta'

describe('a sealed text', () => {
  it('opens in its own context, whatever its content', () => {
    for (const text of ['', 'EAAB…', '繁體 🙂 "\\', 'x'.repeat(100_000)])
      expect(vault.open(vault.seal(text, PLACE), PLACE)).toBe(text)
  })

  it('reveals nothing of the text, and is different each time', () => {
    const [one, other] = [vault.seal('EAAB-token', PLACE), vault.seal('EAAB-token', PLACE)]
    expect(one.toString('latin1')).not.toContain('EAAB')
    expect(one.equals(other)).toBe(false)
  })

  it('does not open in another context', () => {
    for (const context of ['public_account/8/meta', 'public_account/7/ga4', ''])
      expect(() => vault.open(vault.seal('x', PLACE), context)).toThrow(SealBroken)
  })

  it('does not open when any bit of it was changed, or any byte of it is missing', () => {
    const sealed = vault.seal('secret', PLACE)
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => vault.open(changed, PLACE), `bit ${bit}`).toThrow(SealBroken)
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => vault.open(sealed.subarray(0, length), PLACE), `${length} bytes`).toThrow(SealBroken)
  })

  it('does not open with another key', () => {
    expect(() => createVault([stranger]).open(vault.seal('x', PLACE), PLACE)).toThrow(SealBroken)
  })

  it('opens with an old key behind a new one, and is recognised as old', () => {
    const sealed = vault.seal('x', PLACE)
    const both = createVault([newer, key])
    expect([both.open(sealed, PLACE), both.isOld(sealed), vault.isOld(sealed)]).toEqual(['x', true, false])
    expect(both.isOld(both.seal('x', PLACE))).toBe(false)
  })
})

describe('the keys', () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'vault-'))
  afterAll(() => rmSync(data_dir, { recursive: true }))
  const file = join(data_dir, 'credential.key')

  it('are created at the first start, readable by their owner only, and found again', () => {
    const sealed = openVault({ credential_keys: null, data_dir }).seal('x', PLACE)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(openVault({ credential_keys: null, data_dir }).open(sealed, PLACE)).toBe('x')
  })

  it('are those of the environment where it has any', () => {
    const credential_keys = [newer, key].map(each => each.toString('base64')).join(' , ')
    const opened = openVault({ credential_keys, data_dir })
    expect(opened.open(vault.seal('x', PLACE), PLACE)).toBe('x')
    expect(() => vault.open(opened.seal('x', PLACE), PLACE)).toThrow(SealBroken)
  })

  it('that are invalid keep the product from starting, with a message that does not contain them', () => {
    for (const credential_keys of ['short', `${key.toString('base64')},`, '']) {
      const open = () => openVault({ credential_keys, data_dir })
      expect(open).toThrow(StartProblem)
      expect(open).toThrow(/^CREDENTIAL_KEYS must hold keys of 32 bytes in base64/)
    }
    writeFileSync(file, 'broken')
    expect(() => openVault({ credential_keys: null, data_dir })).toThrow(/credential\.key must hold keys/)
    expect(() => openVault({ credential_keys: null, data_dir: join(data_dir, 'nowhere') })).toThrow(
      /can be neither read nor created/,
    )
    chmodSync(file, 0o600)
    expect(readFileSync(file, 'utf8')).toBe('broken')
  })
})

describe('the logins of the database', async () => {
  const { db } = await testDatabase()
  beforeEach(() => db.deleteFrom('public_account').execute())
  const keep = (name: string, by = vault) =>
    db.transaction().execute(trx =>
      insertLogin(trx, by, {
        platform: 'meta',
        name,
        login: { access_token: `token of ${name}` },
        created_by: null,
      }),
    )
  const sealedOf = async (id: number) =>
    (await db.selectFrom('public_account').select('login').where('id', '=', id).executeTakeFirstOrThrow())
      .login
  const put = (id: number, login: Uint8Array) =>
    db.updateTable('public_account').set({ login }).where('id', '=', id).execute()

  it('do not open in another row, nor as another platform’s', async () => {
    const [one, other] = [await keep('one'), await keep('other')]
    await put(other, await sealedOf(one))
    await expect(openLogin(db, vault, other)).rejects.toThrow(SealBroken)
    await db.updateTable('public_account').set({ platform: 'tiktok' }).where('id', '=', one).execute()
    await expect(openLogin(db, vault, one)).rejects.toThrow(SealBroken)
  })

  it('that do not open are a failure of the account’s connection, which is not retried', async () => {
    const id = await keep('one', createVault([stranger]))
    const sources = createSources(db, { vault, environment: {} })
    await expect(sources.of({ provider: 'meta', public_account: id })).rejects.toMatchObject({
      code: 'credential_unreadable',
    })
  })

  it('that lack fields of a newer connector have to be entered again', async () => {
    const id = await db.transaction().execute(trx =>
      insertLogin(trx, vault, {
        platform: 'meta',
        name: 'old',
        login: { app_secret: 'x' },
        created_by: null,
      }),
    )
    const sources = createSources(db, { vault, environment: {} })
    await expect(sources.ofLogin(id)).rejects.toMatchObject({ code: 'credential_expired' })
  })

  it('are sealed again with the first key, so that the old one can be removed', async () => {
    const ids = [await keep('one'), await keep('two')]
    const both = createVault([newer, key])
    const fresh = await keep('three', both)
    expect(await resealLogins(db, both)).toEqual({ sealed: 2, already: 1, shut: [] })
    expect(await resealLogins(db, both)).toEqual({ sealed: 0, already: 3, shut: [] })
    const only = createVault([newer])
    for (const id of [...ids, fresh])
      expect(await openLogin(db, only, id)).toMatchObject({
        login: { access_token: expect.stringMatching(/^token of/) },
      })
    await expect(openLogin(db, vault, ids[0] ?? 0)).rejects.toThrow(SealBroken)
  })

  it('that no key opens are named, left as they are, and do not stop the others', async () => {
    const lost = await keep('Lost', createVault([stranger]))
    await keep('one')
    const before = await sealedOf(lost)
    expect(await shutLogins(db, vault)).toEqual(['Lost'])
    expect(await resealLogins(db, createVault([newer, key]))).toEqual({
      sealed: 1,
      already: 0,
      shut: ['Lost'],
    })
    expect(Buffer.from(await sealedOf(lost)).equals(before)).toBe(true)
  })

  it('are not overwritten by a rotation when a new one is entered meanwhile', async () => {
    const id = await keep('one')
    const both = createVault([newer, key])
    const entering = await db.startTransaction().execute()
    await replaceLogin(entering, both, { id, platform: 'meta', login: { access_token: 'entered' } })
    const rotating = resealLogins(db, both)
    await somebodyWaits(db)
    await entering.commit().execute()
    expect(await rotating).toEqual({ sealed: 0, already: 0, shut: [] })
    expect(await openLogin(db, both, id)).toMatchObject({ login: { access_token: 'entered' } })
  })
})
