import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import { tooFast, type Window } from './errors.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const LOCK = 5 * MINUTE

/** Requests a second, a minute and a day (UTC) that an app may make. */
const TIERS = {
  basic: { second: 10, minute: 600, day: 864_000 },
  advanced: { second: 20, minute: 1200, day: 1_728_000 },
  premium: { second: 30, minute: 1800, day: 2_592_000 },
  ultimate: { second: 50, minute: 3000, day: 4_320_000 },
} as const
/** Report tasks that may be created, whatever the tier. */
const TASKS = { second: 2, minute: 60, day: 4500 } as const

const Tier = z.enum(['basic', 'advanced', 'premium', 'ultimate', 'unlimited'])

/** How long an audience takes to be filled; in reality a day or two. */
const FILL_S = 60
const Values = z.strictObject({
  tiktok_tier: Tier.optional(),
  tiktok_fill_s: z.int().nonnegative().max(1_000_000).optional(),
})

/**
 * The rate limits of TikTok, and how fast it fills audiences. Nothing is counted until a tier is set: tests
 * stop the clock.
 */
export interface Quota {
  limits: Limits
  fill_ms(): number
  /** Counts a request; refuses it above the limits, and while the app is locked. */
  count(now: number, isTask: boolean): void
  /** The consequence of being refused by this window. */
  lock(window: Window, now: number): void
  reset(): void
}

export function createQuota(): Quota {
  let tier: z.infer<typeof Tier> = 'unlimited'
  let fillSeconds = FILL_S
  let locked: { window: Window; until: number } | null = null
  let used: Record<string, number> = {}

  const countIn = (name: string, now: number, most: (typeof TIERS)[keyof typeof TIERS] | typeof TASKS) => {
    for (const [window, length] of [
      ['day', DAY],
      ['minute', MINUTE],
      ['second', 1000],
    ] as const) {
      const key = `${name} ${window} ${Math.floor(now / length)}`
      used[key] = (used[key] ?? 0) + 1
      if (used[key] <= most[window]) continue
      lock(window, now)
      throw tooFast(window)
    }
  }
  const lock = (window: Window, now: number) => {
    if (window === 'minute') locked = { window, until: now + LOCK }
    if (window === 'day') locked = { window, until: (Math.floor(now / DAY) + 1) * DAY }
  }

  return {
    limits: {
      names: ['tiktok_tier', 'tiktok_fill_s'],
      get: () => ({ tiktok_tier: tier, tiktok_fill_s: fillSeconds }),
      set(limits) {
        const values = Values.parse(limits)
        tier = values.tiktok_tier ?? tier
        fillSeconds = values.tiktok_fill_s ?? fillSeconds
      },
    },
    fill_ms: () => fillSeconds * 1000,
    count(now, isTask) {
      if (locked && now < locked.until) throw tooFast(locked.window)
      locked = null
      if (tier === 'unlimited') return
      countIn('app', now, TIERS[tier])
      if (isTask) countIn('tasks', now, TASKS)
    },
    lock,
    reset() {
      tier = 'unlimited'
      fillSeconds = FILL_S
      locked = null
      used = {}
    },
  }
}
