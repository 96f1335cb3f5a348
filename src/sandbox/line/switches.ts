import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import type { Caller } from './access.ts'

/**
 * Details that LINE's documentation leaves open, and its rate limits: off until somebody switches them on.
 * `line_fill_s`: how long an upload to an audience takes.
 */
export interface Switches {
  limits: Limits
  /** Reports of more than a month are refused. */
  one_month(): boolean
  /** Refusals are in an array, without an object around it. */
  bare_errors(): boolean
  fill_ms(): number
  /** Counts a request of a key to an endpoint; false above the rate of its role. */
  mayAsk(caller: Caller, endpoint: string, now: number): boolean
  reset(): void
}

/** Requests a second, for each key and endpoint. */
const PACE = { reporting: 2, data_provider: 10, ad_tech: 10 } as const

const Values = z.strictObject({
  line_pace: z.boolean().optional(),
  line_one_month: z.boolean().optional(),
  line_bare_errors: z.boolean().optional(),
  line_fill_s: z.int().nonnegative().max(1_000_000).optional(),
})
const OFF = { line_pace: false, line_one_month: false, line_bare_errors: false, line_fill_s: 60 }

export function createSwitches(): Switches {
  let on = OFF
  let second = 0
  let used: Record<string, number> = {}
  return {
    limits: {
      names: Object.keys(OFF),
      get: () => on,
      set(limits) {
        const values = Values.parse(limits)
        on = {
          line_pace: values.line_pace ?? on.line_pace,
          line_one_month: values.line_one_month ?? on.line_one_month,
          line_bare_errors: values.line_bare_errors ?? on.line_bare_errors,
          line_fill_s: values.line_fill_s ?? on.line_fill_s,
        }
      },
    },
    one_month: () => on.line_one_month,
    bare_errors: () => on.line_bare_errors,
    fill_ms: () => on.line_fill_s * 1000,
    mayAsk({ key, role }, endpoint, now) {
      if (!on.line_pace) return true
      if (Math.floor(now / 1000) !== second) used = {}
      second = Math.floor(now / 1000)
      const name = `${key} ${endpoint}`
      used[name] = (used[name] ?? 0) + 1
      return used[name] <= PACE[role]
    },
    reset() {
      on = OFF
      used = {}
    },
  }
}
