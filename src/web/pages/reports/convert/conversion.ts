import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { whyNotAsk } from '#shared/block-rules.ts'
import {
  convertToGa4,
  isOfViews,
  withoutLostSort,
  type ConvertedReport,
  type Conversion,
} from '#shared/convert-to-ga4.ts'
import { catalogueIn, type KnownHere } from '#web/pages/reports/editor/known.ts'

type Account = Pick<AdAccount, 'id' | 'provider' | 'ga_account_id' | 'advertiser'>
type Properties = Pick<KnownHere, 'accounts' | 'meanings'>

/** The views of a report, each once. */
export const viewsOf = ({ channels }: ConvertedReport): number[] => [
  ...new Set(channels.flatMap(block => (isOfViews(block) ? block.accounts : []))),
]

/**
 * The property that most likely replaces a view: the only one of the same GA account, else the only one of
 * the same advertiser.
 */
export function likelyProperty(view: Account, properties: readonly Account[]): number | null {
  const of_account = properties.filter(
    ({ ga_account_id }) => ga_account_id !== null && ga_account_id === view.ga_account_id,
  )
  const of_advertiser = properties.filter(
    ({ advertiser }) => advertiser !== null && advertiser === view.advertiser,
  )
  return onlyOne(of_account) ?? onlyOne(of_advertiser)
}

const onlyOne = (accounts: readonly Account[]) => (accounts.length === 1 ? (accounts[0]?.id ?? null) : null)

/** The report over properties, without what GA4 does not support together; everything left out is listed. */
export function conversionOf(
  report: ConvertedReport,
  chosen: ReadonlyMap<number, number>,
  properties: Properties,
): { report: ConvertedReport; conversions: Conversion[] } {
  const { report: first, conversions } = convertToGa4(report, chosen)
  const dropped: Conversion[] = []
  let settled = first
  for (let next = refusedMetric(report, settled, properties); next;) {
    const { index, metric } = next
    const channels = settled.channels.map((block, at) =>
      at === index ? { ...block, metrics: block.metrics.filter(id => id !== metric) } : block,
    )
    settled = { ...settled, channels }
    dropped.push({ block: index, kind: 'metric', from: metric, to: null, quality: 'dropped' })
    next = refusedMetric(report, settled, properties)
  }
  return { report: withoutLostSort(settled), conversions: [...conversions, ...dropped] }
}

/** A metric that a converted block cannot have beside everything else. */
function refusedMetric(
  before: ConvertedReport,
  { dimensions, channels }: ConvertedReport,
  properties: Properties,
): { index: number; metric: string } | null {
  for (const [index, block] of channels.entries()) {
    const original = before.channels[index]
    if (!original || !isOfViews(original)) continue
    const accounts = properties.accounts.filter(({ id }) => block.accounts.includes(id))
    const catalogue = catalogueIn(block, properties)
    const refusal = whyNotAsk({ index, block, dimensions, catalogue, accounts }).find(
      ({ detail }) => typeof detail.metric === 'string' && block.metrics.includes(detail.metric),
    )
    if (typeof refusal?.detail.metric === 'string') return { index, metric: refusal.detail.metric }
  }
  return null
}

/** Every block of views has found a property. */
export const isComplete = (before: ConvertedReport, { channels }: ConvertedReport): boolean =>
  before.channels.every((block, index) => !isOfViews(block) || (channels[index]?.accounts.length ?? 0) > 0)
