import { catalogueOf } from '#shared/channels/all.ts'
import { type Channel, channelNames, dimensions as catalogueDimensions } from '#shared/channels/catalogue.ts'
import type { Dimension, Filter } from '#shared/channels/catalogue.ts'
import type { ComparedWith } from '#server/table/testing/oracle-days.ts'
import {
  blendValue,
  columnsOf,
  columnValue,
  isUnknown,
  type ComparedPart,
  type OracleCell,
  type OracleColumn,
  type OracleReport,
} from '#server/table/testing/oracle.ts'
import { numberOf } from '#server/table/testing/oracle-numbers.ts'
import type { FoundAccount } from './mixed-agency.ts'
import { definition, labels, oracleMoney, operandsIn, type MixedFormula } from './mixed-numbers-meaning.ts'
import { comparedOf, rowsOf, type Row } from './mixed-numbers-rows.ts'

/*
 * The table of a report over several channels, computed from the data of single days, with plain objects and
 * whole numbers. It shares no code with the product; of the catalogue it takes the names that headers print.
 */

export interface Days {
  start: string
  end: string
}

export interface MixedReport {
  range: Days
  dimensions: Dimension[]
  arrangement: 'joined' | 'stacked'
  fill_zero: boolean
  header_language: 'en' | 'zh-TW'
  blocks: MixedBlock[]
  /** By the ids of their columns. */
  formulas: Record<string, MixedFormula>
  blends: MixedFormula[]
  currency: string | null
  comparison: (ComparedWith & { show: ComparedPart[] }) | null
  note: boolean
}

export interface MixedBlock {
  channel: Channel
  label: string | null
  accounts: FoundAccount[]
  metrics: string[]
  filters: Filter[]
  /** Its conversions are those of the definition. */
  is_meant: boolean
}

/** The numbers of one place on one day. Money in millionths of a currency unit. */
export interface Fact {
  date: string
  account: FoundAccount
  dimensionValues: Partial<Record<Dimension, Value>>
  amounts: Record<string, number | undefined>
}
/** What identifies rows, and what is printed. */
export interface Value {
  key: string
  print: string
}

export type Cell = string | number

/** What may be compared of a column: its cells, its cells but for what was rounded, or nothing. */
export type ColumnKind = 'label' | 'sum' | 'quotient' | 'about' | 'unknown'
export interface ExpectedTable {
  header: string[]
  kinds: ColumnKind[]
  rows: OracleCell[][]
}

const sums = [
  'impressions',
  'clicks',
  'cost',
  'client_cost',
  'sessions',
  'total_events',
  'conversions',
  'conversion_value',
]
const quotients = ['ctr', 'cpc', 'cpm', 'cpa', 'cvr', 'roas']

/** The table with its header; `blockFacts` are the facts of each block, null where it has no output. */
export function tableOf(original: MixedReport, blockFacts: readonly (Fact[] | null)[]): ExpectedTable {
  const report = { ...original, blocks: original.blocks.map(block => withKnownMetrics(block, original)) }
  return report.arrangement === 'joined' ? joined(report, blockFacts) : stacked(report, blockFacts)
}

type BlockFacts = readonly (Fact[] | null)[]

