import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { LoginKind } from '#shared/connect.ts'
import type { Platform } from '#shared/platforms.ts'
import { PUBLISHED_DEMO_PASSWORD, type Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { lockSuperusers } from '#server/resources/people/queries.ts'
import { openLogin, type Login } from '#server/resources/public-accounts/logins.ts'
import { deletePublicAccount } from '#server/resources/public-accounts/queries.ts'
import { revokeAllOf } from '#server/resources/session/queries.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { findDemoPeople } from './demo-people.ts'
import { demoApps, demoLogins } from './logins.ts'

export interface ClosedDemo {
  /** Names of the people who could sign in, or had a password. */
  people: string[]
  /** Names of the shared logins at the emulated platforms. */
  logins: string[]
  /** Names of shared logins that none of the keys opens: whether they are the demo's is unknown. */
  sealed: string[]
  /** How many reports were due at some time. */
  schedules: number
  bindings: number
  has_superuser: boolean
}

/**
 * Removes from a database what the demo has created and production must not have: people with a published
 * password, logins of the emulated platforms, schedules. Reports, folders and runs stay for their next
 * owners. Running it again finds nothing.
 */
export async function closeDemo(
  db: Db,
  { vault, config, now }: { vault: Vault; config: Pick<Config, 'demo_password'>; now: Date },
): Promise<ClosedDemo> {
  const found = await findDemoPeople(db, [PUBLISHED_DEMO_PASSWORD, config.demo_password])
  return await db.transaction().execute(async trx => {
    const people = found.filter(person => person.may_sign_in || person.password_hash !== null)
    for (const { id } of people) await closeAccount(trx, id, now)
    const ids = found.map(({ id }) => id)
    const { logins, sealed } = await deleteDemoLogins(trx, vault, now)
    await deleteDemoApps(trx)
    const schedules = await endSchedules(trx, ids)
    const bindings = await deleteBindings(trx, ids)
    const detail = { logins: logins.length, schedules, bindings }
    if (people.length + logins.length + schedules + bindings > 0)
      await writeAudit(trx, { actor: null, action: 'demo.close', detail }, now)
    return {
      people: people.map(({ username }) => username),
      logins,
      sealed,
      schedules,
      bindings,
      has_superuser: (await lockSuperusers(trx)).length > 0,
    }
  })
}

/**
 * Nobody can sign in with the account any more; without its password not even when it is reopened by mistake.
 */
async function closeAccount(trx: Trx, id: number, now: Date) {
  await trx
    .updateTable('users')
    .set({ is_active: 0, password_hash: null, last_modified_at: now })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('password_link').where('user_id', '=', id).execute()
  await revokeAllOf(trx, id, { because: 'closed', now })
  const detail = { fields: ['is_active', 'password'], by: 'close-demo' }
  await writeAudit(trx, { actor: null, action: 'user.change', object: 'user', object_id: id, detail }, now)
}

/** Recognised by their content: one that was replaced with a real one stays. */
async function deleteDemoLogins(trx: Trx, vault: Vault, now: Date) {
  const known: Partial<Record<Platform, Login>> = demoLogins
  const accounts = await trx.selectFrom('public_account').select(['id', 'name', 'platform', 'kind']).execute()
  const logins: string[] = []
  const sealed: string[] = []
  for (const { id, name, platform, kind } of accounts) {
    const opened = await openLogin(trx, vault, id).catch((error: unknown) => {
      if (error instanceof SealBroken) return 'sealed' as const
      throw error
    })
    if (opened === 'sealed') sealed.push(name)
    else if (
      opened &&
      (isDeepStrictEqual(opened.login, known[platform]) || isOfDemoApp(opened.login, kind))
    ) {
      await deletePublicAccount(trx, id)
      const detail = { platform, name, by: 'close-demo' }
      const line = { actor: null, action: 'public_account.delete', object: 'public_account', object_id: id }
      await writeAudit(trx, { ...line, detail }, now)
      logins.push(name)
    }
  }
  return { logins, sealed }
}

/** Somebody has agreed to it at the emulated platform. */
const isOfDemoApp = (login: Login, kind: LoginKind) =>
  kind === 'oauth' &&
  Object.values(demoApps).some(({ client_secret: secret }) => Object.values(login).includes(secret))

/** Those that were replaced with real ones stay. */
async function deleteDemoApps(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('platform_app')
    .where(
      'client_id',
      'in',
      Object.values(demoApps).map(({ client_id: id }) => id),
    )
    .execute()
}

/**
 * Of the reports of the demo's people, and of all that write to the built-in spreadsheets: they would only
 * fail every morning.
 */
async function endSchedules(trx: Trx, owners: readonly number[]): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('report')
    .set({ next_run_at: null, update_frequency: 0 })
    .where(sql<boolean>`update_frequency > 0 and (owner = any(${owners}) or spreadsheet_url ~ ${BUILT_IN})`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Real people prove control of a spreadsheet again. */
async function deleteBindings(trx: Trx, people: readonly number[]): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('spreadsheet_binding')
    .where(sql<boolean>`proven_by = any(${people})`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const BUILT_IN = String.raw`^http://(127\.0\.0\.1|localhost):\d+/spreadsheets/`
