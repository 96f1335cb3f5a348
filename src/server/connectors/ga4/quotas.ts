import type { QuotaKey, QuotaState } from '#server/connectors/connector.ts'
import { projectOf } from '#server/connectors/kit/google-token.ts'
import { HALF_HOUR } from './failures.ts'
import type { Ga4Io, PropertyQuota } from './schema.ts'

/**
 * Every quota of a property counts for all of our customers together. Documented: 10 requests under way (50
 * of a 360 property) of all clients together, of which two are ours; no rate, but tokens, of which each
 * response says how many are left.
 */
export const dataQuotaKey = (id: string): QuotaKey => ({
  platform: 'ga4',
  kind: 'account',
  id,
  at_once: 2,
})

/** Documented for the Admin API: 1,200 requests a minute of a project, 600 of one person. */
export const adminQuotaKey = ({ login }: Ga4Io): QuotaKey => ({
  platform: 'ga4',
  kind: 'app',
  id: projectOf(login),
  rate: { per_minute: 500, burst: 50 },
  at_once: 4,
})

/**
 * Sizes of an ordinary property; one of Analytics 360 has five or ten times as much, and is slowed down a
 * little early.
 */
const SIZES: Record<keyof PropertyQuota, number> = {
  tokensPerDay: 200_000,
  tokensPerHour: 40_000,
  tokensPerProjectPerHour: 14_000,
  serverErrorsPerProjectPerHour: 10,
  potentiallyThresholdedRequestsPerHour: 120,
}
const HOURLY = [
  'tokensPerHour',
  'tokensPerProjectPerHour',
  'serverErrorsPerProjectPerHour',
  'potentiallyThresholdedRequestsPerHour',
] as const
const NEARLY_ALL_PERCENT = 95

/** An empty quota fails everything at the property: before it is, the property rests. */
export function quotaStateOf(quota: PropertyQuota = {}): QuotaState {
  const usedOf = (name: keyof PropertyQuota) =>
    Math.max(0, 100 - (100 * (quota[name]?.remaining ?? SIZES[name])) / SIZES[name])
  const daily = usedOf('tokensPerDay')
  const hourly = Math.max(...HOURLY.map(usedOf))
  return {
    used_percent: Math.max(hourly, daily),
    pause_ms: hourly > NEARLY_ALL_PERCENT ? HALF_HOUR : 0,
  }
}