function joined(report: MixedReport, blockFacts: BlockFacts): ExpectedTable {
  const { blocks, dimensions } = report
  const numbers = oracleReport(report, blockFacts)
  const names = labelsOf(report)
  const titles = dimensions.map(dimension => catalogueDimensions[dimension].names[report.header_language])
  const prefix = (block: number) => (blocks.length > 1 ? `${names[block]} ` : '')
  const layout = blocks.flatMap(({ metrics }, of) =>
    columnsOf(metrics, numbers).map(column => ({ column, of })),
  )
  const blends = numbers.blends.flatMap((blend, at) =>
    columnsOf([blend.name], numbers).map(column => ({ blend, column, formula: report.blends[at] })),
  )
  return {
    header: [
      ...titles,
      ...layout.map(({ column, of }) => prefix(of) + titleOf(report, column, of)),
      ...blends.map(({ column, formula }) =>
        ending(inCurrency(column.metric, formula?.unit === 'money', report), column, report),
      ),
    ],
    kinds: [
      ...titles.map(() => 'label' as const),
      ...layout.map(({ column, of }) => kindOf(column, [of], report)),
      ...report.blends.flatMap(({ tree }) =>
        columnsOf([''], numbers).map(() =>
          isRounded(operandsIn(tree), [...blocks.keys()], report)
            ? ('unknown' as const)
            : ('quotient' as const),
        ),
      ),
    ],
    rows: rowsOf(report, blockFacts).map(row => [
      ...row.prints.map(plain),
      ...layout.map(({ column, of }) =>
        blockFacts[of] ? cellOf(report, columnIn(row, column, { report: numbers, of })) : plain(''),
      ),
      ...blends.map(({ blend, column }) => {
        if (isUnknown(blend, numbers)) return plain('')
        const value = blendValue(blend, { shows: column.shows, sidesOf: row.sidesOf }, numbers)
        return cellOf(report, isOf(row, column) ? value : null)
      }),
    ]),
  }
}

function stacked(report: MixedReport, blockFacts: BlockFacts): ExpectedTable {
  const { blocks, dimensions, header_language: language } = report
  const numbers = oracleReport(report, blockFacts)
  const metrics = [...new Set(blocks.flatMap(block => block.metrics))]
  const columns = columnsOf(metrics, numbers)
  const holder = (metric: string) => blocks.findIndex(block => block.metrics.includes(metric))
  const names = labelsOf(report)
  const titles = dimensions.map(dimension => catalogueDimensions[dimension].names[language])
  return {
    header: [
      language === 'en' ? 'Channel' : '管道',
      ...titles,
      ...columns.map(column => titleOf(report, column, holder(column.metric))),
    ],
    kinds: [
      'label',
      ...titles.map(() => 'label' as const),
      ...columns.map(column => kindOf(column, [...blocks.keys()], report)),
    ],
    rows: blocks.flatMap((block, of) => {
      if (!blockFacts[of]) return []
      const only = blockFacts.map((facts, other) => (other === of ? facts : null))
      return rowsOf(report, only).map(row => [
        plain(names[of] ?? ''),
        ...row.prints.map(plain),
        ...columns.map(column => {
          const has = block.metrics.includes(column.metric)
          return cellOf(report, has ? columnIn(row, column, { report: numbers, of }) : null)
        }),
      ])
    }),
  }
}

const plain = (print: Cell): OracleCell => ({ print, doubt: 0 })

/** Compared cells of a day without a match are empty. */
const isOf = ({ is_matched }: Row, { shows }: OracleColumn) => is_matched || shows === 'now'

const columnIn = (row: Row, column: OracleColumn, place: Parameters<typeof columnValue>[2]) =>
  isOf(row, column) ? columnValue(column, row.sidesOf.get(place.of), place) : null

function cellOf({ fill_zero }: MixedReport, value: ReturnType<typeof columnValue>): OracleCell {
  if (!value) return plain(fill_zero ? 0 : '')
  return { print: numberOf(value), doubt: value.doubt }
}

/** The meaning of the numbers, without the rows. */
function oracleReport(report: MixedReport, blockFacts: BlockFacts): OracleReport {
  const { range, formulas, comparison } = report
  const days = comparedOf(report)
  const shares = Object.entries(formulas).flatMap(([id, { unit }]) => (unit === 'percent' ? id : []))
  return {
    dimensions: report.dimensions,
    arrangement: report.arrangement,
    fill_zero: report.fill_zero,
    sort: null,
    limit: null,
    days: [range.start, range.end],
    blocks: report.blocks.map(({ metrics, filters }, at) => ({
      label: '',
      metrics,
      filters,
      accounts: [],
      facts: [],
      conversion: null,
      is_dropped: blockFacts[at] === null,
    })),
    formulas: Object.fromEntries(Object.entries(formulas).map(([id, { tree }]) => [id, tree])),
    shares: new Set(['ctr', 'cvr', ...shares]),
    blends: report.blends.map(({ name, tree, unit }) => ({ name, tree, is_share: unit === 'percent' })),
    money: oracleMoney(report.currency),
    comparison: comparison && days && { ...comparison, days },
  }
}

