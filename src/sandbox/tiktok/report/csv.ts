import type { Query } from './query.ts'
import type { Row } from './rows.ts'

/**
 * The file of a task: dimensions, then metrics, under their own names or under what Ads Manager calls them.
 */
export function csvOf(
  query: Query,
  rows: readonly Row[],
  { translated, with_midnight }: { translated: boolean; with_midnight: boolean },
): string {
  const names = [...query.dimensions, ...query.metrics]
  const titles = translated ? names.map(name => LABELS[name] ?? labelOf(name)) : names
  const lines = rows.map(({ dimensions, metrics }) => [
    ...query.dimensions.map(name => {
      const value = dimensions[name] ?? ''
      return name === 'stat_time_day' && !with_midnight ? value.slice(0, 10) : value
    }),
    ...query.metrics.map(name => metrics[name] ?? ''),
  ])
  return [titles, ...lines].map(line => `${line.map(cell).join(',')}\n`).join('')
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const LABELS: Record<string, string> = {
  stat_time_day: 'By Day',
  ad_id: 'Ad ID',
  adgroup_id: 'Ad Group ID',
  campaign_id: 'Campaign ID',
  advertiser_id: 'Account ID',
  spend: 'Cost',
  clicks: 'Clicks (destination)',
  complete_payment: 'Purchases (website)',
  total_complete_payment_rate: 'Purchase value (website)',
}

const labelOf = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
