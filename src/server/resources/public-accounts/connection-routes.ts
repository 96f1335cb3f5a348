import { z } from 'zod'
import {
  CheckPermissions,
  CreateLoginKeeper,
  Disconnection,
  DisconnectReply,
  LoginKeeper,
  LoginPermission,
  LoginService,
  OfLoginQuery,
  UpdateLoginService,
} from '#shared/api/connections.ts'
import { IdPath } from '#shared/api/list.ts'
import { isConnectable } from '#shared/connect.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { SealBroken } from '#server/vault.ts'
import { openApp } from './apps.ts'
import { refusalOf } from './connect-routes.ts'
import { saveGranted } from './connect.ts'
import {
  audiencesOf,
  deleteKeeper,
  findKeeper,
  findService,
  hasPersonElsewhere,
  insertKeeper,
  listKeepers,
  listPermissions,
  listServices,
  mayKeep,
  reportsOf,
  setEnabled,
} from './connection-queries.ts'
import { openLogin } from './logins.ts'
import { presentKeeper, presentPermission, presentServices } from './present.ts'
import { deletePublicAccount, findPublicAccount, type PublicAccountRow } from './queries.ts'

const SERVICES = '/api/public-account-service/'
const PERMISSIONS = '/api/public-account-permission/'
const KEEPERS = '/api/public-account-user/'
const DISCONNECT = '/api/public-account/:id/disconnect/'

const listAll = route('GET', SERVICES, {
  summary: 'List what connected logins are used for, and which scopes that lacks.',
  level: 'superuser',
  query: OfLoginQuery,
  reply: z.array(LoginService),
  run: async ({ query: { public_account }, db }) =>
    presentServices(await listServices(db, public_account), await listPermissions(db, public_account)),
})

const change = route('PATCH', `${SERVICES}:id/`, {
  summary: 'Switch a use of a login on or off. `scope_missing` with the scopes that were not granted.',
  level: 'superuser',
  params: IdPath,
  body: UpdateLoginService,
  reply: LoginService,
  async run({ params: { id }, body: { enabled }, user, db, now }) {
    const before = await findService(db, id)
    if (!before) throw refuse('not_found')
    const { public_account, service } = before
    const permissions = await listPermissions(db, public_account)
    const of = permissions.filter(each => each.service === service)
    const missing = of.filter(({ granted }) => granted === false).map(({ scope }) => scope)
    const isLame = missing.length > 0 && (service !== 'reporting' || missing.length === of.length)
    if (enabled && isLame) throw refuse('scope_missing', { extra: { scopes: missing } })
    await setEnabled(db, id, enabled)
    await note(db, {
      actor: user.id,
      action: 'change',
      id: public_account,
      detail: { service, enabled },
      now,
    })
    const [after] = presentServices([{ ...before, enabled }], permissions)
    if (!after) throw refuse('not_found')
    return after
  },
})

const permissions = route('GET', PERMISSIONS, {
  summary: 'List the scopes of connected logins: which are needed, and which were granted.',
  level: 'superuser',
  query: OfLoginQuery,
  reply: z.array(LoginPermission),
  run: async ({ query: { public_account }, db }) =>
    (await listPermissions(db, public_account)).map(presentPermission),
})

const check = route('POST', `${PERMISSIONS}check/`, {
  summary: 'Ask the platform which scopes a connected login has now, and store that.',
  level: 'superuser',
  body: CheckPermissions,
  reply: z.array(LoginPermission),
  transaction: 'own',
  async run({ body: { public_account }, user, db, now, effects }) {
    const account = await findPublicAccount(db, public_account)
    if (!account) throw refuse('invalid', { fields: { public_account: ['field_not_available'] } })
    const { platform, login } = await connectedOf(db, account, effects)
    const granted = await effects.connections.grantedScopes(platform, login)
    if ('code' in granted) throw refusalOf(granted)
    await inTransaction(db, async trx => {
      await saveGranted(trx, { id: public_account, platform, scopes: granted.scopes, now })
      const detail = { checked: true, ...(granted.scopes && { scopes: granted.scopes }) }
      await note(trx, { actor: user.id, action: 'change', id: public_account, detail, now })
    })
    return (await listPermissions(db, public_account)).map(presentPermission)
  },
})

const keepers = route('GET', KEEPERS, {
  summary: 'List who keeps which login; everybody but superusers their own alone.',
  level: 'staff',
  // Of the shared logins it tells the asking person's own, without what is in them.
  rows: 'every',
  query: OfLoginQuery,
  reply: z.array(LoginKeeper),
  run: async ({ query: { public_account }, user, db }) =>
    (await listKeepers(db, { public_account, user: user.identity === 'superuser' ? null : user.id })).map(
      presentKeeper,
    ),
})

