import type { Block } from './api/reports.ts'
import {
  type Channel,
  dimensions,
  type ChannelCatalogue,
  type Dimension,
  type Metric,
} from './channels/catalogue.ts'
import type { Language, Text } from './language.ts'

/** The first column of a stacked table. */
export const channelColumn: Text = { en: 'Channel', 'zh-TW': '管道' }

/** Title of a dimension's column. */
export const dimensionTitle = (dimension: Dimension, language: Language): string =>
  dimensions[dimension].names[language]

/**
 * How each block is called: as the user named it, else by its channel's name, numbered where that is taken:
 * "Meta ads", "Meta ads 2".
 */
export function blockLabels(
  blocks: readonly Pick<Block, 'channel' | 'label'>[],
  language: Language,
  catalogueOf: (channel: Channel) => ChannelCatalogue,
): string[] {
  const taken = new Set(blocks.flatMap(block => block.label ?? []))
  return blocks.map(block => {
    if (block.label !== null) return block.label
    const name = catalogueOf(block.channel).names[language]
    let label = name
    for (let number = 2; taken.has(label); number++) label = `${name} ${number}`
    taken.add(label)
    return label
  })
}

/** Title of a metric's column; `label` is the block's when the table has columns of several, else null. */
export const metricTitle = (
  metric: Pick<Metric, 'names'>,
  language: Language,
  label: string | null,
): string => (label === null ? metric.names[language] : `${label} ${metric.names[language]}`)

/** A money metric's name with the currency that it is converted to: "Cost (TWD)". */
export const withCurrency = (names: Text, currency: string | null): Text =>
  currency === null ? names : { en: `${names.en} (${currency})`, 'zh-TW': `${names['zh-TW']} (${currency})` }

/** The name of a column that compares: "Cost previous period", "Cost change %". */
export const comparedNames = (names: Text, shows: keyof typeof comparedWords): Text => ({
  en: `${names.en} ${comparedWords[shows].en}`,
  'zh-TW': `${names['zh-TW']} ${comparedWords[shows]['zh-TW']}`,
})

const comparedWords = {
  previous_period: { en: 'previous period', 'zh-TW': '前期' },
  last_year: { en: 'last year', 'zh-TW': '去年同期' },
  change: { en: 'change', 'zh-TW': '變化' },
  percent: { en: 'change %', 'zh-TW': '變化率' },
} as const satisfies Record<string, Text>
