import type { FastifyReply, FastifyRequest } from 'fastify'
import { IdPath } from '#shared/api/list.ts'
import {
  BeginSecondFactor,
  ConfirmSecondFactor,
  ProvenAgain,
  RecoveryCodes,
  SecondFactor,
  SecondFactorSecret,
} from '#shared/api/second-factor.ts'
import type { NoticeKind } from '#shared/notices.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse, type Refusal } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { findPasswordHash } from '#server/resources/people/queries.ts'
import { visiblePerson } from '#server/resources/people/visible.ts'
import { clearFailures, startAttempt } from '#server/resources/session/attempt-queries.ts'
import { holdSignIns } from '#server/resources/session/queries.ts'
import { isPassword } from '#server/resources/session/passwords.ts'
import { asTheirTurn, type CodeRefusal } from '#server/resources/session/sign-in.ts'
import { whyNotSecondFactor } from './check-code.ts'
import {
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  lockEnrolment,
  replaceFactor,
  replaceRecoveryCodes,
  revokeOthers,
  startEnrolment,
} from './queries.ts'
import { resetSecondFactor } from './reset.ts'
import { asAppCode, describeSecret, hashRecoveryCode, newRecoveryCodes, newSecret, stepOf } from './rules.ts'
import { openSecret, sealSecret } from './secrets.ts'

const PATH = '/api/second-factor/'

const read = route('GET', PATH, {
  summary: 'Get your second factor.',
  // Seeds and recovery codes are in tables that are not read otherwise.
  rows: 'every',
  level: 'external_user',
  before_second_factor: true,
  reply: SecondFactor,
  async run({ user, db, effects: { settings } }) {
    const factor = await findFactor(db, user.id)
    return {
      enabled: factor !== null,
      since: factor?.enabled_at.toISOString() ?? null,
      recovery_codes_left: await countRecoveryCodes(db, user.id),
      required: settings.second_factor_roles.includes(user.identity),
    }
  },
})

const begin = route('POST', PATH, {
  summary: 'Start to set up or replace your second factor. It takes effect once it is confirmed.',
  level: 'external_user',
  before_second_factor: true,
  transaction: 'own',
  body: BeginSecondFactor,
  reply: SecondFactorSecret,
  status: 201,
  async run({ body, user, db, now, effects, request, reply }) {
    const secret = newSecret()
    const expires_at = await afterProof({ db, user, ...body, effects, request, reply, now }, async trx => {
      const sealed = sealSecret(effects.vault, secret, { kind: 'enrolment', user_id: user.id })
      return await startEnrolment(trx, user.id, { secret: sealed, now })
    })
    return { ...describeSecret(secret, user.username), expires_at: expires_at.toISOString() }
  },
})

const confirm = route('POST', `${PATH}confirm/`, {
  summary:
    'Confirm your second factor with a first code. Returns the recovery codes, once, and ends your other sessions.',
  level: 'external_user',
  before_second_factor: true,
  body: ConfirmSecondFactor,
  reply: RecoveryCodes,
  async run({ body: { code }, user, db, now, effects: { vault }, request }) {
    const enrolment = await lockEnrolment(db, user.id, now)
    const secret = enrolment && openSecret(vault, enrolment.secret, { kind: 'enrolment', user_id: user.id })
    if (!secret) throw refuse('second_factor_not_begun')
    const last_step = stepOf(secret, asAppCode(code) ?? '', now)
    if (last_step === null) throw wrongCode('second_factor_wrong')
    const sealed = sealSecret(vault, secret, { kind: 'factor', user_id: user.id })
    // A sign-in without a code at this moment completes before this, and is ended below.
    await holdSignIns(db, user.id)
    await replaceFactor(db, user.id, { secret: sealed, last_step, now })
    const recovery_codes = await renewRecoveryCodes(db, user.id)
    await revokeOthers(db, { user_id: user.id, family: user.family, now })
    await record(db, { user, action: 'user.second_factor_on', notice: 'second_factor_on', request, now })
    return { recovery_codes }
  },
})