const addKeeper = route('POST', KEEPERS, {
  summary: 'Let one of the agency’s people keep a login: they get its notices and may connect it again.',
  level: 'superuser',
  body: CreateLoginKeeper,
  reply: LoginKeeper,
  status: 201,
  async run({ body: { public_account, user: keeper }, user, db, now }) {
    if (!(await findPublicAccount(db, public_account)))
      throw refuse('invalid', { fields: { public_account: ['field_not_available'] } })
    if (!(await mayKeep(db, keeper))) throw refuse('invalid', { fields: { user: ['field_not_available'] } })
    const id = await insertKeeper(db, { public_account, user_id: keeper })
    const detail = { added_keeper: keeper }
    await note(db, { actor: user.id, action: 'change', id: public_account, detail, now })
    const row = await findKeeper(db, id)
    if (!row) throw refuse('not_found')
    return presentKeeper(row)
  },
})

const removeKeeper = route('DELETE', `${KEEPERS}:id/`, {
  summary: 'Let somebody keep a login no longer.',
  level: 'superuser',
  params: IdPath,
  async run({ params: { id }, user, db, now }) {
    const row = await findKeeper(db, id)
    if (!row) throw refuse('not_found')
    await deleteKeeper(db, id)
    const detail = { removed_keeper: row.user_id }
    await note(db, { actor: user.id, action: 'change', id: row.public_account, detail, now })
  },
})

const whatStops = route('GET', DISCONNECT, {
  summary: 'What ends when a connected login is disconnected: reports and audience lists, the first by name.',
  level: 'superuser',
  params: IdPath,
  reply: Disconnection,
  async run({ params: { id }, db, effects }) {
    const account = await findPublicAccount(db, id)
    if (!account) throw refuse('not_found')
    return {
      accounts: account.accounts,
      reports: await reportsOf(db, id),
      audiences: await audiencesOf(db, id),
      revokes: isConnectable(account.platform) && effects.connections.canRevoke(account.platform),
    }
  },
})

const disconnect = route('POST', DISCONNECT, {
  summary: 'Take a consent back at the platform and delete the login. Its accounts stay, without a login.',
  level: 'superuser',
  params: IdPath,
  reply: DisconnectReply,
  transaction: 'own',
  async run({ params: { id }, user, db, now, effects }) {
    const account = await findPublicAccount(db, id)
    if (!account) throw refuse('not_found')
    if (account.kind !== 'oauth') throw refuse('action_not_allowed')
    const revoked = await revokedAtPlatform(db, account, effects)
    await inTransaction(db, async trx => {
      await deletePublicAccount(trx, id)
      const { platform, name, accounts } = account
      const detail = { platform, name, accounts, revoked }
      await note(trx, { actor: user.id, action: 'disconnect', id, detail, now })
    })
    return { accounts: account.accounts, revoked }
  },
})

/** The login goes whatever the platform says; false: the person has to take the consent back there. */
async function revokedAtPlatform(db: Db, account: PublicAccountRow, effects: Effects): Promise<boolean> {
  const { id, platform, person_id: person } = account
  if (!isConnectable(platform) || !effects.connections.canRevoke(platform)) return false
  if (await hasPersonElsewhere(db, { platform, person, except: id })) return false
  try {
    const app = await openApp(db, effects.vault, platform)
    const saved = await openLogin(db, effects.vault, id)
    if (!app || !saved) return false
    return (await effects.connections.revoke(platform, { app, login: saved.login })) === null
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}

/** Refuses one that was entered by hand: nobody has consented to it. */
async function connectedOf(db: Db, { id, platform, kind }: PublicAccountRow, { vault }: Effects) {
  if (kind !== 'oauth' || !isConnectable(platform)) throw refuse('action_not_allowed')
  const saved = await openLogin(db, vault, id).catch((error: unknown) => {
    if (error instanceof SealBroken) throw refuse('credential_unreadable')
    throw error
  })
  if (!saved) throw refuse('not_found')
  return { platform, login: saved.login }
}

async function note(
  db: Db,
  {
    actor,
    action,
    id,
    detail,
    now,
  }: { actor: number; action: string; id: number; detail: object; now: Date },
) {
  const line = { actor, action: `connection.${action}`, object: 'public_account', object_id: id }
  await writeAudit(db, { ...line, detail: { ...detail } }, now)
}

export const connectionRoutes = [
  listAll,
  change,
  permissions,
  check,
  keepers,
  addKeeper,
  removeKeeper,
  whatStops,
  disconnect,
]
