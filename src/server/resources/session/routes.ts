import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  Refresh,
  RefreshReply,
  SessionList,
  SessionQuery,
  SetPassword,
  SignIn,
  SignOut,
  TokenPair,
} from '#shared/api/session.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  clearSessionCookies,
  refreshCookie,
  refuseForeignOrigin,
  setSessionCookies,
} from '#server/http/cookies.ts'
import type { Effects } from '#server/http/effects.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { RefreshClaims } from '#server/http/tokens.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { clearFailures, noteRefusal, secondsToWait, startAttempt } from './attempt-queries.ts'
import { whyNotNewPassword } from './new-password.ts'
import { asTheirTurn, signInFacts, signPair, notifyOfSecurity, type CheckSecondFactor } from './sign-in.ts'
import { hashLinkToken, hashPassword, isPassword } from './passwords.ts'
import {
  findByUsername,
  findLink,
  isStillPassword,
  listSessions,
  markLinkUsed,
  revokeAllOf,
  revokeFamily,
  rotate,
  setPasswordHash,
  startFamily,
  type IssuedRefresh,
} from './queries.ts'
import { parse } from 'bowser'

const signIn = (whyNotSecondFactor: CheckSecondFactor) =>
  route('POST', '/api/token/', {
    summary:
      'Sign in. An unknown name, a wrong password and a closed account get the same response. `code` is required with a second factor.',
    level: 'public',
    transaction: 'own',
    body: SignIn,
    reply: TokenPair,
    async run({ body: { username, password, code }, db, now, effects, request, reply }) {
      const site = effects.settings
      refuseForeignOrigin(request, site, { required: false })
      const who = { username, address: request.ip, now }
      const wait_s = await secondsToWait(db, who)
      if (wait_s !== null) throw refuse('rate_limited', { retry_after_s: wait_s })
      const { user, welcome } = await asTheirTurn({ effects, request, reply }, () =>
        proveUser(db, who, password),
      )
      const claims = await inTransaction(db, async trx => {
        // A new password, set since, has ended every session: this one must not begin after it.
        if (!welcome || !(await isStillPassword(trx, welcome))) {
          await noteRefusal(trx, { ...who, known: user?.username ?? null })
          return null
        }
        const attempt = { vault: effects.vault, user_id: welcome.id, code, address: who.address, now }
        const why_not = await whyNotSecondFactor(trx, attempt)
        if (why_not) return { why_not }
        await writeAudit(trx, { actor: welcome.id, action: 'session.sign_in', address: who.address }, now)
        await clearFailures(trx, who)
        return await startFamily(trx, welcome.id, signInFacts({ request, effects, now }))
      })
      if (!claims) throw refuse('unauthenticated')
      // The attempt still counts as failed: the password alone is no success.
      if ('why_not' in claims) throw refuse(claims.why_not.code, claims.why_not.facts)
      const pair = await signPair(effects, claims, now)
      setSessionCookies(reply, pair, { site, now })
      return { access: pair.access, refresh: pair.refresh, user_id: claims.user_id }
    },
  })

interface Attempt {
  username: string
  address: string
  now: Date
}

/**
 * The person with this name and password. Beyond the limits no password is checked; otherwise exactly one,
 * whoever was meant.
 */
async function proveUser(db: Db, who: Attempt, password: string) {
  const attempt = await inTransaction(db, trx => startAttempt(trx, who))
  if ('retry_after_s' in attempt) throw refuse('rate_limited', attempt)
  const user = await findByUsername(db, who.username)
  const is_right = await isPassword(password, user?.password_hash ?? null)
  return { user, welcome: is_right && user?.may_sign_in ? user : null }
}

const refresh = route('POST', '/api/token/refresh/', {
  summary:
    'Exchange a refresh token, from the body or the cookie, for a new token pair. 400 with `refresh` if there is neither.',
  level: 'public',
  transaction: 'own',
  body: Refresh,
  reply: RefreshReply,
  async run({ body, db, now, effects, request, reply }) {
    const site = effects.settings
    const by_cookie = body.refresh === undefined
    const token = body.refresh ?? refreshCookie(request, site)
    if (by_cookie) refuseForeignOrigin(request, site, { required: token !== undefined })
    if (!token) {
      clearSessionCookies(reply, site)
      throw refuse('invalid', { fields: { refresh: ['field_required'] } })
    }
    const claims = await effects.tokens.readRefresh(token, now)
    const next =
      claims && (await inTransaction(db, trx => rotateAndTell(trx, claims, { now, request, effects })))
    if (!next) {
      if (by_cookie) clearSessionCookies(reply, site)
      throw refuse('unauthenticated')
    }
    const pair = await signPair(effects, next, now)
    if (by_cookie) setSessionCookies(reply, pair, { site, now })
    return { access: pair.access, refresh: pair.refresh }
  },
})

