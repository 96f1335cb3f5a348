import type { ConversionEntry } from './api/insight-settings.ts'
import type { Block } from './api/reports.ts'
import type { CalculatedMetric, ChannelCatalogue, Metric } from './channels/catalogue.ts'
import type { Channel } from './channels/catalogue.ts'
import type { FormulaUnit } from './formula-units.ts'
import { isFormula, readFormula } from './formula.ts'
import type { Text } from './language.ts'
import { measuresOf } from './metrics.ts'

/** What numbers mean beyond the catalogue, by the agency (advertiser null) and by advertisers. */
export interface Meanings {
  metrics: readonly MeantMetric[]
  conversions: readonly MeantConversion[]
  labels: readonly MeantLabel[]
}

export interface MeantMetric {
  id: number
  advertiser: number | null
  name: string
  name_zh: string
  explanation: string
  formula: string
  unit: FormulaUnit
  decimals: number
  /** false: it is offered for nothing new. */
  is_active: boolean
}

export interface MeantConversion {
  id: number
  advertiser: number
  name: string
  name_zh: string
  /** The one that new blocks of the advertiser's accounts take. */
  is_default: boolean
  entries: readonly ConversionEntry[]
}

export interface MeantLabel {
  advertiser: number | null
  channel: Channel | null
  metric: string
  label: string
  label_zh: string
}

export const noMeanings: Meanings = { metrics: [], conversions: [], labels: [] }

const CALCULATED = 'calc:'

/** How a report's metrics name a calculated one. */
export const calculatedId = (id: number): string => `${CALCULATED}${id}`

/** The ids of the calculated ones among a report's metrics. */
export const calculatedIds = (metrics: readonly string[]): number[] =>
  metrics.flatMap(metric => {
    const id = metric.startsWith(CALCULATED) ? Number(metric.slice(CALCULATED.length)) : 0
    return Number.isSafeInteger(id) && id > 0 ? id : []
  })

interface BlockFacts {
  catalogue: ChannelCatalogue
  meanings: Meanings
  /** Of each of the block's accounts; null: of nobody. */
  advertisers: readonly (number | null)[]
}

type BlockNames = Pick<Block, 'channel'> & Partial<Pick<Block, 'conversion'>>

/**
 * The catalogue as it is meant in a block: with the calculated metrics that the channel has every operand of,
 * and under the names that the agency, or the advertiser of all the accounts, gives the metrics.
 */
export function blockCatalogue(block: BlockNames, facts: BlockFacts): ChannelCatalogue {
  const { catalogue, meanings } = facts
  const owner = ownerOf(facts.advertisers)
  const isMeant = ({ advertiser }: { advertiser: number | null }) =>
    advertiser === null || advertiser === owner
  const conversion = conversionOf(block, facts)
  const labels = meanings.labels.filter(isMeant)
  const calculated = meanings.metrics.filter(isMeant)
  if (labels.length === 0 && calculated.length === 0 && !conversion) return catalogue
  const metrics: Record<string, Metric> = {}
  for (const [id, metric] of Object.entries(catalogue.metrics)) {
    const label = labelOf(labels, id, block.channel)
    const named = label ? { ...metric, names: { en: label.label, 'zh-TW': label.label_zh } } : metric
    metrics[id] = conversion ? meantBy(conversion, id, { metric: named, catalogue }) : named
  }
  for (const metric of calculated) {
    const found = calculatedMetric(metric, catalogue)
    if (found) metrics[calculatedId(metric.id)] = found
  }
  return { ...catalogue, metrics }
}

/** The one advertiser of all accounts of a block; null: there are several, or none. */
export function ownerOf(advertisers: readonly (number | null)[]): number | null {
  const [first = null] = advertisers
  return advertisers.every(advertiser => advertiser === first) ? first : null
}

/** The definition by which a block counts conversions; null: the platform's own, or it is not for it. */
export function conversionOf(
  { channel, conversion: id = null }: BlockNames,
  { meanings, advertisers }: Pick<BlockFacts, 'meanings' | 'advertisers'>,
): MeantConversion | null {
  if (id === null) return null
  return conversionsFor(channel, { meanings, advertisers }).find(found => found.id === id) ?? null
}

/** The definitions that a block may count conversions by. */
export function conversionsFor(
  channel: Channel,
  { meanings, advertisers }: Pick<BlockFacts, 'meanings' | 'advertisers'>,
): MeantConversion[] {
  const owner = ownerOf(advertisers)
  return meanings.conversions.filter(
    ({ advertiser, entries }) => advertiser === owner && entries.some(entry => entry.channel === channel),
  )
}

/** The one of them that a new block takes; null: the platform's own. */
export const defaultConversion = (
  channel: Channel,
  facts: Pick<BlockFacts, 'meanings' | 'advertisers'>,
): number | null => conversionsFor(channel, facts).find(({ is_default }) => is_default)?.id ?? null

function calculatedMetric(metric: MeantMetric, catalogue: ChannelCatalogue): CalculatedMetric | null {
  const { name, name_zh, explanation, formula: text, unit, decimals } = metric
  const formula = readFormula(text)
  if (!isFormula(formula)) return null
  const calculated: CalculatedMetric = {
    kind: 'calculated',
    names: { en: name, 'zh-TW': name_zh },
    explanation: { en: explanation, 'zh-TW': explanation },
    unit,
    decimals,
    group: 'calculated',
    platform_field: text,
    formula,
  }
  const id = calculatedId(metric.id)
  const known = { ...catalogue, metrics: { ...catalogue.metrics, [id]: calculated } }
  return measuresOf(known, id).length > 0 ? calculated : null
}

/** The most particular one: the advertiser's before the agency's, the channel's before that of all. */
function labelOf(labels: readonly MeantLabel[], metric: string, channel: Channel): MeantLabel | undefined {
  const rank = ({ advertiser, channel: of }: MeantLabel) =>
    Number(advertiser === null) * 2 + Number(of === null)
  return labels
    .filter(label => label.metric === metric && (label.channel === null || label.channel === channel))
    .toSorted((one, other) => rank(one) - rank(other))[0]
}

/** What means the definition's conversions, by its name and with the limits of what they are counted by. */
const meant = new Set(['conversions', 'conversion_value', 'cpa', 'cvr', 'roas'])

function meantBy(
  { name, name_zh, entries }: MeantConversion,
  id: string,
  { metric, catalogue }: { metric: Metric; catalogue: ChannelCatalogue },
): Metric {
  if (!meant.has(id)) return metric
  const names: Text = {
    en: `${metric.names.en} (${name})`,
    'zh-TW': `${metric.names['zh-TW']}（${name_zh}）`,
  }
  if (metric.kind === 'derived') return { ...metric, names }
  const counted = entries.flatMap(entry => ('metric' in entry ? (catalogue.metrics[entry.metric] ?? []) : []))
  const limits = [metric, ...counted]
  return {
    ...metric,
    names,
    not_with: limits.flatMap(({ not_with = [] }) => not_with),
    only_with: limits.flatMap(({ only_with = [] }) => only_with),
    not_beside: limits.flatMap(({ not_beside = [] }) => not_beside),
  }
}
