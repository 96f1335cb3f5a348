import type { MeantConversion } from './block-catalogue.ts'
import type { Channel, ChannelCatalogue } from './channels/catalogue.ts'
import { metricIn } from './metrics.ts'

/** What a definition's conversions are counted by in one channel. */
export interface ConversionSources {
  /** Actions by the platform's names. */
  actions: string[]
  /** Metrics of the catalogue that count, and those of their values, as far as there are any. */
  metrics: string[]
  values: string[]
}

export function conversionSources(
  { entries }: MeantConversion,
  channel: Channel,
  catalogue: ChannelCatalogue,
): ConversionSources {
  const sources: ConversionSources = { actions: [], metrics: [], values: [] }
  for (const entry of entries) {
    if (entry.channel !== channel) continue
    const action = 'action' in entry ? entry.action : actionOf(catalogue, entry.metric)
    if (action !== null) sources.actions.push(action)
    else if ('metric' in entry) {
      sources.metrics.push(entry.metric)
      sources.values.push(...valueOf(catalogue, entry.metric))
    }
  }
  return sources
}

const ACTION = 'actions:'

/** The platform's action that a metric of the catalogue counts; null: it counts something else. */
export function actionOf(catalogue: ChannelCatalogue, id: string): string | null {
  const field = metricIn(catalogue, id)?.platform_field ?? ''
  return field.startsWith(ACTION) ? field.slice(ACTION.length) : null
}

/** The metric that is the value of what another counts. */
const values: Readonly<Record<string, string>> = {
  conversions: 'conversion_value',
  all_conversions: 'all_conversion_value',
  conversions_by_conv_date: 'conv_value_by_conv_date',
  click_conversions: 'click_conversion_value',
  transactions: 'revenue',
  purchases: 'revenue',
}

const valueOf = (catalogue: ChannelCatalogue, id: string): string[] => {
  const value = values[id]
  return value !== undefined && metricIn(catalogue, value) ? [value] : []
}
