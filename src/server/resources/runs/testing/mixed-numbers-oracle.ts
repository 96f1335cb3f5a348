import { catalogueOf } from '#shared/channels/all.ts'
import { type Channel, channelNames, dimensions as catalogueDimensions } from '#shared/channels/catalogue.ts'
import type { Dimension, Filter } from '#shared/channels/catalogue.ts'
import type { FoundAccount } from './mixed-agency.ts'

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
}

export interface MixedBlock {
  channel: Channel
  label: string | null
  accounts: FoundAccount[]
  metrics: string[]
  filters: Filter[]
}

/** The numbers of one place on one day. Money in hundredths of a currency unit. */
export interface Fact {
  date: string
  account: FoundAccount
  dimensionValues: Partial<Record<Dimension, Value>>
  amounts: Record<string, number>
}
/** What identifies rows, and what is printed. */
interface Value {
  key: string
  print: string
}

export type Cell = string | number

/** What may be compared of a column: its cells, its sums alone, or nothing. */
export type ColumnKind = 'label' | 'sum' | 'quotient' | 'unknown'
export interface ExpectedTable {
  header: string[]
  kinds: ColumnKind[]
  rows: Cell[][]
}

const quotients: Record<string, { over: string; under: string; times: number }> = {
  ctr: { over: 'clicks', under: 'impressions', times: 1 },
  cpc: { over: 'cost', under: 'clicks', times: 1 },
  cpm: { over: 'cost', under: 'impressions', times: 1000 },
}
/** Each is a sum of whole numbers; the cell is so many of them. */
const sums: Record<string, number> = { impressions: 1, clicks: 1, cost: 100, sessions: 1, total_events: 1 }

const kindOf = (metric: string): ColumnKind =>
  metric in sums ? 'sum' : metric in quotients ? 'quotient' : 'unknown'

const isTime = (dimension: Dimension): dimension is 'month' | 'week' | 'date' =>
  ['month', 'week', 'date'].includes(dimension)

/** The table with its header; `blockFacts` are the facts of each block, null where it has no output. */
export function tableOf(original: MixedReport, blockFacts: readonly (Fact[] | null)[]): ExpectedTable {
  const report = { ...original, blocks: original.blocks.map(withKnownMetrics) }
  const { blocks, dimensions, header_language: language, arrangement } = report
  const labels = labelsOf(report)
  const titles = dimensions.map(dimension => catalogueDimensions[dimension].names[language])
  if (arrangement === 'joined') {
    const layout = blocks.flatMap(({ metrics }, block) => metrics.map(metric => ({ metric, block })))
    const prefix = (block: number) => (blocks.length > 1 ? `${labels[block]} ` : '')
    return {
      header: [
        ...titles,
        ...layout.map(({ metric, block }) => prefix(block) + nameOf(report, metric, block)),
      ],
      kinds: [...titles.map(() => 'label' as const), ...layout.map(({ metric }) => kindOf(metric))],
      rows: rowsOf(report, blockFacts).map(({ prints, factsOf }) => [
        ...prints,
        ...layout.map(({ metric, block }) =>
          blockFacts[block] ? cellOf(report, metric, factsOf.get(block) ?? []) : '',
        ),
      ]),
    }
  }
  const metrics = [...new Set(blocks.flatMap(block => block.metrics))]
  const holder = (metric: string) => blocks.findIndex(block => block.metrics.includes(metric))
  return {
    header: [
      language === 'en' ? 'Channel' : '管道',
      ...titles,
      ...metrics.map(metric => nameOf(report, metric, holder(metric))),
    ],
    kinds: ['label', ...titles.map(() => 'label' as const), ...metrics.map(kindOf)],
    rows: blocks.flatMap((block, index) => {
      const answer = blockFacts[index]
      if (!answer) return []
      const only = blockFacts.map((facts, other) => (other === index ? facts : null))
      return rowsOf(report, only).map(({ prints, factsOf }) => [
        labels[index] ?? '',
        ...prints,
        ...metrics.map(metric =>
          cellOf(report, metric, block.metrics.includes(metric) ? (factsOf.get(index) ?? []) : []),
        ),
      ])
    }),
  }
}

