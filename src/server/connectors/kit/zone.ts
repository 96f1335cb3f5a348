import { z } from 'zod'

/** Whether it is a time zone that days can be computed in. */
export function isZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** The name of a time zone; without a known one it is open where an account's days end. */
export const Zone = z.string().refine(isZone, 'is no time zone')
