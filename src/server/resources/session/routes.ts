import type { FastifyRequest } from 'fastify'
import { Refresh, RefreshReply, SetPassword, SignIn, SignOut, TokenPair } from '#shared/api/session.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  clearSessionCookies,
  refreshCookie,
  refuseForeignOrigin,
  setSessionCookies,
} from '#server/http/cookies.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { RefreshClaims } from '#server/http/tokens.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { whyNotSecondFactor } from '#server/resources/second-factor/check-code.ts'
import { hashLinkToken, hashPassword, isPassword } from './passwords.ts'
import {
  findByUsername,
  findLink,
  forgetFailures,
  markLinkUsed,
  revokeAllOf,
  revokeFamily,
  rotate,
  setPasswordHash,
  startAttempt,
  startFamily,
} from './queries.ts'
import { whyNotPassword } from './rules.ts'

const signIn = route('POST', '/api/token/', {
  summary:
    'Sign in. Unknown name, wrong password and closed account get the same answer; `code` is for whoever has a second factor.',
  level: 'public',
  transaction: 'own',
  body: SignIn,
  reply: TokenPair,
  async run({ body: { username, password, code }, db, now, effects, request, reply }) {
    const site = effects.settings
    refuseForeignOrigin(request, site, { required: false })
    const who = { username, address: request.ip }
    const attempt = await inTransaction(db, trx => startAttempt(trx, { ...who, now }))
    if ('retry_after_s' in attempt) throw refuse('rate_limited', attempt)

    const user = await findByUsername(db, username)
    const is_right = await isPassword(password, user?.password_hash ?? null)
    const welcome = is_right && user?.may_sign_in ? user : null
    const claims = await inTransaction(db, async trx => {
      const given = welcome && { vault: effects.vault, user_id: welcome.id, code, address: who.address, now }
      const why_not = given && (await whyNotSecondFactor(trx, given))
      if (why_not) return { why_not }
      const action = welcome ? 'session.sign_in' : 'session.refused'
      // A name that nobody has may be a password in the wrong field.
      const detail = user && !welcome ? { detail: { username: user.username } } : {}
      await writeAudit(trx, { actor: welcome?.id ?? null, action, address: who.address, ...detail }, now)
      if (!welcome) return null
      await forgetFailures(trx, who)
      return await startFamily(trx, welcome.id, now)
    })
    if (!claims) throw refuse('unauthenticated')
    // The attempt goes on counting as failed: the password alone is no success.
    if ('why_not' in claims) throw refuse(claims.why_not.code, claims.why_not.facts)
    const pair = await signPair(effects, claims, now)
    setSessionCookies(reply, pair, { site, now })
    return { ...pair, user_id: claims.user_id }
  },
})

const refresh = route('POST', '/api/token/refresh/', {
  summary: 'A new token pair for a refresh token, given in the body or by the cookie.',
  level: 'public',
  transaction: 'own',
  body: Refresh,
  reply: RefreshReply,
  async run({ body, db, now, effects, request, reply }) {
    const site = effects.settings
    const by_cookie = body.refresh === undefined
    if (by_cookie) refuseForeignOrigin(request, site, { required: true })
    const token = body.refresh ?? refreshCookie(request) ?? ''
    const claims = await effects.tokens.readRefresh(token, now)
    const next = claims && (await inTransaction(db, trx => rotateAndTell(trx, claims, { now, request })))
    if (!next) {
      if (by_cookie) clearSessionCookies(reply, site)
      throw refuse('unauthenticated')
    }
    const pair = await signPair(effects, next, now)
    if (by_cookie) setSessionCookies(reply, pair, { site, now })
    return pair
  },
})

async function rotateAndTell(
  trx: Parameters<typeof rotate>[0],
  claims: RefreshClaims,
  { now, request }: { now: Date; request: FastifyRequest },
): Promise<RefreshClaims | null> {
  const next = await rotate(trx, claims, now)
  if (next !== 'reused') return next
  const deed = { actor: claims.user_id, action: 'session.token_reused', address: request.ip }
  await writeAudit(trx, deed, now)
  return null
}

export async function signPair({ tokens }: Pick<Effects, 'tokens'>, claims: RefreshClaims, now: Date) {
  const [access, refresh_token] = await Promise.all([
    tokens.signAccess(claims, now),
    tokens.signRefresh(claims, now),
  ])
  return { access, refresh: refresh_token }
}

const signOut = route('POST', '/api/token/logout/', {
  summary: 'Sign out here, or everywhere.',
  level: 'external_user',
  // Nobody is kept from signing out.
  share: null,
  before_second_factor: true,
  body: SignOut,
  async run({ body: { everywhere }, user, db, now, effects, request, reply }) {
    if (everywhere) await revokeAllOf(db, user.id, { because: 'signed_out_everywhere', now })
    else await revokeFamily(db, user.family, { because: 'signed_out', now })
    const action = everywhere ? 'session.sign_out_everywhere' : 'session.sign_out'
    await writeAudit(db, { actor: user.id, action, address: request.ip }, now)
    clearSessionCookies(reply, effects.settings)
  },
})

const setPassword = route('POST', '/api/set-password/', {
  summary: 'Set a password by the one-time link that a superuser hands over.',
  level: 'public',
  transaction: 'own',
  body: SetPassword,
  async run({ body, db, now, request }) {
    const token_hash = hashLinkToken(body.token)
    // Outside the transaction that marks the link used: hashing takes a while and needs no connection.
    const known = await inTransaction(db, trx => findLink(trx, token_hash, now))
    if (!known) throw refuse('invalid', { fields: { token: ['link_expired'] } })
    const why_not = whyNotPassword(body.password, known.username)
    if (why_not) throw refuse('invalid', { fields: { password: [why_not] } })
    const password_hash = await hashPassword(body.password)
    await inTransaction(db, async trx => {
      const user = await findLink(trx, token_hash, now)
      if (!user) throw refuse('invalid', { fields: { token: ['link_expired'] } })
      await markLinkUsed(trx, token_hash, now)
      await setPasswordHash(trx, user.id, { password_hash, now })
      await revokeAllOf(trx, user.id, { because: 'password_changed', now })
      await writeAudit(
        trx,
        {
          actor: user.id,
          action: 'user.set_password',
          object: 'user',
          object_id: user.id,
          address: request.ip,
        },
        now,
      )
    })
  },
})

export const sessionRoutes = [signIn, refresh, signOut, setPassword]
