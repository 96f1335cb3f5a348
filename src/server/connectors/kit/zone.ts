import { z } from 'zod'

/** Whether days can be told in it. */
export function isZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** The name of a time zone; without one that is known, nobody could say where an account's days end. */
export const Zone = z.string().refine(isZone, 'is no time zone')