/** A dimension that a channel does not have has no name either. */
const withKnownMetrics = (block: MixedBlock): MixedBlock => ({
  ...block,
  metrics: block.metrics.filter(metric => metric in catalogueOf(block.channel).metrics),
})

function nameOf({ blocks, header_language }: MixedReport, metric: string, block: number): string {
  const channel = blocks[block]?.channel
  const known = channel && Object.entries(catalogueOf(channel).metrics).find(([id]) => id === metric)
  return known ? known[1].names[header_language] : metric
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

interface Row {
  prints: Cell[]
  factsOf: Map<number, Fact[]>
}

function rowsOf(report: MixedReport, blockFacts: readonly (Fact[] | null)[]): Row[] {
  const { dimensions } = report
  const rows = new Map<string, Row>()
  const at = (dimensionValues: readonly Value[]) => {
    const key = JSON.stringify(dimensionValues.map(value => value.key))
    const prints = dimensionValues.map(({ print }, index) =>
      isTime(dimensions[index] ?? 'ad') ? serialOf(print) : print,
    )
    const row = rows.get(key) ?? { prints, factsOf: new Map() }
    rows.set(key, row)
    return row
  }
  const valuesOf = (fact: Fact) => dimensions.map(dimension => valueOf(dimension, fact))
  const facts = blockFacts.flatMap((answer, block) => (answer ?? []).map(fact => ({ fact, block })))
  for (const { fact, block } of facts) {
    const { factsOf } = at(valuesOf(fact))
    const ofBlock = factsOf.get(block) ?? []
    ofBlock.push(fact)
    factsOf.set(block, ofBlock)
  }
  if (report.fill_zero && dimensions.some(isTime)) {
    const only_time = dimensions.every(isTime)
    const distinct = new Map(
      facts.map(({ fact }) => {
        const dimensionValues = valuesOf(fact)
        const others = dimensionValues.filter((_, index) => !isTime(dimensions[index] ?? 'ad'))
        return [JSON.stringify(others.map(({ key }) => key)), dimensionValues]
      }),
    )
    const others = only_time ? [dimensions.map(() => ({ key: '', print: '' }))] : [...distinct.values()]
    for (const day of daysOf(report.range))
      for (const dimensionValues of others)
        at(
          dimensionValues.map((value, index) => {
            const dimension = dimensions[index] ?? 'ad'
            return isTime(dimension) ? timePlace(dimension, day) : value
          }),
        )
  }
  return [...rows.values()]
}

function valueOf(dimension: Dimension, { date, account, dimensionValues }: Fact): Value {
  if (isTime(dimension)) return timePlace(dimension, date)
  const { channel, external_id, name, currency } = account
  switch (dimension) {
    case 'account_name':
      return { key: `${channel} ${external_id}`, print: name }
    case 'currency':
      return { key: currency, print: currency }
    // Each platform has its own kinds of devices: only their sums are known.
    case 'device_type':
      return { key: '', print: '' }
    default: {
      const value = dimensionValues[dimension]
      if (!value) throw new Error(`nothing is known of ${dimension}`)
      return value
    }
  }
}

function timePlace(dimension: 'month' | 'week' | 'date', day: string): Value {
  const date = Temporal.PlainDate.from(day)
  const first =
    dimension === 'month'
      ? date.with({ day: 1 })
      : dimension === 'week'
        ? date.subtract({ days: date.dayOfWeek - 1 })
        : date
  return { key: first.toString(), print: first.toString() }
}

/** Spreadsheets count days from 30 December 1899. */
const serialOf = (day: string) => Temporal.PlainDate.from('1899-12-30').until(day).days

function* daysOf({ start, end }: Days): Generator<string> {
  for (let day = start; day <= end; day = Temporal.PlainDate.from(day).add({ days: 1 }).toString()) yield day
}

function cellOf(report: MixedReport, metric: string, facts: readonly Fact[]): Cell {
  const empty = report.fill_zero ? 0 : ''
  if (facts.length === 0) return empty
  const sum = (of: string) => facts.reduce((total, { amounts }) => total + (amounts[of] ?? 0), 0)
  const part = sums[metric]
  if (part !== undefined) return sum(metric) / part
  const quotient = quotients[metric]
  if (!quotient) return empty
  const { over, under, times } = quotient
  return sum(under) === 0 ? empty : (sum(over) * times) / (sums[over] ?? 1) / sum(under)
}
