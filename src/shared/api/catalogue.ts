import { z } from 'zod'
import { limits } from '#shared/limits.ts'

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
})

export const Catalogue = z.object({
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
