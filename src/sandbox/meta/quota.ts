import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import { type GraphError, rateLimit } from './errors.ts'

// How much of its quotas an account and the app have used, as the headers of every response say.

const MINUTE = 60_000
const HOUR = 3_600_000
const SCORE_WINDOW = 300_000
/** Calls an hour with no active ad, and points of an account in five minutes. */
const TIERS = {
  standard: { calls: 190_400, score: 9000, access: 'standard_access' },
  development: { calls: 600, score: 60, access: 'development_access' },
} as const
const Values = z.strictObject({ meta_tier: z.enum(['standard', 'development', 'unlimited']) })

export interface Quota {
  /** Nothing is refused until a tier is set. */
  limits: Limits
  /** Why the account is over its limit for now; null when it is not. */
  refusal(request: { account: string | null; now: number }): GraphError | null
  /** Counts a request; a read costs one point, a write three. */
  count(request: { account: string | null; method: string; now: number }): void
  /** The headers of a response about that account; `percent` replaces every share when given. */
  headers(request: { account: string | null; now: number; percent: number | null }): Record<string, string>
  reset(): void
}

export function createQuota(): Quota {
  let tier: z.infer<typeof Values>['meta_tier'] = 'unlimited'
  const sizes = () => TIERS[tier === 'unlimited' ? 'standard' : tier]
  let minutes = new Map<string, Map<number, { calls: number; points: number }>>()
  const since = (account: string | null, now: number, window: number) => {
    const sum = { calls: 0, points: 0 }
    for (const [minute, { calls, points }] of minutes.get(account ?? 'app') ?? []) {
      if (Math.abs(now - minute * MINUTE) > window) continue
      sum.calls += calls
      sum.points += points
    }
    return sum
  }

  return {
    limits: {
      names: ['meta_tier'],
      get: () => ({ meta_tier: tier }),
      set: values => void (tier = Values.parse(values).meta_tier),
    },
    refusal({ account, now }) {
      if (tier === 'unlimited' || account === null) return null
      if (since(account, now, HOUR).calls > sizes().calls) return rateLimit(80_000, 2_446_079)
      return since(account, now, SCORE_WINDOW).points > sizes().score ? rateLimit(17, 2_446_079) : null
    },
    count({ account, method, now }) {
      const name = account ?? 'app'
      const recent = new Map([...(minutes.get(name) ?? [])].slice(-60))
      const minute = Math.floor(now / MINUTE)
      const { calls, points } = recent.get(minute) ?? { calls: 0, points: 0 }
      minutes.set(name, recent.set(minute, { calls: calls + 1, points: points + (method === 'GET' ? 1 : 3) }))
    },
    headers({ account, now, percent }) {
      const { calls } = since(account, now, HOUR)
      const { points } = since(account, now, SCORE_WINDOW)
      const share = percent ?? round((calls / sizes().calls) * 100)
      const app = percent ?? round(share / 2)
      const level = { ads_api_access_tier: sizes().access }
      const times = {
        call_count: Math.ceil(share),
        total_cputime: Math.ceil(share),
        total_time: Math.ceil(share),
      }
      const waiting = share >= 100 ? 5 : 0
      return {
        'x-app-usage': JSON.stringify({
          call_count: Math.ceil(app),
          total_cputime: Math.ceil(app),
          total_time: Math.ceil(app),
        }),
        'x-fb-ads-insights-throttle': JSON.stringify({
          app_id_util_pct: app,
          acc_id_util_pct: share,
          ...level,
        }),
        ...(account !== null && {
          'x-business-use-case-usage': JSON.stringify({
            [account]: [
              { type: 'ads_insights', ...times, estimated_time_to_regain_access: waiting, ...level },
            ],
          }),
          'x-ad-account-usage': JSON.stringify({
            acc_id_util_pct: percent ?? round((points / sizes().score) * 100),
            reset_time_duration: 240,
            ...level,
          }),
          'x-fb-ads-insights-reach-throttle': JSON.stringify({
            app_id_util_pct: 0,
            acc_id_util_pct: percent ?? 0,
          }),
        }),
      }
    },
    reset() {
      tier = 'unlimited'
      minutes = new Map()
    },
  }
}

const round = (share: number) => Math.min(100, Math.round(share * 100) / 100)
