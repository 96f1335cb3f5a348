import { Catalogue } from '#shared/api/catalogue.ts'
import { limits } from '#shared/limits.ts'
import { catalogueOf, channelIds, type Channel } from '#shared/channels/all.ts'
import { dimensions, filterFields, filterRules, type Metric } from '#shared/channels/catalogue.ts'
import { route } from '#server/http/route.ts'

const read = route('GET', '/api/ad/gs_metrics/', {
  summary: 'The catalogue: which dimensions, metrics and filters each channel offers.',
  level: 'external_user',
  reply: Catalogue,
  run: async ({ effects }) => ({
    channels: channelIds.map(presentChannel),
    dimensions: Object.entries(dimensions).map(([id, { names, kind }]) => ({ id, names, kind })),
    filter_fields: Object.entries(filterFields).map(([id, { names, of }]) => ({ id, names, of })),
    filter_rules: [...filterRules],
    limits: { ...limits, channels: effects.settings.report_channel_limit },
  }),
})

function presentChannel(channel: Channel) {
  const { metrics, dimensions: offered, usual_metrics, filters, ...facts } = catalogueOf(channel)
  return {
    ...facts,
    channel,
    dimensions: [...offered],
    metrics: Object.entries(metrics).map(([id, metric]) => presentMetric(id, metric)),
    usual_metrics: [...usual_metrics],
    filters: [...filters],
  }
}

function presentMetric(id: string, metric: Metric) {
  const { names, explanation, kind, unit, decimals, group, platform_field, not_with = [] } = metric
  const formula = metric.kind === 'derived' ? { times: 1, ...metric.formula } : null
  return {
    id,
    names,
    explanation,
    kind,
    unit,
    decimals,
    group,
    platform_field,
    not_with: [...not_with],
    formula,
  }
}

export const catalogueRoutes = [read]
