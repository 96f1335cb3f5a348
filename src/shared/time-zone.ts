// A report keeps the name that was chosen, a zone or a link of the tz database. What differs between engines
// is the names they know, so nothing is compared or computed by name alone.

/**
 * Zones that engines of the last years may know only by another name, or only as part of another zone with
 * the same clocks: Europe/Kyiv is from 2022, America/Coyhaique from 2025.
 */
const otherNames: readonly (readonly [name: string, other: string])[] = [
  ['Europe/Kyiv', 'Europe/Kiev'],
  ['America/Nuuk', 'America/Godthab'],
  ['Pacific/Kanton', 'Pacific/Enderbury'],
  ['America/Ciudad_Juarez', 'America/Denver'],
  ['America/Coyhaique', 'America/Punta_Arenas'],
  ['Asia/Kolkata', 'Asia/Calcutta'],
  ['Asia/Ho_Chi_Minh', 'Asia/Saigon'],
  ['Asia/Kathmandu', 'Asia/Katmandu'],
  ['Asia/Yangon', 'Asia/Rangoon'],
  ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
]

/** Where an engine can be asked; another one in tests. */
type Knows = (name: string) => boolean

const knows: Knows = name => {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name
  } catch {
    return false
  }
}

/** The name by which this engine computes in a zone; null: it knows none. */
export function engineZone(name: string, engineKnows: Knows = knows): string | null {
  const links = otherNames.flatMap(pair => (pair[0] === name ? pair[1] : pair[1] === name ? pair[0] : []))
  return [name, ...links].find(engineKnows) ?? null
}

/** A name of the IANA list; offsets such as +08:00 have no clock changes and are refused. */
export const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && engineZone(name) !== null

/** An instant on the clocks of a zone; of UTC where this engine does not know it. */
export const inZone = (instant: Temporal.Instant, timezone: string): Temporal.ZonedDateTime =>
  instant.toZonedDateTimeISO(engineZone(timezone) ?? 'UTC')

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
