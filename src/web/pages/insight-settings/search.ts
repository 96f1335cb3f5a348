import { channelIds } from '#shared/channels/ids.ts'
import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

export const tabs = ['metrics', 'conversions', 'labels', 'rates'] as const
export type Tab = (typeof tabs)[number]

/** The URL parameters of the report settings, for whichever tab is open. */
export interface InsightSearch extends ListSearch {
  /** Left out: the metrics. */
  tab?: Exclude<Tab, 'metrics'>
  /** Whose settings: an advertiser's, or those of the whole agency alone; left out: all of them. */
  advertiser?: number | 'agency'
  is_active?: boolean
  /** Whose metrics are labelled; left out: those of all channels together. */
  channel?: (typeof channelIds)[number]
  /** The metric or definition that is open beside its list. */
  metric?: number
  conversion?: number
}

const readList = listSearch(['name', 'name_zh', 'last_modified_at'])

export function insightSearch(raw: Raw): InsightSearch {
  const { advertiser, metric, conversion } = raw
  const tab = tabs.find(name => name === raw.tab)
  const channel = channelIds.find(id => id === raw.channel)
  return {
    ...readList(raw),
    ...(tab && tab !== 'metrics' && { tab }),
    ...((advertiser === 'agency' || isId(advertiser)) && { advertiser }),
    ...(typeof raw.is_active === 'boolean' && { is_active: raw.is_active }),
    ...(channel && { channel }),
    ...(isId(metric) && { metric }),
    ...(isId(conversion) && { conversion }),
  }
}
