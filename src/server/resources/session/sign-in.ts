import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Trx } from '#server/db/transaction.ts'
import type { Effects } from '#server/http/effects.ts'
import { networkOf } from '#server/http/network.ts'
import { disconnectSignal } from '#server/http/disconnect.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import type { IssuedRefresh, SignInFacts } from './queries.ts'
import type { Vault } from '#server/vault.ts'
import type { ErrorCode } from '#shared/errors.ts'

// The dependencies of every route that begins a session or checks a password.

/** Runs what hashes a password, in the queue of networks. */
export const asTheirTurn = <Result>(
  {
    effects,
    request,
    reply,
  }: { effects: Pick<Effects, 'hashing'>; request: FastifyRequest; reply: FastifyReply },
  work: () => Promise<Result>,
) => effects.hashing.run({ network: networkOf(request.ip), signal: disconnectSignal(reply) }, work)

/** What is recorded of a session that begins now. */
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

/** Notifies the person in the bell and by e-mail, whatever e-mails they have chosen. */
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
  /** Left out: none was sent. */
  code: string | undefined
  address: string
  now: Date
}

/** Why a code is refused. */
export interface CodeRefusal {
  code: Extract<
    ErrorCode,
    'second_factor_required' | 'second_factor_wrong' | 'second_factor_unreadable' | 'rate_limited'
  >
  facts?: { retry_after_s: number }
}

/**
 * Checks the second factor of a person whose password was right, and uses the code up; null when it was
 * right, or when they have none. Its rows must be kept although it refuses: so it returns why, and throws
 * nothing.
 */
export type CheckSecondFactor = (trx: Trx, given: CodeAttempt) => Promise<CodeRefusal | null>
