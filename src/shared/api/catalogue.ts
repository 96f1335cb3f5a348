import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { formulaUnits } from '#shared/formula-units.ts'
import { limits } from '#shared/limits.ts'
import { ConversionEntry } from './insight-settings.ts'
import { Id } from './list.ts'

const Text = z.object({ en: z.string(), 'zh-TW': z.string() })

export const CatalogueMetric = z.object({
  id: z.string(),
  names: Text,
  explanation: Text,
  /**
   * additive: summed; non_additive: given by the platform for exactly the table's rows; derived: from the
   * sums, by `formula`.
   */
  kind: z.enum(['additive', 'non_additive', 'derived', 'calculated']),
  unit: z.string(),
  decimals: z.number().int(),
  group: z.string(),
  platform_field: z.string(),
  /** Dimensions beside which the platform cannot give it. */
  not_with: z.array(z.string()),
  /** Dimensions that must all be there. */
  only_with: z.array(z.string()),
  /** Metrics beside which the platform cannot give it. */
  not_beside: z.array(z.string()),
  /** Which of the channel's providers have it; null: all of them. */
  providers: z.array(z.string()).nullable(),
  /** numerator / denominator * times */
  formula: z.object({ numerator: z.string(), denominator: z.string(), times: z.number() }).nullable(),
})

export const CatalogueChannel = z.object({
  channel: z.string(),
  names: Text,
  explanation: Text,
  accounts: z.string(),
  /** The channel that its accounts belong to. */
  accounts_of: z.string(),
  dimensions: z.array(z.string()),
  /** Dimensions that it has with limits, each said in a sentence. */
  limited: z.record(z.string(), Text),
  /** Pairs of dimensions that cannot be combined. */
  apart: z.array(z.tuple([z.string(), z.string()])),
  /** Dimensions that only some of its providers have. */
  dimension_providers: z.record(z.string(), z.array(z.string())),
  metrics: z.array(CatalogueMetric),
  usual_metrics: z.array(z.string()),
  filters: z.array(z.string()),
  history_months: z.number().int(),
  /** true: its numbers are historical, and ranges may begin as early as its data. */
  archive: z.boolean(),
  /** Whether conversions can be counted by the platform's actions: beside cost, or apart from it. */
  actions: z.enum(['beside_cost', 'apart']).nullable(),
})

/** null: the whole agency's. */
const scope = { advertiser: Id.nullable() }
const names = { name: z.string(), name_zh: z.string() }

/** What numbers mean to the caller's advertisers, beyond the platforms' catalogue. */
const Meanings = z.object({
  /** Calculated metrics, in reports `calc:ID`. */
  metrics: z.array(
    z.object({
      id: Id,
      ...scope,
      ...names,
      explanation: z.string(),
      formula: z.string(),
      unit: z.enum(formulaUnits),
      decimals: z.number().int(),
      is_active: z.boolean(),
    }),
  ),
  /** Conversion definitions, of a block's `conversion`. */
  conversions: z.array(
    z.object({
      id: Id,
      advertiser: Id,
      ...names,
      is_default: z.boolean(),
      entries: z.array(ConversionEntry),
    }),
  ),
  labels: z.array(
    z.object({
      ...scope,
      channel: z.enum(channelIds).nullable(),
      metric: z.string(),
      label: z.string(),
      label_zh: z.string(),
    }),
  ),
})

/** What changes from day to day, without the platforms' catalogue. */
export const CatalogueMeanings = z.object({
  meanings: Meanings,
  /** Those that money can be converted to: some month has a rate, or it is the agency's own. */
  currencies: z.array(z.string()),
})
export type CatalogueMeanings = z.infer<typeof CatalogueMeanings>

export const Catalogue = CatalogueMeanings.extend({
  channels: z.array(CatalogueChannel),
  dimensions: z.array(z.object({ id: z.string(), names: Text, kind: z.string() })),
  filter_fields: z.array(z.object({ id: z.string(), names: Text, of: z.string() })),
  filter_rules: z.array(z.string()),
  /** How many a report may have of each. */
  limits: z.record(
    z.enum(Object.keys(limits) as [keyof typeof limits, ...(keyof typeof limits)[]]),
    z.number().int(),
  ),
})
export type Catalogue = z.infer<typeof Catalogue>
