import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { accountChannelOf, catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { limits } from '#shared/limits.ts'
import type { exampleNames } from '#web/pages/reports/search.ts'
import { emptyBlock } from './block-edits.ts'
import type { Draft, DraftBlock } from './draft.ts'
import { metricRefusal } from './metric-choice.ts'

export type ExampleName = (typeof exampleNames)[number]

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
}

/**
 * A blank draft with an example in it, over the accounts of the advertiser that has most of the example's
 * channels.
 */
export function filledWith(blank: Draft, name: ExampleName, usable: readonly AdAccount[]): Filled {
  const { channels, dimensions, dynamic_range, schedule } = examples[name]
  const accounts = ofOneAdvertiser(channels, usable)
  const blocks = channels.map(channel => blockOf(channel, { name, accounts }))
  const filled = blocks.filter(block => block.accounts.length > 0 && block.metrics.length > 0)
  const draft: Draft = {
    ...blank,
    ...schedule,
    channels: filled,
    dimensions,
    arrangement: filled.length > 1 ? 'stacked' : 'joined',
    date_range: { start: null, end: null, dynamic_range },
  }
  return {
    draft,
    advertiser: accounts[0]?.advertiser_name ?? null,
    missing: channels.filter(channel => !filled.some(block => block.channel === channel)),
  }
}

/** With the metrics that all of its accounts support. */
function blockOf(
  channel: Channel,
  { name, accounts }: { name: ExampleName; accounts: readonly AdAccount[] },
): DraftBlock {
  const { metrics, dimensions } = examples[name]
  const own = accounts.filter(account => account.channel === accountChannelOf(channel))
  const block = { ...emptyBlock(channel), accounts: own.map(({ id }) => id).slice(0, limits.accounts) }
  const metricIds = metrics === 'usual' ? catalogueOf(channel).usual_metrics : metrics
  return { ...block, metrics: metricIds.filter(id => !metricRefusal(id, { block, dimensions, accounts })) }
}

/**
 * The accounts of one advertiser, so that no report begins as a mixture of clients; and of one currency, so
 * that amounts can be added up. Of equal advertisers the one with more accounts, then the first by name.
 */
function ofOneAdvertiser(channels: readonly Channel[], usable: readonly AdAccount[]): AdAccount[] {
  const accountChannels = new Set(channels.map(accountChannelOf))
  const open = usable.filter(({ channel, status }) => accountChannels.has(channel) && status !== 'disabled')
  const groups = [
    ...Map.groupBy(open, account => `${account.advertiser_name ?? ''} ${account.currency}`).values(),
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
