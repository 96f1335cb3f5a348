import type { Dimension } from '#shared/channels/catalogue.ts'
import { columnsOf, type OracleColumn, type OracleReport } from './oracle.ts'

/* The first row of a table. */

type Language = 'en' | 'zh-TW'

export interface HeaderFacts {
  language: Language
  /** Of calculated metrics by their ids: how they are called, and whether they are money. */
  calculated: Record<string, { name: string; name_zh: string; is_money: boolean }>
  blends: { name: string; is_money: boolean }[]
  /** Of each block. */
  blocks: BlockNames[]
}

export interface BlockNames {
  /** The advertiser of all its accounts. */
  owner: number | null
  conversion: { name: string; name_zh: string } | null
  labels: Label[]
}

interface Label {
  advertiser: number | null
  channel: string | null
  metric: string
  label: string
  label_zh: string
}

export function oracleHeader(report: OracleReport, facts: HeaderFacts): string[] {
  const { language, blends } = facts
  const titles = report.dimensions.map(dimension => dimensionNames[dimension]?.[language] ?? dimension)
  if (report.arrangement === 'stacked') {
    const metrics = [...new Set(report.blocks.flatMap(block => block.metrics))]
    const holder = (metric: string) => report.blocks.findIndex(block => block.metrics.includes(metric))
    return [
      { en: 'Channel', 'zh-TW': '管道' }[language],
      ...titles,
      ...columnsOf(metrics, report).map(column => titleOf(column, holder(column.metric), { report, facts })),
    ]
  }
  const prefix = (index: number) => (report.blocks.length > 1 ? `${report.blocks[index]?.label} ` : '')
  return [
    ...titles,
    ...report.blocks.flatMap(({ metrics }, index) =>
      columnsOf(metrics, report).map(column => prefix(index) + titleOf(column, index, { report, facts })),
    ),
    ...blends.flatMap(({ name, is_money }) =>
      columnsOf([name], report).map(({ shows }) =>
        ending(inCurrency(name, { is_money, report }), { shows, report, language }),
      ),
    ),
  ]
}

interface Titled {
  report: OracleReport
  facts: HeaderFacts
}

function titleOf({ metric, shows }: OracleColumn, index: number, { report, facts }: Titled): string {
  const { language } = facts
  const names = facts.blocks[index]
  const calculated = facts.calculated[metric]
  if (calculated) {
    const name = language === 'en' ? calculated.name : calculated.name_zh
    const { is_money } = calculated
    return ending(inCurrency(name, { is_money, report }), { shows, report, language })
  }
  const own = usual[metric] ?? metric
  const label = names && labelOf(names, metric)
  const name = label
    ? language === 'en'
      ? label.label
      : label.label_zh
    : { en: own, 'zh-TW': `${own}（中）` }[language]
  const meant = meantByDefinitions.includes(metric) ? names?.conversion : null
  const withDefinition = meant
    ? { en: `${name} (${meant.name})`, 'zh-TW': `${name}（${meant.name_zh}）` }[language]
    : name
  const is_money = ['cost', 'value', 'client_cost', 'cpc', 'cpm'].includes(metric)
  return ending(inCurrency(withDefinition, { is_money, report }), { shows, report, language })
}

/** Its advertiser's before the agency's, and the channel's before that of all. */
function labelOf({ owner, labels }: BlockNames, metric: string): Label | undefined {
  const found = (advertiser: number | null, channel: string | null) =>
    labels.find(each => each.metric === metric && each.advertiser === advertiser && each.channel === channel)
  const own = owner === null ? undefined : (found(owner, 'fb') ?? found(owner, null))
  return own ?? found(null, 'fb') ?? found(null, null)
}

const inCurrency = (name: string, { is_money, report }: { is_money: boolean; report: OracleReport }) =>
  is_money && report.money.currency ? `${name} (${report.money.currency})` : name

function ending(
  name: string,
  { shows, report, language }: { shows: OracleColumn['shows']; report: OracleReport; language: Language },
): string {
  const to = report.comparison?.to ?? 'previous_period'
  const words = {
    now: { en: '', 'zh-TW': '' },
    value:
      to === 'last_year'
        ? { en: 'last year', 'zh-TW': '去年同期' }
        : { en: 'previous period', 'zh-TW': '前期' },
    change: { en: 'change', 'zh-TW': '變化' },
    percent: { en: 'change %', 'zh-TW': '變化率' },
  }[shows][language]
  return words === '' ? name : `${name} ${words}`
}

/** What definitions mean, as far as the channel has it. */
const meantByDefinitions = ['conversions', 'cvr', 'roas']

const usual: Record<string, string> = {
  clicks: 'Clicks',
  impressions: 'Impressions',
  cost: 'Cost',
  conversions: 'Conversions',
  value: 'Value',
  sessions: 'Sessions',
  client_cost: 'Client cost',
  ctr: 'CTR',
  cpc: 'CPC',
  cpm: 'CPM',
  cvr: 'CVR',
  roas: 'ROAS',
}

const dimensionNames: Partial<Record<Dimension, Record<Language, string>>> = {
  month: { en: 'Month', 'zh-TW': '月' },
  week: { en: 'Week', 'zh-TW': '週' },
  date: { en: 'Date', 'zh-TW': '日期' },
  account_name: { en: 'Account name', 'zh-TW': '帳戶名稱' },
  account_id: { en: 'Account ID', 'zh-TW': '帳戶 ID' },
  currency: { en: 'Currency', 'zh-TW': '幣別' },
  campaign: { en: 'Campaign', 'zh-TW': '廣告活動' },
  ad_group: { en: 'Ad group', 'zh-TW': '廣告群組' },
  device_type: { en: 'Device type', 'zh-TW': '裝置類型' },
}
