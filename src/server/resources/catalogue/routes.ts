import type { Person } from '#shared/access.ts'
import { Catalogue, CatalogueMeanings } from '#shared/api/catalogue.ts'
import { blockCatalogue, noMeanings, type Meanings, type MeantConversion } from '#shared/block-catalogue.ts'
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
import type { Db } from '#server/db/connect.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import { route } from '#server/http/route.ts'
import { ratedCurrencies, readMeanings } from '#server/resources/insight-settings/meaning-queries.ts'
import { baseCurrency } from '#server/resources/insight-settings/rate-queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'

const read = route('GET', '/api/ad/gs_metrics/', {
  summary: 'Get the catalogue: the dimensions, metrics and filters of each channel.',
  level: 'external_user',
  reply: Catalogue,
  async run({ db, user, effects }) {
    const meant = await meaningsFor(db, user)
    return {
      channels: channelIds.map(channel => presentChannel(channel, meant.meanings)),
      dimensions: Object.entries(dimensions).map(([id, { names, kind }]) => ({ id, names, kind })),
      filter_fields: Object.entries(filterFields).map(([id, { names, of }]) => ({ id, names, of })),
      filter_rules: [...filterRules],
      ...meant,
      limits: { ...limits, channels: effects.settings.report_channel_limit },
    }
  },
})

const readMeaning = route('GET', '/api/ad/gs_meanings/', {
  summary:
    'Get what numbers mean to your advertisers: calculated metrics, conversion definitions, labels, currencies.',
  level: 'external_user',
  reply: CatalogueMeanings,
  run: async ({ db, user }) => await meaningsFor(db, user),
})

/** Those of the advertisers whose accounts the person may use, and the agency's. */
async function meaningsFor(db: Db, user: Person) {
  const { metrics, conversions, labels } = await readMeanings(db, {
    advertisers: await advertisersOf(db, user),
  })
  return {
    meanings: { metrics: [...metrics], conversions: conversions.map(withEntries), labels: [...labels] },
    // Clients read neither the issuer nor the rates; which currencies there are is no secret.
    currencies: await readingEveryRow(db, async () =>
      [...new Set([await baseCurrency(db), ...(await ratedCurrencies(db))])].toSorted(),
    ),
  }
}

const withEntries = ({ entries, ...conversion }: MeantConversion) => ({
  ...conversion,
  entries: [...entries],
})

/** With the calculated metrics that some block of the channel may have; whose they are the meanings say. */
function presentChannel(channel: Channel, { metrics: calculated }: Pick<Meanings, 'metrics'>) {
  const active = calculated.filter(({ is_active }) => is_active)
  const meanings = { ...noMeanings, metrics: active.map(each => ({ ...each, advertiser: null })) }
  const catalogue = blockCatalogue(
    { channel },
    { catalogue: catalogueOf(channel), meanings, advertisers: [] },
  )
  const { metrics, dimensions: offered, usual_metrics, filters, ...facts } = catalogue
  const { limited = {}, apart = [], dimension_providers = {}, archive = false, actions = null } = facts
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
    actions,
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

export const catalogueRoutes = [read, readMeaning]
