import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import { calculatedId } from '#shared/block-catalogue.ts'
import type { Trx } from '#server/db/transaction.ts'

/** What numbers mean in the demo, by the names with which its reports take them. */
export interface DemoMeanings {
  metrics: Map<string, string>
  conversions: Map<string, number>
}

const metrics = [
  {
    advertiser: null,
    name: 'Average order value',
    name_zh: '平均訂單金額',
    explanation: 'What one conversion is worth on average.',
    formula: 'conversion_value / conversions',
    unit: 'money',
    decimals: 0,
  },
  {
    advertiser: null,
    name: 'Cost per purchase or lead',
    name_zh: '每次購買或名單成本',
    explanation: '',
    formula: 'cost / (purchases + leads)',
    unit: 'money',
    decimals: 2,
  },
  {
    advertiser: 'Aurora Cosmetics',
    name: 'Return with fee',
    name_zh: '含服務費投資報酬率',
    explanation: 'What comes back of each dollar, the service fee included.',
    formula: 'conversion_value ÷ client_cost',
    unit: 'ratio',
    decimals: 2,
  },
] as const

const orders: ConversionEntry[] = [
  { channel: 'fb', metric: 'purchases' },
  { channel: 'aw', metric: 'conversions' },
  { channel: 'yg', metric: 'conversions' },
  { channel: 'ga4', metric: 'transactions' },
]

const labels = [
  {
    advertiser: null,
    channel: 'fb',
    metric: 'landing_page_views',
    label: 'Site visits',
    label_zh: '到站次數',
  },
] as const

/** Three calculated metrics, a definition of conversions and a name of a metric. */
export async function insertMeanings(
  trx: Trx,
  { advertisers }: { advertisers: ReadonlyMap<string, number> },
): Promise<DemoMeanings> {
  const idOf = (name: string | null) => (name === null ? null : (advertisers.get(name) ?? null))
  const inserted = await trx
    .insertInto('calculated_metric')
    .values(metrics.map(metric => ({ ...metric, advertiser: idOf(metric.advertiser) })))
    .returning(['id', 'name'])
    .execute()
  const definitions = await trx
    .insertInto('conversion_definition')
    .values({
      advertiser: idOf('Aurora Cosmetics') ?? 0,
      name: 'Orders',
      name_zh: '訂單',
      entries: JSON.stringify(orders),
    })
    .returning(['id', 'name'])
    .execute()
  await trx.insertInto('metric_label').values(labels).execute()
  return {
    metrics: new Map(inserted.map(({ id, name }) => [name, calculatedId(id)])),
    conversions: new Map(definitions.map(({ id, name }) => [name, id])),
  }
}
