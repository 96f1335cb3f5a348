// A report keeps the name that was chosen, a zone or a link of the tz database. What differs between engines
// is the names they know, so nothing is compared or computed by name alone.

/**
 * Zones that engines of the last years may know only by another name, or only as part of another zone with
 * the same clocks: Europe/Kyiv is from 2022, America/Coyhaique from 2025. Older pairs, such as Asia/Kolkata
 * and Asia/Calcutta, every engine takes by either name.
 */
const otherNames: readonly (readonly [name: string, other: string])[] = [
  ['Europe/Kyiv', 'Europe/Kiev'],
  ['America/Nuuk', 'America/Godthab'],
  ['Pacific/Kanton', 'Pacific/Enderbury'],
  ['America/Ciudad_Juarez', 'America/Denver'],
  ['America/Coyhaique', 'America/Punta_Arenas'],
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

/** An instant on the clocks of a zone; of UTC where this engine does not know it. */
export const inZone = (instant: Temporal.Instant, timezone: string): Temporal.ZonedDateTime =>
  instant.toZonedDateTimeISO(engineZone(timezone) ?? 'UTC')
