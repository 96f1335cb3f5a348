import {
  FinishConnect,
  FinishConnectReply,
  StartConnect,
  StartConnectReply,
} from '#shared/api/connections.ts'
import { servicesOf, type ConnectablePlatform, type Service } from '#shared/connect.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { ConnectedLogin, Effects, PlatformProblem } from '#server/http/effects.ts'
import { refuse, type Refusal } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { callbackUrl, openApp, withApp } from './apps.ts'
import {
  keepUntilConfirmed,
  newState,
  rememberVisit,
  storeConnection,
  takeVisit,
  type Back,
} from './connect.ts'
import { deleteState } from './connect-queries.ts'
import { hasPersonElsewhere, isKeeper, listPermissions, listServices } from './connection-queries.ts'
import { saveTest } from './notify.ts'
import { findPublicAccount } from './queries.ts'
import { presentAccount, presentServices } from './present.ts'

const PATH = '/api/public-account/connect/'

const start = route('POST', PATH, {
  summary:
    'Begin to connect a login: the page of the platform where the person agrees. Superusers; keepers again.',
  level: 'staff',
  body: StartConnect,
  reply: StartConnectReply,
  async run({ body, user, db, now, effects }) {
    const { platform, public_account = null } = body
    await admit(db, user, public_account)
    await refuseOtherPlatform(db, platform, public_account)
    const services = await servicesFor(db, { platform, public_account, services: body.services })
    const app = await appOf(db, effects.vault, platform)
    const { state, nonce } = newState()
    const { url, verifier } = effects.connections.begin(platform, {
      app,
      callback_url: callbackUrl(effects),
      state,
      services,
    })
    const visit = { user_id: user.id, platform, services, public_account }
    const until = await rememberVisit(db, effects.vault, { state, nonce, verifier, visit, now })
    return { url, nonce, expires_at: until.toISOString() }
  },
})

const finish = route('POST', `${PATH}finish/`, {
  summary: 'Finish with what the platform has sent the person back with. Each state works once.',
  level: 'staff',
  body: FinishConnect,
  reply: FinishConnectReply,
  transaction: 'own',
  async run({ body, user, db, now, effects }) {
    const { vault } = effects
    const { code, error, confirm_other_person: isMeant, ...shown } = body
    const visitor = { ...shown, user: user.id, answers: isMeant !== undefined, now }
    const back = await inTransaction(db, trx => takeVisit(trx, vault, visitor))
    await admit(db, user, back.public_account)
    if (error !== undefined) throw await refusedAtPlatform(db, back, error)
    if (back.pending && isMeant === false) throw await notMeant(db, back, effects)
    const connected = back.pending ?? (await exchanged(db, back, { code, effects }))
    if (isMeant !== true) await refuseOtherPerson(db, back, { connected, vault, now })
    const id = await inTransaction(db, async trx => {
      await deleteState(trx, back.hash)
      const stored = await storeConnection(trx, vault, {
        visit: back,
        connected,
        language: user.language,
        now,
      })
      await noteConnection(trx, { id: stored, back, connected, user, now })
      return stored
    })
    return await described(db, id, { requested: back.services, effects, now })
  },
})

/** Superusers; keepers for the logins that they keep. Another login is not there for them. */
async function admit(db: Db, user: SignedInUser, publicAccount: number | null) {
  if (user.identity === 'superuser') return
  if (publicAccount === null) throw refuse('forbidden')
  if (!(await isKeeper(db, publicAccount, user.id))) throw refuse('not_found')
}

async function refuseOtherPlatform(db: Db, platform: ConnectablePlatform, id: number | null) {
  if (id === null) return
  const account = await findPublicAccount(db, id)
  if (!account) throw refuse('not_found')
  if (account.platform !== platform)
    throw refuse('invalid', { fields: { platform: ['field_not_available'] } })
}

/** Those that are asked for; else what the login is used for already, or everything that it can be. */
async function servicesFor(
  db: Db,
  {
    platform,
    public_account,
    services,
  }: { platform: ConnectablePlatform; public_account: number | null; services: Service[] | undefined },
): Promise<Service[]> {
  const possible = servicesOf(platform)
  if (services?.some(service => !possible.includes(service)))
    throw refuse('invalid', { fields: { services: ['field_not_available'] } })
  if (services) return [...new Set(services)]
  if (public_account === null) throw refuse('invalid', { fields: { services: ['field_required'] } })
  const used = (await listServices(db, public_account)).map(({ service }) => service)
  return used.length > 0 ? used : possible
}

