import type { NoticeDetail } from '#shared/api/notifications.ts'
import type { Trx } from '#server/db/transaction.ts'
import { errorFacts, isErrorCode } from '#shared/errors.ts'
import type { NoticeKind } from '#shared/notices.ts'
import { findSuperusers, insertNotices } from '#server/resources/notifications/queries.ts'
import { keepersOf } from './connection-queries.ts'
import { setFailingSince, claimExpiring, updateTest } from './queries.ts'

/**
 * Stores the result of a test, and notifies superusers and the login's keepers when it stops working and when
 * it works again, each once.
 */
export async function saveTest(
  trx: Trx,
  account: { id: number; sealed: Uint8Array },
  test: { test_result: string; tested_at: Date },
): Promise<void> {
  const login = await updateTest(trx, account, test)
  if (!login) return
  const { test_result, tested_at } = test
  const facts = { login: login.name, platform: login.platform }
  if (test_result === 'ok' && login.failing_since !== null) {
    await setFailingSince(trx, login.id, null)
    await notify(trx, login.id, { kind: 'login_recovered', code: null, detail: facts, at: tested_at })
  } else if (isLasting(test_result) && login.failing_since === null) {
    await setFailingSince(trx, login.id, tested_at)
    await notify(trx, login.id, { kind: 'login_failed', code: test_result, detail: facts, at: tested_at })
  }
}

/** A platform that is away or busy says nothing about the login. */
const isLasting = (result: string) => isErrorCode(result) && !errorFacts(result).retried

const NOTIFY_BEFORE_MS = 7 * 24 * 3600_000

/** Notifies superusers and keepers of the logins that expire within a week, each once. */
export async function notifyOfExpiry(trx: Trx, now: Date): Promise<void> {
  const expiring = await claimExpiring(trx, { now, before: new Date(now.getTime() + NOTIFY_BEFORE_MS) })
  for (const { id, name, platform, expires_at } of expiring) {
    const expires_on = expires_at?.toISOString().slice(0, 10) ?? ''
    const detail = { login: name, platform, expires_on }
    await notify(trx, id, { kind: 'login_expires', code: null, detail, at: now })
  }
}

async function notify(
  trx: Trx,
  id: number,
  { at, ...notice }: { kind: NoticeKind; code: string | null; detail: NoticeDetail; at: Date },
) {
  const people = new Set([...(await findSuperusers(trx)), ...(await keepersOf(trx, id))])
  await insertNotices(
    trx,
    [...people].map(user_id => ({ ...notice, user_id })),
    at,
  )
}
