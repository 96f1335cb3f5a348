import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Trx } from '#server/db/transaction.ts'
import type { Effects } from '#server/http/effects.ts'
import { networkOf } from '#server/http/network.ts'
import { disconnectSignal } from '#server/http/disconnect.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import type { IssuedRefresh, SignInFacts } from './queries.ts'
import type { Vault } from '#server/vault.ts'
import type { ErrorCode } from '#shared/errors.ts'

// What every route needs that begins a sign-in or looks at a password.

/** Runs what hashes a password when it is the turn of the address that asks. */
export const asTheirTurn = <Result>(
  {
    effects,
    request,
    reply,
  }: { effects: Pick<Effects, 'hashing'>; request: FastifyRequest; reply: FastifyReply },
  work: () => Promise<Result>,
) => effects.hashing.run({ network: networkOf(request.ip), signal: disconnectSignal(reply) }, work)

/** What is noted of a sign-in that begins now. */
export const signInFacts = ({
  request,
  effects,
  now,
}: {
  request: FastifyRequest
  effects: Pick<Effects, 'settings'>
  now: Date
}): SignInFacts => ({
  now,
  session_days: effects.settings.session_days,
  address: request.ip,
  user_agent: request.headers['user-agent']?.slice(0, MOST_USER_AGENT) ?? null,
})

const MOST_USER_AGENT = 400

export async function signPair({ tokens }: Pick<Effects, 'tokens'>, claims: IssuedRefresh, now: Date) {
  const [access, refresh_token] = await Promise.all([
    tokens.signAccess(claims, now),
    tokens.signRefresh(claims),
  ])
  return { access, refresh: refresh_token, expires_at: claims.expires_at }
}

/** Tells the person in the bell and by mail, whatever mails they have chosen. */
export async function notifyOfSecurity(
  trx: Trx,
  kind: 'password_changed' | 'session_reused',
  {
    user_id,
    effects,
    request,
    now,
  }: { user_id: number; effects: Effects; request: FastifyRequest; now: Date },
) {
  const detail = { address: request.ip, time_zone: effects.settings.time_zone }
  await insertNotices(trx, [{ user_id, kind, detail }], now)
}

export interface CodeAttempt {
  vault: Vault
  user_id: number
  /** Left out: none was given. */
  code: string | undefined
  address: string
  now: Date
}

/** Why a code does not do. */
export interface CodeRefusal {
  code: Extract<
    ErrorCode,
    'second_factor_required' | 'second_factor_wrong' | 'second_factor_unreadable' | 'rate_limited'
  >
  facts?: { retry_after_s: number }
}

/**
 * Asks for the second factor of somebody whose password was right, and uses the code up; null when it was
 * right, or when they have none. What this has written must be kept although it refuses: so it answers why,
 * and throws nothing.
 */
export type CheckSecondFactor = (trx: Trx, given: CodeAttempt) => Promise<CodeRefusal | null>
