import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'

// LY limits the rate of requests without saying how: the number is whatever a test sets.

const Values = z.strictObject({ ly_requests_per_minute: z.int().positive().nullable() })
const MINUTE = 60_000

export function createQuota() {
  let most: number | null = null
  let requests = new Map<string, number[]>()
  const limits: Limits = {
    names: ['ly_requests_per_minute'],
    get: () => ({ ly_requests_per_minute: most }),
    set: values => void (most = Values.parse(values).ly_requests_per_minute),
  }
  return {
    limits,
    /** Counts a request about an account; returns whether it is one too many. */
    isTooMany(account: string | null, now: number): boolean {
      if (most === null || account === null) return false
      const recent = (requests.get(account) ?? []).filter(at => at > now - MINUTE)
      requests.set(account, [...recent, now])
      return recent.length >= most
    },
    reset() {
      most = null
      requests = new Map()
    },
  }
}
