import type { Clock } from '#sandbox/clock.ts'
import { localTime } from '#sandbox/dataset/calendar.ts'
import type { Property } from '#sandbox/dataset/ga4.ts'
import { createRunning } from '#sandbox/http/running.ts'
import { exhausted } from './errors.ts'

// What a property has left. Days begin at midnight Pacific, hours at the full hour.

const HOUR = 3_600_000
const STANDARD = {
  tokensPerDay: 200_000,
  tokensPerHour: 40_000,
  tokensPerProjectPerHour: 14_000,
  concurrentRequests: 10,
  serverErrorsPerProjectPerHour: 10,
  potentiallyThresholdedRequestsPerHour: 120,
}
export type QuotaName = keyof typeof STANDARD

export interface Quota {
  /** Refuses when anything is used up. */
  check(property: Property): void
  spend(property: Property, spent: { tokens: number; thresholded?: boolean }): Record<QuotaName, object>
  serverError(propertyId: string): void
  /**
   * Admits a request, and returns a function that releases it; null when too many about the property are
   * under way.
   */
  enter(propertyId: string): (() => void) | null
  /** Smaller sizes than Google's, for tests that exhaust them. */
  sizes: Partial<Record<QuotaName, number>>
  reset(): void
}

interface Used {
  day: number
  hour: number
  tokens_of_day: number
  tokens_of_hour: number
  errors: number
  thresholded: number
}

export function createQuota(clock: Clock): Quota {
  const used = new Map<string, Used>()
  const running = createRunning()
  const usedBy = (propertyId: string): Used => {
    const now = clock.now()
    const { today: day } = localTime(now, 'America/Los_Angeles')
    const hour = Math.floor(now / HOUR)
    const before = used.get(propertyId)
    const fresh = { day, hour, tokens_of_day: 0, tokens_of_hour: 0, errors: 0, thresholded: 0 }
    const current =
      before?.day === day && before.hour === hour
        ? before
        : { ...fresh, tokens_of_day: before?.day === day ? before.tokens_of_day : 0 }
    used.set(propertyId, current)
    return current
  }

  return {
    sizes: {},
    check(property) {
      const left = this.spend(property, { tokens: 0 }) as Record<QuotaName, { remaining: number }>
      if (left.serverErrorsPerProjectPerHour.remaining <= 0) throw exhausted('server_errors')
      if (left.tokensPerDay.remaining <= 0) throw exhausted('day')
      if (left.tokensPerHour.remaining <= 0) throw exhausted('hour')
      if (left.tokensPerProjectPerHour.remaining <= 0) throw exhausted('project_hour')
      if (left.potentiallyThresholdedRequestsPerHour.remaining <= 0) throw exhausted('thresholded')
    },
    spend(property, { tokens, thresholded = false }) {
      const now = usedBy(property.property_id)
      now.tokens_of_day += tokens
      now.tokens_of_hour += tokens
      if (thresholded) now.thresholded++
      const status = (name: QuotaName, gone: number, consumed = 0) => {
        const tenfold =
          property.is_360 && (name.startsWith('tokens') ? 10 : name.startsWith('potentially') ? 1 : 5)
        const size = this.sizes[name] ?? STANDARD[name] * (tenfold || 1)
        return { ...(consumed > 0 && { consumed }), remaining: Math.max(0, size - gone) }
      }
      return {
        tokensPerDay: status('tokensPerDay', now.tokens_of_day, tokens),
        tokensPerHour: status('tokensPerHour', now.tokens_of_hour, tokens),
        // The request that reports it is over by then.
        concurrentRequests: status(
          'concurrentRequests',
          Math.max(0, running.count(property.property_id) - 1),
        ),
        serverErrorsPerProjectPerHour: status('serverErrorsPerProjectPerHour', now.errors),
        potentiallyThresholdedRequestsPerHour: status(
          'potentiallyThresholdedRequestsPerHour',
          now.thresholded,
          thresholded ? 1 : 0,
        ),
        tokensPerProjectPerHour: status('tokensPerProjectPerHour', now.tokens_of_hour, tokens),
      }
    },
    enter(propertyId) {
      return running.enter(propertyId, this.sizes.concurrentRequests ?? STANDARD.concurrentRequests)
    },
    serverError(propertyId) {
      usedBy(propertyId).errors++
    },
    reset() {
      used.clear()
      this.sizes = {}
    },
  }
}
