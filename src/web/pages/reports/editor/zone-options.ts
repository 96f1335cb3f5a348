import type { Language } from '#shared/language.ts'
import { engineZone, inZone } from '#shared/time-zone.ts'
import { cityOf } from '#shared/zone-names.ts'
import type { Option } from '#web/ui/select-field.tsx'
import { zoneLinks } from './zone-links.ts'

/**
 * Every zone once, by its name of today, from the west to the east; the report's own by the name that it has.
 * All its names, its offset and, in Chinese, its name there find it.
 */
export function zoneOptions(
  own: string,
  { now, language }: { now: Date; language: Language },
): Option<string>[] {
  const linked = new Set(zoneLinks.flat())
  const single = [...Intl.supportedValuesOf('timeZone'), ...fixed].filter(name => !linked.has(name))
  const zones = [...zoneLinks, ...single.map(name => [name])].flatMap(names => {
    const known = names.includes(own) ? own : names.find(name => engineZone(name) !== null)
    return known !== undefined && engineZone(known) !== null ? { name: known, names } : []
  })
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  const options = zones
    .map(zone => ({ ...zone, at: inZone(instant, zone.name) }))
    .toSorted((a, b) => a.at.offsetNanoseconds - b.at.offsetNanoseconds || (a.name < b.name ? -1 : 1))
    .map(({ name, names, at: { offset } }) => {
      const universal = `${labelOf(name)} (UTC${offset})`
      return {
        value: name,
        label: language === 'en' ? universal : `${universal} ${localName(name, language)}`,
        keywords: [...names.flatMap(wordsOf), ...shortOffsets(offset)].join(' '),
      }
    })
  const isListed = options.some(({ value }) => value === own)
  return isListed ? options : [{ value: own, label: own }, ...options]
}

/** Of the fixed offsets east and west; the tz database counts them the other way round. */
const fixed = Array.from({ length: 27 }, (_, index) => index - 14)
  .filter(hours => hours !== 0)
  .map(hours => `Etc/GMT${hours > 0 ? '+' : ''}${hours}`)

const labelOf = (name: string) =>
  name.startsWith('Etc/') ? `${cityOf(name)} · ${name}` : name.replaceAll('_', ' ')

const wordsOf = (name: string) => [name, name.replaceAll('_', ' '), cityOf(name)]

/** +08:00 → UTC+8, GMT+8, and +05:30 → UTC+5:30, GMT+5:30 */
function shortOffsets(offset: string) {
  const short = offset.replace(/^([+-])0?/, '$1').replace(/:00$/, '')
  return [`UTC${short}`, `GMT${short}`]
}

/** 台北標準時間 */
function localName(name: string, language: Language): string {
  const timeZone = engineZone(name) ?? 'UTC'
  const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' })
  return format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
