import { advertiserScope, isAtLeast, isInternal, type Person } from '#shared/access.ts'

/** Once a day, before the morning's work. */
const REFRESHED_AT = '06:00'

/** An account that its business no longer lists stays for so long. */
export const GONE_DAYS = 30

/** Somebody may ask for a refresh once in so long. */
export const REFRESH_EVERY_MS = 10 * 60_000

/** Who may relate the accounts of a business that they have: directors, and managers whom it was granted. */
export const canRelate = (person: Person, hasGrant: boolean): boolean =>
  isAtLeast(person.identity, 'director') || (isAtLeast(person.identity, 'manager') && hasGrant)

export const canGrant = (person: Person): boolean => advertiserScope[person.identity] === 'all'

/** Clients see neither how an account is paid nor who works with it. */
export const seesPayment = (person: Person): boolean => isInternal(person)

/** The last time at which every business was due, in the organisation's zone. */
export function lastDue(timeZone: string, now: Date): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  const today = local.toPlainDate().toZonedDateTime({ timeZone, plainTime: REFRESHED_AT })
  const due =
    Temporal.ZonedDateTime.compare(today, local) <= 0
      ? today
      : local.toPlainDate().subtract({ days: 1 }).toZonedDateTime({ timeZone, plainTime: REFRESHED_AT })
  return new Date(due.epochMilliseconds)
}
