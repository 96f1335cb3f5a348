import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Meanings } from '#shared/block-catalogue.ts'
import { accountChannelOf, catalogueOf } from '#shared/channels/all.ts'
import type { Channel, Dimension } from '#shared/channels/catalogue.ts'
import { limits } from '#shared/limits.ts'
import { whyNotSave } from '#shared/report-rules.ts'
import type { exampleNames } from '#web/pages/reports/search.ts'
import { emptyBlock, firstConversion } from './block-edits.ts'
import type { Draft, DraftBlock } from './draft.ts'
import { fixesOf } from './fixes.ts'
import { catalogueIn, type KnownHere } from './known.ts'
import { metricRefusal } from './metric-choice.ts'

/** everything: all channels of a client, with the common metrics of each. */
export type ExampleName = (typeof exampleNames)[number] | 'everything'

interface Example {
  /** In the order shown; those without a usable account are left out. */
  channels: readonly Channel[]
  /** usual: the common metrics of each channel. */
  metrics: 'usual' | readonly string[]
  dimensions: Draft['dimensions']
  /** 1 this month … 5 this year */
  dynamic_range: number
  schedule: Partial<Pick<Draft, 'update_frequency' | 'update_day_of_week' | 'update_day_of_month'>>
}

const ads: readonly Channel[] = ['fb', 'aw', 'yg', 'tt', 'ln']
const daily = { update_frequency: 2 }
const everyMonday = { update_frequency: 3, update_day_of_week: 1 }
const firstOfMonth = { update_frequency: 4, update_day_of_month: 1 }

/** Example reports: everything but the target; the accounts are the usable ones. */
export const examples: Record<ExampleName, Example> = {
  daily: {
    channels: ads,
    metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
    dimensions: ['date'],
    dynamic_range: 1,
    schedule: daily,
  },
  campaigns: {
    channels: ads,
    metrics: ['cost', 'conversions', 'conversion_value', 'cpa', 'roas'],
    dimensions: ['week', 'account_name', 'campaign'],
    dynamic_range: 2,
    schedule: everyMonday,
  },
  keywords: {
    channels: ['aw_keyword'],
    metrics: ['impressions', 'clicks', 'cost', 'ctr', 'cpc', 'conversions', 'cpa'],
    dimensions: ['month', 'campaign', 'ad_group', 'keyword'],
    dynamic_range: 2,
    schedule: everyMonday,
  },
  traffic: {
    channels: ['ga4'],
    metrics: ['sessions', 'users', 'new_users', 'pageviews', 'conversions', 'revenue'],
    dimensions: ['week', 'property', 'source_medium'],
    dynamic_range: 2,
    schedule: everyMonday,
  },
  funnel: {
    channels: ['ga4'],
    metrics: ['sessions', 'items_viewed', 'add_to_carts', 'checkouts', 'transactions', 'revenue', 'aov'],
    dimensions: ['date', 'property'],
    dynamic_range: 2,
    schedule: daily,
  },
  everything: {
    channels: [...ads, 'ga4'],
    metrics: 'usual',
    dimensions: ['date'],
    dynamic_range: 1,
    schedule: daily,
  },
  monthly: {
    channels: [...ads, 'ga4'],
    metrics: 'usual',
    dimensions: ['month', 'account_name'],
    dynamic_range: 5,
    schedule: firstOfMonth,
  },
}

export interface Filled {
  draft: Draft
  /** Whose accounts were filled in; null: those of nobody in particular. */
  advertiser: string | null
  /** Channels of the example of which there is no account to use. */
  missing: Channel[]
  /** Channels of which there are more accounts than a report can have. */
  cut: Channel[]
  /** Added since the accounts count in different currencies; null: they do not. */
  added: Dimension | null
}

interface Content {
  name: ExampleName
  /** All usable accounts, or those of one advertiser. */
  usable: readonly AdAccount[]
  meanings: Meanings
  /** The advertiser was chosen: all of their accounts are filled in, whatever the currencies. */
  isChosen: boolean
}

/**
 * A blank draft with an example in it, over all accounts of the chosen advertiser; without one, over those of
 * the advertiser that has most of the example's channels.
 */
