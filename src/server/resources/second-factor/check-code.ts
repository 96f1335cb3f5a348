import { writeAudit } from '#server/resources/audit/queries.ts'
import type { Trx } from '#server/db/transaction.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import {
  countRecoveryCodes,
  countWrongCode,
  lockFactor,
  secondsToWait,
  useUpRecoveryCode,
  useUpStep,
} from './queries.ts'
import { asAppCode, hashRecoveryCode, stepOf } from './rules.ts'
import { openSecret } from './secrets.ts'
import type { CheckSecondFactor, CodeRefusal, CodeAttempt } from '#server/resources/session/sign-in.ts'

export const whyNotSecondFactor: CheckSecondFactor = async (trx, attempt) => {
  const { user_id, code, vault, now } = attempt
  const factor = await lockFactor(trx, user_id)
  if (!factor) return null
  if (code === undefined) return { code: 'second_factor_required' }
  const app_code = asAppCode(code)
  if (app_code === null) return await checkRecoveryCode(trx, { ...attempt, code })

  const retry_after_s = secondsToWait(factor, now)
  if (retry_after_s !== null) return { code: 'rate_limited', facts: { retry_after_s } }
  const secret = openSecret(vault, factor.secret, { kind: 'factor', user_id })
  if (secret === null) return { code: 'second_factor_unreadable' }
  const step = stepOf(secret, app_code, now)
  if (step !== null && (await useUpStep(trx, user_id, step))) return null
  const wrong_codes = await countWrongCode(trx, user_id, { before: factor, now })
  if (wrong_codes === WRONG_CODES_NOTICED)
    await insertNotices(trx, [{ user_id, kind: 'second_factor_wrong' }], now)
  return await refuseCode(trx, attempt)
}

/** Fewer are a person who types in a hurry. */
const WRONG_CODES_NOTICED = 5

async function checkRecoveryCode(
  trx: Trx,
  attempt: CodeAttempt & { code: string },
): Promise<CodeRefusal | null> {
  const { user_id, code, address, now } = attempt
  if (!(await useUpRecoveryCode(trx, user_id, { hash: hashRecoveryCode(code), now })))
    return await refuseCode(trx, attempt)
  const left = await countRecoveryCodes(trx, user_id)
  const detail = { recovery_codes_left: left }
  await writeAudit(trx, { actor: user_id, action: 'session.recovery_code_used', detail, address }, now)
  await insertNotices(trx, [{ user_id, kind: 'recovery_code_used', detail: { count: left } }], now)
  return null
}

/** The session does not exist yet, so nobody is the actor; but the owner of the password is known. */
async function refuseCode(trx: Trx, { user_id, address, now }: CodeAttempt): Promise<CodeRefusal> {
  const refused = { actor: null, action: 'session.second_factor_wrong', object: 'user', object_id: user_id }
  await writeAudit(trx, { ...refused, address }, now)
  return { code: 'second_factor_wrong' }
}