/** Refuses with `platform_not_ready`. */
async function appOf(db: Db, vault: Vault, platform: ConnectablePlatform) {
  const app = await openApp(db, vault, platform).catch((error: unknown) => {
    if (error instanceof SealBroken) throw refuse('credential_unreadable')
    throw error
  })
  if (!app) throw refuse('platform_not_ready')
  return app
}

/** The person has refused, or the platform has. */
async function refusedAtPlatform(db: Db, back: Back, error: string): Promise<Refusal> {
  await deleteState(db, back.hash)
  return PLATFORM_ERRORS.test(error)
    ? refuse('connect_failed', { detail: error, extra: { platform_message: error } })
    : refuse('connect_denied')
}

/** Of RFC 6749, 4.1.2.1: anything else is a person's decision. */
const PLATFORM_ERRORS =
  /^(invalid_request|invalid_scope|unauthorized_client|unsupported_response_type|server_error|temporarily_unavailable)$/

/** The login of somebody else is given back, unless they have another one here, which would end with it. */
async function notMeant(db: Db, { hash, platform, pending }: Back, effects: Effects): Promise<Refusal> {
  await deleteState(db, hash)
  const person = pending?.person?.id ?? null
  if (pending && !(await hasPersonElsewhere(db, { platform, person, except: null }))) {
    const app = await appOf(db, effects.vault, platform)
    await effects.connections.revoke(platform, { app, login: pending.login })
  }
  return refuse('connect_denied')
}

async function exchanged(
  db: Db,
  { platform, verifier }: Back,
  { code, effects }: { code: string | undefined; effects: Effects },
): Promise<ConnectedLogin> {
  if (code === undefined) throw refuse('invalid', { fields: { code: ['field_required'] } })
  const app = await appOf(db, effects.vault, platform)
  const request = { app, code, callback_url: callbackUrl(effects), verifier }
  const connected = await effects.connections.exchange(platform, request)
  if ('code' in connected) throw refusalOf(connected)
  return { ...connected, login: withApp(platform, connected.login, app) }
}

/** The platform's words are for the agency's own people, who are the only ones to get here. */
export const refusalOf = ({ code, message, retry_after_ms }: PlatformProblem): Refusal =>
  refuse(code, {
    ...(message !== null && { detail: message, extra: { platform_message: message } }),
    ...(retry_after_ms !== null && { retry_after_s: retry_after_ms / 1000 }),
  })

/** A login that is connected again as another person may see other accounts with it. */
async function refuseOtherPerson(
  db: Db,
  back: Back,
  { connected, vault, now }: { connected: ConnectedLogin; vault: Vault; now: Date },
) {
  if (back.public_account === null || connected.person === null) return
  const before = await findPublicAccount(db, back.public_account)
  if (!before?.person_id || before.person_id === connected.person.id) return
  await keepUntilConfirmed(db, vault, { state: back.hash, connected, now })
  const person = { before: before.person_name, now: connected.person.name }
  throw refuse('connect_other_person', { extra: { person } })
}

async function noteConnection(
  db: Db,
  {
    id,
    back,
    connected,
    user,
    now,
  }: { id: number; back: Back; connected: ConnectedLogin; user: SignedInUser; now: Date },
) {
  const detail = {
    platform: back.platform,
    services: back.services,
    again: back.public_account !== null,
    other_person: back.pending !== null,
    ...(connected.scopes && { scopes: connected.scopes }),
  }
  const line = {
    actor: user.id,
    action: 'connection.connect',
    object: 'public_account',
    object_id: id,
    detail,
  }
  await writeAudit(db, line, now)
}

/** The login as it is now, and what it reaches at the platform. */
async function described(
  db: Db,
  id: number,
  { requested, effects, now }: { requested: readonly Service[]; effects: Effects; now: Date },
) {
  const services = presentServices(await listServices(db, id), await listPermissions(db, id))
  const missing = services.filter(({ service }) => requested.includes(service)).flatMap(each => each.missing)
  const reports = services.some(({ service, enabled }) => service === 'reporting' && enabled)
  const found = reports ? await effects.platforms.countAccounts(db, id) : null
  const problem = found && 'code' in found ? found.code : null
  const account = await findPublicAccount(db, id)
  if (!account) throw refuse('not_found')
  if (found)
    await inTransaction(db, trx => saveTest(trx, account, { test_result: problem ?? 'ok', tested_at: now }))
  const tested = await findPublicAccount(db, id)
  const scopes = [...new Set(missing)]
  return {
    login: presentAccount(tested ?? account),
    services,
    code: scopes.length > 0 ? ('scope_missing' as const) : null,
    scopes,
    accounts: found && !('code' in found) ? found : null,
    problem,
  }
}

export const connectRoutes = [start, finish]