async function rotateAndTell(
  trx: Parameters<typeof rotate>[0],
  claims: RefreshClaims,
  { now, request, effects }: { now: Date; request: FastifyRequest; effects: Effects },
): Promise<IssuedRefresh | null> {
  const { session_days } = effects.settings
  const next = await rotate(trx, claims, { now, session_days })
  if (next !== 'reused') return next
  const entry = { actor: claims.user_id, action: 'session.token_reused', address: request.ip }
  await writeAudit(trx, entry, now)
  await notifyOfSecurity(trx, 'session_reused', { user_id: claims.user_id, effects, request, now })
  return null
}

const signOut = route('POST', '/api/token/logout/', {
  summary: 'Sign out of this session, or of all.',
  level: 'external_user',
  // Signing out is never refused.
  kind: null,
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

const revoke = route('POST', '/api/token/revoke/', {
  summary:
    'End the session of the refresh cookie and clear the cookies: for browsers whose tokens are refused.',
  level: 'public',
  async run({ db, now, effects, request, reply }) {
    const site = effects.settings
    refuseForeignOrigin(request, site, { required: true })
    const claims = await effects.tokens.readRefresh(refreshCookie(request, site) ?? '', now)
    if (claims && (await revokeFamily(db, claims.family, { because: 'signed_out', now }))) {
      const entry = { actor: claims.user_id, action: 'session.sign_out', address: request.ip }
      await writeAudit(db, entry, now)
    }
    // Without one there is nothing to remove, and another sign-in may be in progress.
    if (refreshCookie(request, site) !== undefined) clearSessionCookies(reply, site)
  },
})

const SESSIONS = '/api/sessions/'

const list = route('GET', SESSIONS, {
  summary: 'List your sessions.',
  // Which sessions are live is known by their tokens, which are not read otherwise.
  rows: 'every',
  level: 'external_user',
  query: SessionQuery,
  reply: SessionList,
  async run({ query, user, db, now, effects, request }) {
    const { session_days } = effects.settings
    const { count, rows } = await listSessions(db, user.id, { ...query, now, session_days })
    const results = rows.map(({ user_agent, ...row }) => ({
      ...row,
      ...browserOf(user_agent),
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      ends_at: row.ends_at.toISOString(),
      is_current: row.id === user.family,
    }))
    return pageOf(request.url, query, { count, results })
  },
})

const end = route('DELETE', `${SESSIONS}:id/`, {
  summary: 'End one of your sessions.',
  level: 'external_user',
  params: z.object({ id: z.uuid() }),
  async run({ params: { id }, user, db, now, effects, request, reply }) {
    if (!(await revokeFamily(db, id, { because: 'signed_out', now, user_id: user.id })))
      throw refuse('not_found')
    const entry = { actor: user.id, action: 'session.sign_out', object: 'session', object_id: id }
    await writeAudit(db, { ...entry, address: request.ip }, now)
    if (id === user.family) clearSessionCookies(reply, effects.settings)
  },
})

const setPassword = route('POST', '/api/set-password/', {
  summary: 'Set a password with a one-time link.',
  level: 'public',
  transaction: 'own',
  body: SetPassword,
  async run({ body, db, now, effects, request, reply }) {
    const token_hash = hashLinkToken(body.token)
    // Outside the transaction that marks the link used: hashing takes a while and needs no connection.
    const known = await inTransaction(db, trx => findLink(trx, token_hash, now))
    if (!known) throw refuse('invalid', { fields: { token: ['link_expired'] } })
    const why_not = await whyNotNewPassword(db, body.password, known)
    if (why_not) throw refuse('invalid', { fields: { password: [why_not] } })
    const password_hash = await asTheirTurn({ effects, request, reply }, () => hashPassword(body.password))
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
      await notifyOfSecurity(trx, 'password_changed', { user_id: user.id, effects, request, now })
    })
  },
})

export const sessionRoutes = (whyNotSecondFactor: CheckSecondFactor) => [
  signIn(whyNotSecondFactor),
  refresh,
  signOut,
  revoke,
  list,
  end,
  setPassword,
]

/**
 * The browser and the system by their product names, which are not translated; null for what the text does
 * not have.
 */
export function browserOf(user_agent: string | null): { browser: string | null; system: string | null } {
  // Its parser throws without a text.
  if (!user_agent) return { browser: null, system: null }
  const { browser, os } = parse(user_agent)
  return { browser: browser.name || null, system: os.name || null }
}
