import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { FORMULA_LENGTH } from '#shared/formula.ts'
import { formulaUnits } from '#shared/formula-units.ts'
import { ImportQuery } from './customers.ts'
import { Day, Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { Currency, Month, Version } from './money.ts'
import { name, nameOrNothing, textOrNothing } from './names.ts'

const row = { id: Id, version: Version, created_at: Instant, last_modified_at: Instant }
/** null: the whole agency's. */
const scope = { advertiser: Id.nullable(), advertiser_name: z.string().nullable() }
const active = z.enum(['true', 'false']).transform(text => text === 'true')
const Channel = z.enum(channelIds)
/** Of the catalogue: calculated metrics have names of their own. */
const MetricId = z.string().regex(/^[a-z][a-z0-9_]{0,79}$/)
/** `agency`: the agency's alone; left out: all that one sees. */
const advertiserFilter = z.union([z.literal('agency'), IdText]).optional()

// Calculated metrics.

const metric = {
  name: name(60),
  name_zh: name(60),
  explanation: textOrNothing(500),
  /** + − × ÷ and parentheses over metrics of the catalogue. */
  formula: z.string().trim().min(1).max(FORMULA_LENGTH),
  unit: z.enum(formulaUnits),
  decimals: z.number().int().min(0).max(6),
  is_active: z.boolean(),
}
export const CalculatedMetric = z.object({
  ...row,
  ...scope,
  ...metric,
  /** Those that have every metric of the formula. */
  channels: z.array(Channel),
  /** How many reports have it. */
  used_by: z.number().int(),
  /** Whether the caller may change it. */
  may_change: z.boolean(),
})
export type CalculatedMetric = z.infer<typeof CalculatedMetric>
export const CalculatedMetricQuery = listQuery(['id', 'name', 'name_zh', 'last_modified_at'], 'name').extend({
  advertiser: advertiserFilter,
  is_active: active.optional(),
})
export const CalculatedMetricList = listOf(CalculatedMetric)
export const CreateCalculatedMetric = z.strictObject({
  advertiser: Id.nullable().default(null),
  name: metric.name,
  name_zh: metric.name_zh,
  explanation: metric.explanation.default(''),
  formula: metric.formula,
  unit: metric.unit.default('ratio'),
  decimals: metric.decimals.default(2),
  is_active: metric.is_active.default(true),
})
export const UpdateCalculatedMetric = z.strictObject(metric).partial().extend({ version: Version })

/** A formula with the last 30 days of an account, saved or not. */
export const TryFormula = z.strictObject({
  formula: metric.formula,
  unit: metric.unit,
  decimals: metric.decimals,
  ad_account: Id,
  channel: Channel.optional(),
})
export const TriedFormula = z.object({
  channel: Channel,
  currency: z.string(),
  /** Days with activity, in order; a value is null where it is empty. */
  days: z.array(z.object({ day: Day, value: z.number().nullable() })),
  total: z.number().nullable(),
  /** Why there are none, as a code of a channel's outcome; null: there are, or there was no activity. */
  code: z.string().nullable(),
})
export type TriedFormula = z.infer<typeof TriedFormula>

// Conversion definitions.

const conversionChannels = ['fb', 'aw', 'yg', 'ga4'] as const
export const ConversionChannel = z.enum(channelIds).extract(conversionChannels)
/** An additive metric of the catalogue, or one of the account's own actions by the platform's name. */
export const ConversionEntry = z.union([
  z.strictObject({ channel: ConversionChannel, metric: MetricId }),
  // As the platform writes it, whatever that is.
  z.strictObject({ channel: ConversionChannel, action: z.string().min(1).max(200) }),
])
export type ConversionEntry = z.infer<typeof ConversionEntry>
const conversion = {
  name: name(60),
  name_zh: name(60),
  /** The one that new channels of the advertiser's accounts get; one at most. */
  is_default: z.boolean(),
  entries: z.array(ConversionEntry).min(1).max(20),
}
export const ConversionDefinition = z.object({
  ...row,
  advertiser: Id,
  advertiser_name: z.string(),
  ...conversion,
  used_by: z.number().int(),
})
export type ConversionDefinition = z.infer<typeof ConversionDefinition>
export const ConversionDefinitionQuery = listQuery(
  ['id', 'name', 'name_zh', 'advertiser_name', 'last_modified_at'],
  'advertiser_name',
).extend({ advertiser: IdText.optional() })
export const ConversionDefinitionList = listOf(ConversionDefinition)
export const CreateConversionDefinition = z.strictObject({
  advertiser: Id,
  name: conversion.name,
  name_zh: conversion.name_zh,
  is_default: conversion.is_default.default(false),
  entries: conversion.entries,
})
export const UpdateConversionDefinition = z.strictObject(conversion).partial().extend({ version: Version })

export const ActionsQuery = z.object({ ad_account: IdText })
/** What an account counted in the last 90 days, most first. */
export const Actions = z.object({
  channel: ConversionChannel,
  actions: z.array(
    z.object({
      name: z.string(),
      conversions: z.number(),
      /** Millionths of the account's currency; null: the platform knows none. */
      value: z.number().nullable(),
    }),
  ),
  /** true: the platform still prepares the list; ask again. */
  is_pending: z.boolean(),
  /** Why there are none, as a code of a channel's outcome. */
  code: z.string().nullable(),
})
export type Actions = z.infer<typeof Actions>

// Labels.

export const MetricLabel = z.object({
  ...row,
  ...scope,
  /** null: every channel that has the metric. */
  channel: Channel.nullable(),
  metric: z.string(),
  label: z.string(),
  label_zh: z.string(),
  may_change: z.boolean(),
})
export type MetricLabel = z.infer<typeof MetricLabel>
export const MetricLabelQuery = listQuery(['id', 'metric', 'label', 'last_modified_at'], 'metric').extend({
  advertiser: advertiserFilter,
  channel: Channel.optional(),
})
export const MetricLabelList = listOf(MetricLabel)
const label = { label: name(60), label_zh: name(60) }
export const CreateMetricLabel = z.strictObject({
  advertiser: Id.nullable().default(null),
  channel: Channel.nullable().default(null),
  metric: MetricId,
  ...label,
})
export const UpdateMetricLabel = z.strictObject(label).partial().extend({ version: Version })

// Rates.

/** Decimal text above 0 with at most ten decimals: base units for one. */
export const RateText = z.string().regex(/^(?=.*[1-9])\d{1,10}(\.\d{1,10})?$/)
export const ExchangeRate = z.object({
  id: Id,
  version: Version,
  month: Month,
  currency: Currency,
  rate: z.string(),
  kind: z.enum(['final', 'provisional']),
  source: z.string(),
  /** A locked month has been converted with it: it stays. */
  is_locked: z.boolean(),
  last_modified_at: Instant,
})
export type ExchangeRate = z.infer<typeof ExchangeRate>
export const ExchangeRateQuery = listQuery(['id', 'month', 'currency'], '-month').extend({
  from: Month.optional(),
  to: Month.optional(),
  currency: Currency.optional(),
})
/**
 * `base` is the currency whose units they are in; `in_use`: the others in which accounts cost or customers
 * are billed.
 */
export const ExchangeRateList = listOf(ExchangeRate).extend({
  base: z.string(),
  in_use: z.array(z.string()),
})
const rate = {
  rate: RateText,
  kind: z.enum(['final', 'provisional']),
  source: nameOrNothing(60),
}
export const CreateExchangeRate = z.strictObject({
  month: Month,
  currency: Currency,
  rate: rate.rate,
  kind: rate.kind.default('final'),
  source: rate.source.default(''),
})
export const UpdateExchangeRate = z.strictObject(rate).partial().extend({ version: Version })

/**
 * plain: `month,currency,rate`; bank_of_taiwan: its file of a day, for `month`; ecb: the history of the
 * European Central Bank, of which the last day of each month counts.
 */
export const rateFormats = ['plain', 'bank_of_taiwan', 'ecb'] as const
export type RateFormat = (typeof rateFormats)[number]
export const RateImportQuery = ImportQuery.extend({
  /** Left out: by the file's header. */
  format: z.enum(rateFormats).optional(),
  /** The month that a day's file is for; of a history, the only one that is read. */
  month: Month.optional(),
  /** Of a history, the first month that is read. */
  from: Month.optional(),
  /** Which of a day's spot rates. */
  price: z.enum(['buy', 'sell', 'middle']).default('middle'),
})
export type RateImportQuery = z.output<typeof RateImportQuery>
