import type { QuotaKey, QuotaState } from '#server/connectors/connector.ts'
import type { HttpResponse } from '#server/connectors/kit/http.ts'
import { keyFingerprint } from '#server/connectors/kit/secrets.ts'
import type { LineIo } from './schema.ts'

/**
 * Documented: two requests a second, or ten, of a key to each endpoint, and thirty online reports at once. A
 * quarter of a second more keeps what is delayed on its way from arriving together with what comes after it.
 */
export function quotaKeyOf({ method = 'GET', path }: Endpoint, { login }: Pick<LineIo, 'login'>): QuotaKey {
  return {
    platform: 'line',
    kind: 'credential',
    id: keyFingerprint(login.access_key),
    endpoint: `${method} ${path.replaceAll(ID, '*')}`,
    rate: { most: Number(login.requests_per_second), window_ms: 1250 },
    at_once: AT_ONCE[login.requests_per_second],
  }
}

interface Endpoint {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
}

/** LINE's ids hold digits, and the names in its paths none. */
const ID = /[^/]*\d[^/]*/g

/** Over all endpoints: so many that each soon gets a permit. */
const AT_ONCE = { 2: 6, 10: 12 } as const

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