const renew = route('POST', `${PATH}recovery-codes/`, {
  summary: 'Create new recovery codes, returned once. The previous codes become invalid.',
  level: 'external_user',
  transaction: 'own',
  body: ProvenAgain,
  reply: RecoveryCodes,
  async run({ body, user, db, now, effects, request, reply }) {
    return await afterProof({ db, user, ...body, effects, request, reply, now }, async trx => {
      if (!(await findFactor(trx, user.id))) throw refuse('second_factor_off')
      await record(trx, {
        user,
        action: 'user.recovery_codes_new',
        notice: 'recovery_codes_new',
        request,
        now,
      })
      return { recovery_codes: await renewRecoveryCodes(trx, user.id) }
    })
  },
})

const turnOff = route('DELETE', PATH, {
  summary: 'Turn off your second factor, unless your role requires one. Ends your other sessions.',
  level: 'external_user',
  transaction: 'own',
  body: ProvenAgain,
  async run({ body, user, db, now, effects, request, reply }) {
    if (effects.settings.second_factor_roles.includes(user.identity)) throw refuse('second_factor_mandatory')
    await afterProof({ db, user, ...body, effects, request, reply, now }, async trx => {
      if (!(await deleteFactor(trx, user.id))) throw refuse('second_factor_off')
      await revokeOthers(trx, { user_id: user.id, family: user.family, now })
      await record(trx, { user, action: 'user.second_factor_off', notice: 'second_factor_off', request, now })
    })
  },
})

const reset = route('DELETE', '/api/user/:id/second-factor/', {
  summary: 'Reset the second factor of a user who has lost it. Ends all of their sessions.',
  level: 'superuser',
  params: IdPath,
  async run({ params: { id }, user, db, now, request }) {
    await visiblePerson(db, user, id)
    // Turning off one's own takes the password and a code: a session that was left open is not enough.
    if (id === user.id) throw refuse('forbidden')
    if (!(await resetSecondFactor(db, id, { actor: user.id, address: request.ip, now })))
      throw refuse('second_factor_off')
  },
})

interface Proof {
  db: Db
  user: SignedInUser
  password: string
  code?: string | undefined
  effects: Pick<Effects, 'vault' | 'hashing'>
  request: FastifyRequest
  reply: FastifyReply
  now: Date
}

/**
 * Does the work after the person has re-authenticated: with their password, and with a code where they have a
 * second factor. Wrong ones count as failed attempts to sign in.
 */
async function afterProof<Done>(
  { db, user, password, code, effects, request, reply, now }: Proof,
  work: (trx: Trx) => Promise<Done>,
): Promise<Done> {
  const { vault } = effects
  const address = request.ip
  const who = { username: user.username, address }
  const is_right = await asTheirTurn({ effects, request, reply }, async () => {
    const attempt = await inTransaction(db, trx => startAttempt(trx, { ...who, now }))
    if ('retry_after_s' in attempt) throw refuse('rate_limited', attempt)
    return await isPassword(password, await findPasswordHash(db, user.id))
  })
  if (!is_right) throw refuse('invalid', { fields: { password: ['password_wrong'] } })
  const outcome = await inTransaction(db, async trx => {
    const why_not = await whyNotSecondFactor(trx, { vault, user_id: user.id, code, address, now })
    if (why_not) return { why_not }
    await clearFailures(trx, who)
    return { done: await work(trx) }
  })
  if (outcome.why_not) throw asRefusal(outcome.why_not)
  return outcome.done
}

/** Never 401: that would mean that the session has ended. */
function asRefusal({ code, facts }: CodeRefusal): Refusal {
  if (code === 'rate_limited') return refuse(code, facts)
  return wrongCode(code === 'second_factor_required' ? 'field_required' : code)
}

const wrongCode = (problem: 'field_required' | 'second_factor_wrong' | 'second_factor_unreadable') =>
  refuse('invalid', { fields: { code: [problem] } })

async function renewRecoveryCodes(trx: Trx, user_id: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(trx, user_id, codes.map(hashRecoveryCode))
  return codes
}

async function record(
  trx: Trx,
  {
    user,
    action,
    notice,
    request,
    now,
  }: { user: SignedInUser; action: string; notice: NoticeKind; request: { ip: string }; now: Date },
) {
  await writeAudit(trx, { actor: user.id, action, address: request.ip }, now)
  await insertNotices(trx, [{ user_id: user.id, kind: notice }], now)
}

export const secondFactorRoutes = [read, begin, confirm, renew, turnOff, reset]