function kindOf({ metric, shows }: OracleColumn, of: number[], report: MixedReport): ColumnKind {
  const formula = report.formulas[metric]
  const is_difference = shows === 'change' || shows === 'percent'
  if (isRounded(formula ? operandsIn(formula.tree) : [metric], of, report))
    return formula || is_difference || quotients.includes(metric) ? 'unknown' : 'about'
  if (formula || quotients.includes(metric)) return 'quotient'
  if (!sums.includes(metric)) return 'unknown'
  return is_difference ? 'quotient' : 'sum'
}

const money = ['cost', 'client_cost', 'conversion_value', 'cpc', 'cpm', 'cpa', 'roas']

/** Money that is rounded row by row, where each platform has its own kinds of devices. */
function isRounded(metrics: string[], of: number[], report: MixedReport): boolean {
  const { dimensions, blocks, currency } = report
  const changes =
    metrics.includes('client_cost') || (currency !== null && metrics.some(id => money.includes(id)))
  const splits = of.some(at => blocks[at]?.filters.some(({ field }) => field === 'device_type'))
  return changes && (splits || dimensions.includes('device_type'))
}

/** A dimension that a channel does not have has no name either. */
const withKnownMetrics = (block: MixedBlock, { formulas }: MixedReport): MixedBlock => ({
  ...block,
  metrics: block.metrics.filter(metric => metric in catalogueOf(block.channel).metrics || metric in formulas),
})

function titleOf(report: MixedReport, column: OracleColumn, block: number): string {
  const { metric } = column
  const formula = report.formulas[metric]
  const name = formula ? formula.name : nameOf(report, metric, block)
  const unit = formula?.unit ?? metricOf(report, metric, block)?.unit
  return ending(inCurrency(name, unit === 'money', report), column, report)
}

const metricOf = ({ blocks }: MixedReport, metric: string, block: number) => {
  const channel = blocks[block]?.channel
  return channel && Object.entries(catalogueOf(channel).metrics).find(([id]) => id === metric)?.[1]
}

function nameOf(report: MixedReport, metric: string, at: number): string {
  const { header_language: language } = report
  const block = report.blocks[at]
  const label =
    labels.find(each => each.metric === metric && each.channel === block?.channel) ??
    labels.find(each => each.metric === metric && each.channel === null)
  const named = label && { en: label.label, 'zh-TW': label.label_zh }[language]
  const name = named ?? metricOf(report, metric, at)?.names[language] ?? metric
  if (!block?.is_meant || !meantMetrics.includes(metric)) return name
  return language === 'en' ? `${name} (${definition.name})` : `${name}（${definition.name_zh}）`
}

export const meantMetrics = ['conversions', 'conversion_value', 'cpa', 'cvr', 'roas']

const inCurrency = (name: string, is_money: boolean, { currency }: MixedReport) =>
  is_money && currency !== null ? `${name} (${currency})` : name

function ending(name: string, { shows }: OracleColumn, { comparison, header_language }: MixedReport): string {
  const before = comparison?.to === 'last_year' ? ['last year', '去年同期'] : ['previous period', '前期']
  const words = { now: ['', ''], value: before, change: ['change', '變化'], percent: ['change %', '變化率'] }
  const [en, zh] = words[shows]
  return `${name} ${header_language === 'en' ? en : zh}`.trimEnd()
}

function labelsOf({ blocks, header_language }: MixedReport): string[] {
  const taken = blocks.flatMap(({ label }) => label ?? [])
  return blocks.map(({ channel, label }) => {
    if (label !== null) return label
    const usual = channelNames[channel][header_language]
    const free = [usual, ...[2, 3, 4, 5].map(number => `${usual} ${number}`)].find(
      each => !taken.includes(each),
    )
    taken.push(free ?? '')
    return free ?? ''
  })
}
