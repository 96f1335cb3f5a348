import { useMemo } from 'react'
import { calculatedId, type MeantMetric } from '#shared/block-catalogue.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel, ChannelCatalogue, Metric } from '#shared/channels/catalogue.ts'
import type { Language } from '#shared/language.ts'
import { metricIn } from '#shared/metrics.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { GroupedOption } from '#web/ui/multi-select-rules.ts'
import type { DraftBlock } from './draft.ts'
import { metricNames, type Known } from './known.ts'

interface OptionFacts {
  /** As the block means it. */
  catalogue: ChannelCatalogue
  known: Known
  favourites: readonly string[]
}

/** First the favourites, then the rest under their groups; last what is in use and no longer there. */
export function useMetricOptions(block: DraftBlock, facts: OptionFacts): GroupedOption<string>[] {
  const { t, language } = useTranslation('editor')
  const { channel, metrics: chosen } = block
  const { catalogue, favourites } = facts
  const { meanings } = facts.known
  return useMemo(() => {
    const isFavourite = (id: string) => Number(favourites.includes(id))
    const offered = Object.entries(catalogue.metrics).filter(
      ([id]) => chosen.includes(id) || !isInactive(id, meanings.metrics),
    )
    const gone = chosen.filter(id => !metricIn(catalogue, id))
    return [
      ...offered
        .toSorted(([a], [b]) => isFavourite(b) - isFavourite(a))
        .map(([id, metric]) => ({
          value: id,
          label: metric.names[language],
          group: t(favourites.includes(id) ? 'group.favourites' : `group.${metric.group}`),
          explanation: explanationOf(metric, language),
          note: originalName(id, { channel, metric, language }),
        })),
      ...gone.map(id => ({
        value: id,
        label: metricNames(id, catalogue, meanings)[language],
        group: t('group.calculated'),
      })),
    ]
  }, [channel, chosen, catalogue, favourites, meanings, t, language])
}

/** Somebody has put it out of use: nothing new begins with it. */
const isInactive = (id: string, metrics: readonly MeantMetric[]) =>
  metrics.some(metric => !metric.is_active && calculatedId(metric.id) === id)

const explanationOf = ({ kind, explanation, platform_field }: Metric, language: Language) =>
  kind === 'calculated' ? `${explanation[language]} = ${platform_field}`.trim() : explanation[language]

interface Meant {
  channel: Channel
  metric: Metric
  language: Language
}

/** What the platform's metric is called, where it has another label; that of a definition only adds to it. */
function originalName(id: string, { channel, metric, language }: Meant): string {
  const original = metricIn(catalogueOf(channel), id)?.names[language] ?? ''
  const label = metric.names[language]
  const isLonger = [' (', '（'].some(bracket => label.startsWith(original + bracket))
  return label === original || isLonger ? '' : original
}
