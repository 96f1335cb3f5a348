import type { z } from 'zod'
import type { QuotaKey, QuotaState } from '#server/connectors/connector.ts'
import { boundedWait, type HttpResponse } from '#server/connectors/kit/http.ts'
import { keyFingerprint } from '#server/connectors/kit/secrets.ts'
import { AccountUsage, AppUsage, UseCaseUsage, type MetaIo } from './schema.ts'

/**
 * No number is documented, and no rate: headers say how much of an hour's calls is used. So many that one
 * account, when it is slowed down, holds few workers.
 */
const AT_ONCE = 4

/**
 * Meta counts calls per app and per account. Which app a token belongs to only its secret says; without one
 * they are taken for the same.
 */
export function quotaKeysOf(
  { account, use }: { account: string | null; use?: 'audiences' },
  { login: { app_secret } }: Pick<MetaIo, 'login'>,
): QuotaKey[] {
  const app: QuotaKey = {
    platform: 'meta',
    kind: 'app',
    id: app_secret === undefined ? 'app' : keyFingerprint(app_secret),
  }
  if (account === null) return [app]
  const id = use === undefined ? account : `${account}/${use}`
  return [app, { platform: 'meta', kind: 'account', id, at_once: AT_ONCE }]
}

/** How much of its quotas Meta says is used, and how long it says to wait. */
export interface Usage {
  app: { used_percent: number }
  account: { used_percent: number; wait_ms: number }
}

/**
 * Reads the usage headers, which come with refusals too. A header that is missing or unreadable says nothing.
 */
export function usageOf(headers: Headers, use?: 'audiences'): Usage {
  const insights = read(headers, 'x-fb-ads-insights-throttle', AccountUsage)
  const score = read(headers, 'x-ad-account-usage', AccountUsage)
  const app = read(headers, 'x-app-usage', AppUsage)
  // A quota of another use (catalogues; audiences and reports for each other) must not hold a call back.
  const counted = use === 'audiences' ? OF_AUDIENCES : OF_REPORTS
  const uses = Object.values(read(headers, 'x-business-use-case-usage', UseCaseUsage) ?? {})
    .flat()
    .filter(({ type }) => counted.has(type))
  const used = uses.flatMap(each => [each.call_count, each.total_cputime, each.total_time])
  const regainMinutes = Math.max(0, ...uses.map(each => each.estimated_time_to_regain_access))
  const resetSeconds = score && score.acc_id_util_pct >= FULL ? score.reset_time_duration : 0
  return {
    app: {
      used_percent: Math.max(
        insights?.app_id_util_pct ?? 0,
        app?.call_count ?? 0,
        app?.total_cputime ?? 0,
        app?.total_time ?? 0,
      ),
    },
    account: {
      used_percent: Math.max(insights?.acc_id_util_pct ?? 0, score?.acc_id_util_pct ?? 0, ...used),
      wait_ms: boundedWait(Math.max(regainMinutes * 60_000, resetSeconds * 1000)),
    },
  }
}

const OF_REPORTS: ReadonlySet<string> = new Set(['ads_insights', 'ads_management'])
const OF_AUDIENCES: ReadonlySet<string> = new Set(['custom_audience', 'ads_management'])

/** What the headers say of the quota of the app and of that of the account. */
export function quotaStates({ headers }: Pick<HttpResponse, 'headers'>, use?: 'audiences'): QuotaState[] {
  const { app, account } = usageOf(headers, use)
  return [
    { used_percent: app.used_percent, pause_ms: pauseFor(app.used_percent, 0) },
    { used_percent: account.used_percent, pause_ms: pauseFor(account.used_percent, account.wait_ms) },
  ]
}

/**
 * Three quarters used: one request a second. Nearly all used: no request until Meta's time has passed, or a
 * minute.
 */
function pauseFor(usedPercent: number, waitMs: number): number {
  if (waitMs > 0) return waitMs
  if (usedPercent >= FULL) return 60_000
  return usedPercent >= BUSY ? 1000 : 0
}

const BUSY = 75
const FULL = 95

function read<Schema extends z.ZodType>(headers: Headers, name: string, schema: Schema) {
  const text = headers.get(name)
  if (text === null) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
