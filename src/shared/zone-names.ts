import { engineZone } from './time-zone.ts'

// Apart from time-zone.ts, which the first page loads.

/** A name of the IANA list; offsets such as +08:00 have no clock changes and are refused. */
export const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && engineZone(name) !== null

/** Whether two names mean one zone: Asia/Calcutta and Asia/Kolkata, GMT and UTC. */
export function isSameZone(a: string, b: string): boolean {
  if (a === b) return true
  const [one, other] = [engineZone(a), engineZone(b)]
  if (one === null || other === null) return false
  const epoch = Temporal.Instant.fromEpochMilliseconds(0)
  return epoch.toZonedDateTimeISO(one).equals(epoch.toZonedDateTimeISO(other))
}

/** Asia/Taipei → Taipei, Etc/GMT-8 → UTC+8: the sign of those names is the other way round. */
export function cityOf(timezone: string): string {
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(timezone) ?? []
  if (hours !== undefined) return hours === '0' ? 'UTC' : `UTC${sign === '-' ? '+' : '-'}${hours}`
  return timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}