export function filledWith(blank: Draft, { name, usable, meanings, isChosen }: Content): Filled {
  const { channels, dimensions, dynamic_range, schedule } = examples[name]
  const open = usable.filter(({ status }) => status !== 'disabled')
  const accounts = isChosen ? open : ofOneAdvertiser(channels, open)
  const known = { accounts, meanings }
  const added = isChosen ? separating(name, known) : null
  const all = added === null ? dimensions : [...dimensions, added]
  const filled = blocksOf(name, { known, dimensions: all })
  const draft: Draft = {
    ...blank,
    ...schedule,
    channels: filled,
    dimensions: all,
    arrangement: filled.length > 1 ? 'stacked' : 'joined',
    date_range: { start: null, end: null, dynamic_range },
  }
  const isFilled = (channel: Channel) => filled.some(block => block.channel === channel)
  return {
    draft,
    advertiser: accounts[0]?.advertiser_name ?? null,
    missing: name === 'everything' ? [] : channels.filter(channel => !isFilled(channel)),
    cut: channels.filter(channel => accountsFor(channel, accounts).length > limits.accounts),
    added,
  }
}

/** The dimension that keeps amounts of several currencies apart; null: none is needed, or none does. */
function separating(name: ExampleName, known: Accounts): Dimension | null {
  const { dimensions } = examples[name]
  const channels = blocksOf(name, { known, dimensions })
  const report = { channels, dimensions, date_range: { start: null, end: null, dynamic_range: 1 } }
  // The rule about currencies does not look at the day.
  const found = whyNotSave({ report, ...known, today: ANY_DAY, history_extended: false })
  const mixed = found.find(({ code }) => code === 'mixed_currency')
  const [fix] = mixed ? fixesOf(mixed, report, known) : []
  return fix?.kind === 'add_dimension' ? fix.dimension : null
}

type Accounts = Pick<KnownHere, 'accounts' | 'meanings'>
const ANY_DAY = '2026-01-01'

function blocksOf(
  name: ExampleName,
  { known, dimensions }: { known: Accounts; dimensions: Draft['dimensions'] },
): DraftBlock[] {
  return examples[name].channels
    .map(channel => blockOf(channel, { name, known, dimensions }))
    .filter(block => block.accounts.length > 0 && block.metrics.length > 0)
}

const accountsFor = (channel: Channel, accounts: readonly AdAccount[]) =>
  accounts.filter(account => account.channel === accountChannelOf(channel))

/** With the metrics that all of its accounts support. */
function blockOf(
  channel: Channel,
  { name, known, dimensions }: Pick<Draft, 'dimensions'> & { name: ExampleName; known: Accounts },
): DraftBlock {
  const { metrics } = examples[name]
  const { accounts } = known
  const own = accountsFor(channel, accounts)
    .map(({ id }) => id)
    .slice(0, limits.accounts)
  const empty = emptyBlock(channel)
  const block = { ...empty, accounts: own, ...firstConversion(empty, own, known) }
  const catalogue = catalogueIn(block, known)
  const metricIds = metrics === 'usual' ? catalogueOf(channel).usual_metrics : metrics
  return {
    ...block,
    metrics: metricIds.filter(id => !metricRefusal(id, { catalogue, block, dimensions, accounts })),
  }
}

/**
 * The accounts of one advertiser, so that no report begins as a mixture of clients; and of one currency, so
 * that amounts can be added up. Of equal advertisers the one with more accounts, then the first by name.
 */
function ofOneAdvertiser(channels: readonly Channel[], open: readonly AdAccount[]): AdAccount[] {
  const accountChannels = new Set(channels.map(accountChannelOf))
  const offered = open.filter(({ channel }) => accountChannels.has(channel))
  const groups = [
    ...Map.groupBy(offered, account => `${account.advertiser_name ?? ''} ${account.currency}`).values(),
  ]
  const breadth = (group: AdAccount[]) => new Set(group.map(({ channel }) => channel)).size
  const [best = []] = groups.toSorted(
    (a, b) =>
      breadth(b) - breadth(a) ||
      b.length - a.length ||
      (a[0]?.advertiser_name ?? '').localeCompare(b[0]?.advertiser_name ?? ''),
  )
  return best
}
