import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'

// LY limits how often it may be asked, and does not say how often: the number is whoever's who sets it.

const Wanted = z.strictObject({ ly_requests_per_minute: z.int().positive().nullable() })
const MINUTE = 60_000

export function createPace() {
  let most: number | null = null
  let asked = new Map<string, number[]>()
  const limits: Limits = {
    names: ['ly_requests_per_minute'],
    get: () => ({ ly_requests_per_minute: most }),
    set: wanted => void (most = Wanted.parse(wanted).ly_requests_per_minute),
  }
  return {
    limits,
    /** Counts a request about an account; whether it is one too many. */
    isTooMany(account: string | null, now: number): boolean {
      if (most === null || account === null) return false
      const recent = (asked.get(account) ?? []).filter(at => at > now - MINUTE)
      asked.set(account, [...recent, now])
      return recent.length >= most
    },
    reset() {
      most = null
      asked = new Map()
    },
  }
}
