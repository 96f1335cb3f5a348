import type { Meanings } from '#shared/block-catalogue.ts'
import type { ChannelCatalogue, Metric } from '#shared/channels/catalogue.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { Page } from '#server/connectors/connector.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import { chunksOf } from '#server/table/chunks.ts'
import type { MoneyFacts } from '#server/table/plan-money.ts'
import { planReport, type AccountFacts, type Plan, type TableFields } from '#server/table/plan.ts'
import { startTable, type Table } from '#server/table/shape.ts'

const count = (id: string): Metric => ({ ...facts(id), kind: 'additive', unit: 'count', decimals: 0 })
const facts = (id: string) => ({
  names: { en: id, 'zh-TW': `${id}（中）` },
  explanation: { en: '', 'zh-TW': '' },
  group: 'delivery' as const,
  platform_field: id,
})

const metrics: Record<string, Metric> = {
  Impressions: count('Impressions'),
  Clicks: count('Clicks'),
  Sessions: count('Sessions'),
  Cost: { ...facts('Cost'), kind: 'additive', unit: 'money', decimals: 2 },
  client_cost: { ...facts('Client cost'), kind: 'additive', unit: 'money', decimals: 2, from: 'cost' },
  Value: { ...facts('Value'), kind: 'additive', unit: 'money', decimals: 2 },
  Conversions: { ...facts('Conversions'), kind: 'additive', unit: 'count', decimals: 2 },
  Reach: {
    ...facts('Reach'),
    kind: 'non_additive',
    unit: 'count',
    decimals: 0,
    per_account: true,
    not_with: ['device_type'],
  },
  Rank: {
    ...facts('Rank'),
    kind: 'non_additive',
    unit: 'text',
    decimals: 0,
    per_account: true,
    texts: [
      { en: 'low', 'zh-TW': '低' },
      { en: 'high', 'zh-TW': '高' },
    ],
  },
  CTR: derived('CTR', 'percent', { numerator: 'Clicks', denominator: 'Impressions' }),
  CPC: derived('CPC', 'money', { numerator: 'Cost', denominator: 'Clicks' }),
  CPM: derived('CPM', 'money', { numerator: 'Cost', denominator: 'Impressions', times: 1000 }),
  ROAS: derived('ROAS', 'ratio', { numerator: 'Value', denominator: 'Cost' }),
  CVR: derived('CVR', 'percent', { numerator: 'Conversions', denominator: 'Clicks' }),
}

/** A channel of every kind of metric, independent of what the real ones offer. */
export const testCatalogue: ChannelCatalogue = {
  names: { en: 'Meta ads', 'zh-TW': 'Meta 廣告' },
  explanation: { en: '', 'zh-TW': '' },
  accounts: 'ad_account',
  dimensions: [
    'month',
    'week',
    'date',
    'account_name',
    'account_id',
    'currency',
    'campaign',
    'ad_group',
    'ad',
    'device_type',
  ],
  metrics: { ...metrics, ...underSmallLetters(metrics) },
  usual_metrics: ['impressions'],
  filters: ['ecid', 'account_id', 'account_name', 'campaign_name', 'ad_group_name', 'ad_name', 'device_type'],
  history_months: 37,
}

/** The same metrics by the names that formulas can spell. */
function underSmallLetters(all: Record<string, Metric>): Record<string, Metric> {
  return Object.fromEntries(
    Object.entries(all).map(([id, metric]) => [id.toLowerCase(), withSmallLetters(metric)]),
  )
}

function withSmallLetters(metric: Metric): Metric {
  if (metric.kind !== 'derived') return metric
  const { numerator, denominator, ...formula } = metric.formula
  const small = { numerator: numerator.toLowerCase(), denominator: denominator.toLowerCase() }
  return { ...metric, formula: { ...formula, ...small } }
}

function derived(
  id: string,
  unit: 'percent' | 'money' | 'ratio',
  formula: { numerator: string; denominator: string; times?: number },
): Metric {
  return { ...facts(id), kind: 'derived', unit, decimals: 2, formula }
}

export const testAccount = (id: number, more: Partial<AccountFacts> = {}): AccountFacts => ({
  id,
  channel: 'fb',
  provider: 'meta',
  external_id: String(1000 + id),
  name: `Account ${id}`,
  currency: 'USD',
  timezone: 'Asia/Taipei',
  ecid: null,
  advertiser: null,
  via: null,
  public_account: null,
  ga_account_id: null,
  ga_account_name: null,
  property_id: null,
  property_name: null,
  ...more,
})

type TestBlock = Partial<TableFields['channels'][number]>
export type TestReport = Partial<Omit<TableFields, 'channels'>> & {
  blocks: TestBlock[]
  accounts?: AccountFacts[]
  range?: DayRange
  meanings?: Meanings
  money?: MoneyFacts
}

/** A plan over the test catalogue: by default one account, 2026-11-01 … 2026-11-03. */
export function testPlan({ blocks, accounts = [testAccount(1)], range, ...more }: TestReport): Plan {
  const { meanings, money, ...fields } = more
  const report: TableFields = {
    dimensions: ['date'],
    arrangement: 'joined',
    fill_zero: false,
    header_language: 'en',
    ...fields,
    channels: blocks.map(block => ({
      channel: 'fb',
      label: null,
      accounts: [1],
      metrics: ['Clicks'],
      filters: [],
      on_error: 'leave_empty',
      ...block,
    })),
  }
  return planReport(report, {
    accounts,
    range: range ?? { start: '2026-11-01', end: '2026-11-03' },
    catalogueOf: () => testCatalogue,
    ...(meanings && { meanings }),
    ...(money && { money }),
  })
}

/**
 * One row of a response: its day, the dimensions as "key" or "key=label", the metrics in the order of the
 * request.
 */
export interface TestRow {
  date: string
  dimensions?: string[]
  metrics: number[]
}

export function pageOf(rows: readonly TestRow[]): Page {
  const [first] = rows
  const split = (row: TestRow, position: number) => {
    const [key = '', label = key] = (row.dimensions?.[position] ?? '').split('=')
    return { key, label }
  }
  return {
    length: rows.length,
    dates: textColumn(rows.map(row => row.date)),
    dimensions: (first?.dimensions ?? []).map((_, position) => ({
      keys: textColumn(rows.map(row => split(row, position).key)),
      labels: textColumn(rows.map(row => split(row, position).label)),
    })),
    metrics: (first?.metrics ?? []).map((_, position) =>
      Float64Array.from(rows, row => row.metrics[position] ?? Number.NaN),
    ),
  }
}

/** The table after each request got its rows, in one page each. */
export function tableOf(plan: Plan, responses: readonly TestRow[][]): Table {
  const collector = startTable(plan)
  responses.forEach((rows, request) => collector.add(request, pageOf(rows)))
  return collector.finish()
}

/** The cells as a spreadsheet gets them, header included. */
export function cellsOfTable(table: Table, maxBytes?: number): unknown[][] {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return [...chunksOf(table, maxBytes)].flatMap(chunk => JSON.parse(decoder.decode(chunk.json)))
}

/** Serial number of a day. */
export const serial = (day: string): number => Date.parse(day) / 86_400_000 + 25_569
