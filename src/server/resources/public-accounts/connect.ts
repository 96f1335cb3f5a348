import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import {
  canServe,
  missingScopes,
  scopesOf,
  servicesOf,
  type ConnectablePlatform,
  type Service,
} from '#shared/connect.ts'
import type { Language } from '#shared/language.ts'
import { platformFacts } from '#shared/platforms.ts'
import { name } from '#shared/api/names.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ConnectedLogin } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { insertState, keepPending, lockState, useState, type StateRow } from './connect-queries.ts'
import { listServices, savePermissions, saveServices } from './connection-queries.ts'
import { insertLogin, openLogin, replaceLogin } from './logins.ts'
import { saveConnection } from './login-queries.ts'

// A person goes to the platform with a state and comes back with it, once and within ten minutes. What is
// stored of state and nonce are hashes: who reads the database cannot come back instead.

const LIFE_MS = 600_000

const hashOf = (text: string) => hash('sha256', text, 'buffer')
const contextOf = (state: Uint8Array, what: 'verifier' | 'pending') =>
  `connect_state/${Buffer.from(state).toString('hex')}/${what}`

export interface Visit {
  user_id: number
  platform: ConnectablePlatform
  services: Service[]
  public_account: number | null
}

/** The state and the nonce of somebody who is sent to a platform. */
export function newState(): { state: string; nonce: string } {
  const random = () => randomBytes(32).toString('base64url')
  return { state: random(), nonce: random() }
}

/** Returns when the person has to be back. */
export async function rememberVisit(
  db: Db,
  vault: Vault,
  {
    state,
    nonce,
    verifier,
    visit,
    now,
  }: { state: string; nonce: string; verifier: string | null; visit: Visit; now: Date },
): Promise<Date> {
  const key = hashOf(state)
  const until = new Date(now.getTime() + LIFE_MS)
  await insertState(db, {
    ...visit,
    hash: key,
    nonce_hash: hashOf(nonce),
    verifier: verifier === null ? null : vault.seal(verifier, contextOf(key, 'verifier')),
    pending: null,
    expires_at: until,
    used_at: null,
  })
  return until
}

export type Back = Visit & {
  hash: Uint8Array
  verifier: string | null
  /** Of an earlier coming back, which waits for a confirmation. */
  pending: ConnectedLogin | null
}

interface Visitor {
  state: string
  nonce: string
  user: number
  /** Says whether a login of somebody else was meant. */
  answers: boolean
  now: Date
}

/** The visit of a person who is back, which ends with this. Refuses with `state_unknown`. */
export async function takeVisit(
  trx: Trx,
  vault: Vault,
  { state, nonce, user, answers, now }: Visitor,
): Promise<Back> {
  const row = await lockState(trx, hashOf(state))
  if (!row || row.user_id !== user || !timingSafeEqual(row.nonce_hash, hashOf(nonce)) || row.expires_at < now)
    throw refuse('state_unknown')
  if (row.used_at !== null && !(answers && row.pending !== null)) throw refuse('state_unknown')
  const { verifier, pending } = openedSeals(row, vault)
  await useState(trx, row.hash, now)
  const { user_id, platform, services, public_account } = row
  return { hash: row.hash, user_id, platform, services, public_account, verifier, pending }
}

function openedSeals({ hash: key, verifier, pending }: StateRow, vault: Vault) {
  const opened = (sealed: Uint8Array | null, what: 'verifier' | 'pending') =>
    sealed === null ? null : vault.open(sealed, contextOf(key, what))
  try {
    const text = opened(pending, 'pending')
    return {
      verifier: opened(verifier, 'verifier'),
      pending: text === null ? null : Pending.parse(JSON.parse(text)),
    }
  } catch (error) {
    // The key was replaced meanwhile: the person begins again.
    if (error instanceof SealBroken) throw refuse('state_unknown')
    throw error
  }
}

const Pending = z.object({
  login: z.record(z.string(), z.string()),
  expires_at: z.coerce.date().nullable(),
  scopes: z.array(z.string()).nullable(),
  person: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullish() }).nullable(),
})

/** A code is good once: what it was exchanged for is kept until the person says whether it was meant. */
export async function keepUntilConfirmed(
  db: Db,
  vault: Vault,
  { state, connected, now }: { state: Uint8Array; connected: ConnectedLogin; now: Date },
): Promise<void> {
  await keepPending(db, state, {
    pending: vault.seal(JSON.stringify(connected), contextOf(state, 'pending')),
    expires_at: new Date(now.getTime() + LIFE_MS),
  })
}

/** Stores what a person has agreed to, as a new login or in place of one; returns its id. */
export async function storeConnection(
  trx: Trx,
  vault: Vault,
  {
    visit,
    connected,
    language,
    now,
  }: { visit: Visit; connected: ConnectedLogin; language: Language; now: Date },
): Promise<number> {
  const { platform, user_id } = visit
  const { person, expires_at, scopes } = connected
  const id = visit.public_account ?? (await insertConnection(trx, vault, { visit, connected, language }))
  if (visit.public_account !== null) {
    const login = { ...(await openFieldsOf(trx, vault, id)), ...connected.login }
    await replaceLogin(trx, vault, { id, platform, login })
  }
  await saveConnection(trx, id, {
    kind: 'oauth',
    person_id: person?.id ?? null,
    person_name: nameOf(person),
    person_email: person?.email ?? null,
    connected_by: user_id,
    connected_at: now,
    expires_at,
  })
  await saveGranted(trx, { id, platform, added: visit.services, scopes, now })
  return id
}

/** What was granted, and with it what the login can be used for: nothing that lacks its scopes. */
export async function saveGranted(
  trx: Trx,
  {
    id,
    platform,
    added = [],
    scopes,
    now,
  }: {
    id: number
    platform: ConnectablePlatform
    added?: readonly Service[]
    scopes: readonly string[] | null
    now: Date
  },
): Promise<void> {
  const known = new Map((await listServices(trx, id)).map(({ service, enabled }) => [service, enabled]))
  const together = new Map([...known, ...added.map(service => [service, true] as const)])
  const services = [...together].map(
    ([service, enabled]) => [service, enabled && canServe(platform, service, scopes)] as const,
  )
  await saveServices(trx, id, new Map(services))
  await savePermissions(
    trx,
    id,
    servicesOf(platform).flatMap(service =>
      scopesOf(platform, [service]).map(scope => ({
        service,
        scope,
        granted: scopes && !missingScopes(platform, service, scopes).includes(scope),
        checked_at: now,
      })),
    ),
  )
}

const insertConnection = (
  trx: Trx,
  vault: Vault,
  {
    visit: { platform, user_id },
    connected,
    language,
  }: { visit: Visit; connected: ConnectedLogin; language: Language },
) => {
  const person = nameOf(connected.person)
  const called = platformFacts(platform).names[language]
  return insertLogin(trx, vault, {
    platform,
    name: person === null ? called : `${called} · ${person}`,
    login: connected.login,
    created_by: user_id,
  })
}

/** Names at platforms are anybody's: one that cannot be a name here is none. */
const nameOf = (person: ConnectedLogin['person']) => name(100).safeParse(person?.name).data ?? null

/** What a person has set beside the consent stays when it is given again. */
async function openFieldsOf(trx: Trx, vault: Vault, id: number): Promise<Record<string, string>> {
  const saved = await openLogin(trx, vault, id).catch((error: unknown) => {
    if (error instanceof SealBroken) return null
    throw error
  })
  const { login_customer_id } = saved?.login ?? {}
  return login_customer_id === undefined ? {} : { login_customer_id }
}
