import type { MetricLabel } from '#shared/api/insight-settings.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import type { Text } from '#shared/language.ts'

/** A metric of the catalogue with what it is called instead. */
export interface LabelRow {
  metric: string
  /** By the catalogue; of all channels together the first one's. */
  original: Text
  channels: readonly Channel[]
  /** Of exactly this scope and channel. */
  own: MetricLabel | null
  /** What it is called where this scope and channel have no label. */
  inherited: Text
}

interface Labels {
  /** Of the scope that is open. */
  own: readonly MetricLabel[]
  /** The agency's, where an advertiser is open. */
  agency: readonly MetricLabel[]
}

/**
 * The metrics of a channel, or of all: an advertiser's label goes before the agency's, the channel's before
 * that of all.
 */
export function labelRows({ own, agency }: Labels, channel: Channel | null): LabelRow[] {
  const ownByPlace = byPlace(own)
  const agencyByPlace = byPlace(agency)
  return metricsOf(channel).map(({ metric, original, channels }) => {
    const place = placeOf(metric, channel)
    const general = channel === null ? undefined : ownByPlace.get(placeOf(metric, null))
    const above = general ?? agencyByPlace.get(place) ?? agencyByPlace.get(placeOf(metric, null))
    return {
      metric,
      original,
      channels,
      own: ownByPlace.get(place) ?? null,
      inherited: above ? wordsOf(above) : original,
    }
  })
}

export const wordsOf = ({ label, label_zh: zh }: Pick<MetricLabel, 'label' | 'label_zh'>): Text => ({
  en: label,
  'zh-TW': zh,
})

const placeOf = (metric: string, channel: Channel | null) => `${channel ?? ''} ${metric}`
const byPlace = (labels: readonly MetricLabel[]) =>
  new Map(labels.map(label => [placeOf(label.metric, label.channel), label]))

/** Each metric once, with the channels that have it. */
function metricsOf(channel: Channel | null): Pick<LabelRow, 'metric' | 'original' | 'channels'>[] {
  const found = new Map<string, { metric: string; original: Text; channels: Channel[] }>()
  for (const each of channel === null ? channelIds : [channel])
    for (const [metric, { names }] of Object.entries(catalogueOf(each).metrics)) {
      const known = found.get(metric)
      if (known) known.channels.push(each)
      else found.set(metric, { metric, original: names, channels: [each] })
    }
  return [...found.values()]
}

/** Those that have every word of a search in one of their names. */
export function rowsLike(rows: readonly LabelRow[], search: string): LabelRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ metric, original, own, inherited }) => {
    const names = [
      metric,
      original.en,
      original['zh-TW'],
      inherited.en,
      inherited['zh-TW'],
      own?.label,
      own?.label_zh,
    ]
    const text = names.join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  })
}
