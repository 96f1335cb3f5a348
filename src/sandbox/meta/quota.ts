import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import { type GraphError, rateLimit } from './errors.ts'

// How much of its quotas an account and the app have used, as the headers of every response say.

const MINUTE = 60_000
const HOUR = 3_600_000
const SCORE_WINDOW = 300_000
/** Calls an hour with no active ad or audience, by use, and points of an account in five minutes. */
const TIERS = {
  standard: {
    calls: { ads_insights: 190_400, custom_audience: 190_000 },
    score: 9000,
    access: 'standard_access',
  },
  development: {
    calls: { ads_insights: 600, custom_audience: 5000 },
    score: 60,
    access: 'development_access',
  },
} as const
/** What a call is counted as, and the code of the refusal when there were too many. */
const BUCKETS = { ads_insights: 80_000, custom_audience: 80_003 } as const
type Bucket = keyof typeof BUCKETS
const Values = z.strictObject({ meta_tier: z.enum(['standard', 'development', 'unlimited']) })

export interface Quota {
  /** Nothing is refused until a tier is set. */
  limits: Limits
  /** Why the account is over its limit for now; null when it is not. */
  refusal(request: { account: string | null; now: number; bucket: Bucket }): GraphError | null
  /** Counts a request; a read costs one point, a write three. */
  count(request: { account: string | null; method: string; now: number; bucket: Bucket }): void
  /** The headers of a response about that account; `percent` replaces every share when given. */
  headers(request: {
    account: string | null
    now: number
    bucket: Bucket
    percent: number | null
  }): Record<string, string>
  reset(): void
}

export function createQuota(): Quota {
  let tier: z.infer<typeof Values>['meta_tier'] = 'unlimited'
  const sizes = () => TIERS[tier === 'unlimited' ? 'standard' : tier]
  let minutes = new Map<string, Map<number, Counted>>()
  const since = (account: string | null, now: number, window: number) => {
    const sum = { ...NOTHING }
    for (const [minute, counted] of minutes.get(account ?? 'app') ?? []) {
      if (Math.abs(now - minute * MINUTE) > window) continue
      for (const name of ['ads_insights', 'custom_audience', 'points'] as const) sum[name] += counted[name]
    }
    return sum
  }

  return {
    limits: {
      names: ['meta_tier'],
      get: () => ({ meta_tier: tier }),
      set: values => void (tier = Values.parse(values).meta_tier),
    },
    refusal({ account, now, bucket }) {
      if (tier === 'unlimited' || account === null) return null
      if (since(account, now, HOUR)[bucket] > sizes().calls[bucket])
        return rateLimit(BUCKETS[bucket], 2_446_079)
      return since(account, now, SCORE_WINDOW).points > sizes().score ? rateLimit(17, 2_446_079) : null
    },
    count({ account, method, now, bucket }) {
      const name = account ?? 'app'
      const recent = new Map([...(minutes.get(name) ?? [])].slice(-60))
      const minute = Math.floor(now / MINUTE)
      const counted = recent.get(minute) ?? NOTHING
      const points = counted.points + (method === 'GET' ? 1 : 3)
      minutes.set(name, recent.set(minute, { ...counted, [bucket]: counted[bucket] + 1, points }))
    },
    headers({ account, now, bucket, percent }) {
      const calls = since(account, now, HOUR)
      const { points } = since(account, now, SCORE_WINDOW)
      const share = percent ?? round((calls[bucket] / sizes().calls[bucket]) * 100)
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
            [account]: [{ type: bucket, ...times, estimated_time_to_regain_access: waiting, ...level }],
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

interface Counted extends Record<Bucket, number> {
  points: number
}
const NOTHING: Counted = { ads_insights: 0, custom_audience: 0, points: 0 }

/** Calls about audiences have a quota of their own. */
export const bucketOf = (pathname: string): Bucket =>
  /\/(customaudiences|usersofanyaudience|adspixels)$|^\/v[\d.]+\/23850\d+(\/|$)/.test(pathname)
    ? 'custom_audience'
    : 'ads_insights'

const round = (share: number) => Math.min(100, Math.round(share * 100) / 100)
