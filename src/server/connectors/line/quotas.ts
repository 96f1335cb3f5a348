import type { QuotaKey, QuotaState } from '#server/connectors/connector.ts'
import type { HttpResponse } from '#server/connectors/kit/http.ts'
import { keyFingerprint } from '#server/connectors/kit/secrets.ts'
import type { LineIo } from './schema.ts'

/**
 * A key may send two requests a second to each endpoint, or ten. All workers together stay below that over
 * all endpoints: at 1.6 a second and never a third one within a second, or at 8 and never an eleventh.
 */
export function quotaKeyOf({ login }: Pick<LineIo, 'login'>): QuotaKey {
  const id = keyFingerprint(login.access_key)
  return { platform: 'line', kind: 'credential', id, ...RATES[login.requests_per_second] }
}

const RATES = {
  2: { rate: { per_minute: 96, burst: 1 }, at_once: 3 },
  // Online reports take three seconds; thirty of them may run.
  10: { rate: { per_minute: 480, burst: 2 }, at_once: 12 },
} as const

const PAUSE_MS = 1000

/**
 * Online reports say how many of them run at once; which of the two headers says that it is one too many is
 * not documented.
 */
export function quotaStateOf({ status, headers }: HttpResponse): QuotaState {
  const [limit, used] = ['limit', 'used'].map(name => headers.get(`x-request-quota-${name}`))
  if (status === 429 || limit === EXCEEDED || used === EXCEEDED)
    return { used_percent: 100, pause_ms: PAUSE_MS, is_guess: true }
  const usedPercent = (100 * Number(used)) / Number(limit)
  return { used_percent: Number.isFinite(usedPercent) ? usedPercent : 0, pause_ms: 0 }
}

const EXCEEDED = 'EXCEED_LIMIT'
