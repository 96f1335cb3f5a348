import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import { createRunning } from '#sandbox/http/running.ts'
import { AdsError } from './errors.ts'

/** Searches of an access level, in any 24 hours: Explorer 2,880, Basic 15,000. */
const DAY = 86_400_000
const size = z.int().positive().nullable().default(null)
const Sizes = z.strictObject({
  /** Google's own numbers change with the load of its servers; nothing is counted until they are set. */
  customer_at_once: size,
  project_at_once: size,
  operations_per_day: size,
})
const Values = z.strictObject({ google_ads_quota: Sizes })
const OFF: z.infer<typeof Sizes> = Sizes.parse({})

/** The rate limits of a Cloud project and of its customers. */
export function createQuota() {
  let sizes = OFF
  let operations: number[] = []
  const running = createRunning()
  const limits: Limits = {
    names: ['google_ads_quota'],
    get: () => ({ google_ads_quota: sizes }),
    set: values => void (sizes = Values.parse(values).google_ads_quota),
  }
  const entered = (name: string, most: number | null) => {
    const leave = running.enter(name, most ?? Infinity)
    if (!leave)
      throw new AdsError(
        'quotaError',
        'RESOURCE_TEMPORARILY_EXHAUSTED',
        'Too many requests. Retry in a few seconds.',
      )
    return leave
  }
  return {
    limits,
    /** Admits a request, and returns a function that releases it. */
    enter(customer: string | null): () => void {
      const leave = entered('project', sizes.project_at_once)
      try {
        const leaveCustomer = customer === null ? () => {} : entered(customer, sizes.customer_at_once)
        return () => [leaveCustomer, leave].forEach(each => each())
      } catch (error) {
        leave()
        throw error
      }
    },
    /** Counts an operation; beyond the day's number says when the oldest one is a day old. */
    count(now: number) {
      if (sizes.operations_per_day === null) return
      operations = operations.filter(at => at > now - DAY)
      const [oldest = now] = operations
      if (operations.length >= sizes.operations_per_day)
        throw new AdsError(
          'quotaError',
          'RESOURCE_EXHAUSTED',
          'Too many requests. The daily number of operations is used up.',
          {
            retry_delay: `${Math.ceil((oldest + DAY - now) / 1000)}s`,
          },
        )
      operations.push(now)
    },
    reset() {
      sizes = OFF
      operations = []
    },
  }
}
