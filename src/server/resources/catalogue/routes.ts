import { Catalogue } from '#shared/api/catalogue.ts'
import { limits } from '#shared/limits.ts'
import { accountChannelOf, catalogueOf } from '#shared/channels/all.ts'
import {
  type Channel,
  dimensions,
  filterFields,
  filterRules,
  type Metric,
} from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { route } from '#server/http/route.ts'

const read = route('GET', '/api/ad/gs_metrics/', {
  summary: 'Get the catalogue: the dimensions, metrics and filters of each channel.',
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
  const catalogue = catalogueOf(channel)
  const { metrics, dimensions: offered, usual_metrics, filters, ...facts } = catalogue
  const { limited = {}, apart = [], dimension_providers = {}, archive = false } = facts
  return {
    ...facts,
    channel,
    accounts_of: accountChannelOf(channel),
    dimensions: [...offered],
    limited,
    apart: apart.map(([one, other]): [string, string] => [one, other]),
    dimension_providers: Object.fromEntries(
      Object.entries(dimension_providers).map(([dimension, providers]) => [dimension, [...providers]]),
    ),
    archive,
    metrics: Object.entries(metrics).map(([id, metric]) => presentMetric(id, metric)),
    usual_metrics: [...usual_metrics],
    filters: [...filters],
  }
}

function presentMetric(id: string, metric: Metric) {
  const { names, explanation, kind, unit, decimals, group, platform_field } = metric
  const { not_with = [], only_with = [], not_beside = [], providers } = metric
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
    only_with: [...only_with],
    not_beside: [...not_beside],
    providers: providers ? [...providers] : null,
    formula,
  }
}

export const catalogueRoutes = [read]
