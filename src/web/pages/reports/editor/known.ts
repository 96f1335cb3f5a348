import type { AdAccount } from '#shared/api/ad-accounts.ts'
import {
  calculatedIds,
  conversionOf,
  conversionsFor,
  type Meanings,
  type MeantConversion,
} from '#shared/block-catalogue.ts'
import type { ChannelCatalogue } from '#shared/channels/catalogue.ts'
import type { Text } from '#shared/language.ts'
import { metricIn } from '#shared/metrics.ts'
import { meantBlock } from '#shared/report-rules.ts'
import type { DraftBlock } from './draft.ts'

/** What blocks are judged by: the accounts that one may use, and what numbers mean to their advertisers. */
export interface Known {
  accounts: readonly Pick<AdAccount, 'id' | 'channel' | 'provider' | 'currency' | 'advertiser'>[]
  meanings: Meanings
}

/** The same as the server tells it. */
export interface KnownHere extends Known {
  accounts: readonly AdAccount[]
  /** What money can be converted to. */
  currencies: readonly string[]
  /** false: some of it is still on its way, so that what is not there may be. */
  isComplete: boolean
}

/** A block's catalogue as its accounts' advertiser means it. */
export const catalogueIn = (block: DraftBlock, known: Known): ChannelCatalogue =>
  meantBlock(block, known).catalogue

interface BlockConversions {
  /** Those that it may count by. */
  offered: MeantConversion[]
  /** The one that it counts by; null: the platform's own, or one that is not for it. */
  chosen: MeantConversion | null
}

/** The definitions of conversions that a block may count by. */
export function conversionsOf(block: DraftBlock, { accounts, meanings }: Known): BlockConversions {
  const own = accounts.filter(({ id }) => block.accounts.includes(id))
  const facts = { meanings, advertisers: own.map(({ advertiser }) => advertiser) }
  return { offered: conversionsFor(block.channel, facts), chosen: conversionOf(block, facts) }
}

/** Whether all that says what a block's numbers mean is known; one's own accounts are not everybody's. */
export const isKnown = (block: DraftBlock, { accounts, isComplete }: KnownBlocks): boolean =>
  isComplete && block.accounts.every(id => accounts.some(account => account.id === id))

export type KnownBlocks = Known & Pick<KnownHere, 'isComplete'>

/**
 * What a metric is called; a calculated one that a block does not have by its own name, else by its id.
 */
export function metricNames(id: string, catalogue: ChannelCatalogue, { metrics }: Meanings): Text {
  const own = metricIn(catalogue, id)?.names
  if (own) return own
  const [number] = calculatedIds([id])
  const metric = metrics.find(each => each.id === number)
  return metric ? { en: metric.name, 'zh-TW': metric.name_zh } : { en: id, 'zh-TW': id }
}

/** What a definition of conversions is called; null: one of an advertiser that is none of one's own. */
export function conversionName(id: number, { conversions }: Meanings): Text | null {
  const found = conversions.find(each => each.id === id)
  return found ? { en: found.name, 'zh-TW': found.name_zh } : null
}
