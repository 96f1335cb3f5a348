import type { QuotaKey } from '#server/connectors/connector.ts'
import type { Verdict } from '#server/connectors/kit/failures.ts'
import { windowOf } from './failures.ts'
import type { TikTokIo } from './schema.ts'

const MINUTE_LOCK_MS = 5 * 60_000 + 5000
const PATH_LOCK_MS = 60_000
const DAY_MS = 86_400_000

/**
 * When to come back after a limit has outlasted our waits. TikTok states no time: a minute's limit locks for
 * five, a day's until 00:00 UTC.
 */
export function lockOf(
  pauses: QuotaVerdict['pauses'],
  message: string,
  { now }: Pick<TikTokIo, 'now'>,
): number {
  if (pauses === 'account') return PATH_LOCK_MS
  return windowOf(message) === 'day' ? DAY_MS - (now().getTime() % DAY_MS) : MINUTE_LOCK_MS
}

type QuotaVerdict = Extract<Verdict, { kind: 'quota' }>

/** Waits for limits of a second, one after another; what outlasts them is another limit. */
export const waitsOf = (pauses: QuotaVerdict['pauses']) =>
  pauses === 'account' ? [1500, 3000] : [2000, 10_000]

const NEW_TASK = 'report/task/create/'

/**
 * Documented for the lowest tier of an app: 10 requests a second and 600 a minute. A quarter of a second more
 * keeps what is delayed on its way from arriving together with what comes after it; that is 490 a minute.
 */
const APP_RATE = { most: 10, window_ms: 1250 }
/** Documented for each tier: 2 tasks a second and 60 a minute. */
const TASK_RATE = { per_minute: 55, burst: 2 }
/** Nothing is documented. */
const OF_ACCOUNT_AT_ONCE = 4

export function quotaKeysOf(
  { path, account }: { path: string; account: string | null },
  { login }: Pick<TikTokIo, 'login'>,
): QuotaKey[] {
  const app: QuotaKey = { platform: 'tiktok', kind: 'app', id: login.app_id, rate: APP_RATE, at_once: 8 }
  return [
    app,
    ...(path === NEW_TASK ? [{ ...app, id: `${login.app_id} tasks`, rate: TASK_RATE, at_once: 2 }] : []),
    ...(account === null
      ? []
      : [{ platform: 'tiktok', kind: 'account' as const, id: account, at_once: OF_ACCOUNT_AT_ONCE }]),
  ]
}
