import { dimensions as catalogueDimensions, type Dimension, type Filter } from '#shared/channels/catalogue.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import { numbersOf, onceFields, sumFields, type Total } from './right-numbers-metrics-oracle.ts'
import type { Days, Wire, WireRow } from './right-numbers-wire-oracle.ts'

/*
 * The table of a report, computed from Meta's numbers of single ads and days, with plain objects and whole
 * numbers. What cannot be summed is fetched separately, a request for each slice of days. It shares no code
 * with the product; of the catalogue it takes the names that headers print.
 */

export interface NumbersReport {
  now: string
  range: Days
  dimensions: Dimension[]
  arrangement: 'joined' | 'stacked'
  fill_zero: boolean
  sort: { by: string; block: number | null; descending: boolean } | null
  limit: number | null
  header_language: 'en' | 'zh-TW'
  accounts: NumbersAccount[]
  blocks: NumbersBlock[]
}

export interface NumbersAccount {
  external_id: string
  name: string
  ecid: string | null
  currency: string
  timezone: string
  /** The customer revoked the access, or the login to it has expired. */
  isLost: boolean
  /** Whether its report jobs finish. */
  has_jobs: boolean
}

export interface NumbersBlock {
  label: string | null
  /** Positions in the report's accounts. */
  accounts: number[]
  metrics: string[]
  filters: Filter[]
}

/** The outcome of a block: refused or failed with one of the codes, or its facts. */
export type BlockAnswer = { codes: string[] } | { facts: Fact[]; unsummed: UnsummedTotal[] }

/** One ad on one day, perhaps on one kind of device. */
interface Fact {
  day: string
  account: NumbersAccount
  row: WireRow
}
/** The platform's numbers of a slice of days. */
interface UnsummedTotal {
  slice: string
  account: NumbersAccount
  row: WireRow
}

type Cell = string | number

const entities = {
  campaign: { id: 'campaign_id', name: 'campaign_name', level: 'campaign' },
  ad_group: { id: 'adset_id', name: 'adset_name', level: 'adset' },
  ad: { id: 'ad_id', name: 'ad_name', level: 'ad' },
} as const
const order = ['campaign', 'ad_group', 'ad'] as const
type Entity = (typeof order)[number]
const isEntity = (dimension: Dimension | string): dimension is Entity =>
  order.some(each => each === dimension)
const isTime = (dimension: Dimension): dimension is 'month' | 'week' | 'date' =>
  ['month', 'week', 'date'].includes(dimension)

const filtered: Record<MetaField, Entity | 'device_type' | 'account'> = {
  ecid: 'account',
  account_id: 'account',
  account_name: 'account',
  campaign_name: 'campaign',
  ad_group_name: 'ad_group',
  ad_name: 'ad',
  device_type: 'device_type',
}

type MetaField =
  | 'ecid'
  | 'account_id'
  | 'account_name'
  | 'campaign_name'
  | 'ad_group_name'
  | 'ad_name'
  | 'device_type'

function comparedColumn(field: Filter['field']) {
  if (!(field in filtered)) throw new Error(`Meta has no ${field}`)
  return filtered[field as MetaField]
}

/** Every block of a report, fetched over the API. */
export async function answersTo(report: NumbersReport, wire: Wire): Promise<BlockAnswer[]> {
  const responses: BlockAnswer[] = []
  for (const block of report.blocks) {
    const accounts = queriedAccounts(report, block)
    const codes = whyNot(report, block, accounts)
    responses.push(codes.length > 0 ? { codes } : await fetchBlock(report, { block, accounts, wire }))
  }
  return responses
}

export function queriedAccounts({ accounts }: NumbersReport, block: NumbersBlock): NumbersAccount[] {
  return block.accounts.flatMap(position => {
    const account = accounts[position]
    if (!account) return []
    const { ecid, external_id: account_id, name: account_name } = account
    const texts: Record<string, string> = { ecid: ecid ?? '', account_id, account_name }
    const own = block.filters.filter(({ field }) => comparedColumn(field) === 'account')
    return own.every(filter => passes(filter, texts[filter.field] ?? '')) ? [account] : []
  })
}

/**
 * Why a block has no output: combinations that no platform supports, days that are too long ago, accounts
 * that are gone.
 */
export function whyNot(report: NumbersReport, block: NumbersBlock, accounts: NumbersAccount[]): string[] {
  const unsummed = block.metrics.filter(metric => onceFields(metric).length > 0)
  const looked_at = block.filters.map(({ field }) => comparedColumn(field))
  const by_device = report.dimensions.includes('device_type') || looked_at.includes('device_type')
  const ranked = unsummed.some(metric => metric.endsWith('_ranking'))
  const finest = order.findLastIndex(each => report.dimensions.includes(each))
  const has_account = report.dimensions.includes('account_id') || report.dimensions.includes('account_name')
  const splits = looked_at.some(at =>
    at === 'device_type' ? !report.dimensions.includes(at) : at !== 'account' && order.indexOf(at) > finest,
  )
  if (
    (unsummed.length > 0 && (splits || (accounts.length > 1 && !has_account))) ||
    (ranked && (by_device || !report.dimensions.includes('ad')))
  )
    return ['combination_not_allowed']
  const counts_people = by_device && unsummed.some(metric => metric.startsWith('unique_'))
  return accounts.flatMap(account => {
    const earliest = todayOf(report.now, account).subtract({ months: counts_people ? 13 : 37 })
    if (report.range.start < earliest.toString()) return ['history_limit']
    return account.isLost ? ['account_access_lost', 'credential_expired'] : []
  })
}

export const todayOf = (now: string, { timezone }: Pick<NumbersAccount, 'timezone'>) =>
  Temporal.Instant.from(now).toZonedDateTimeISO(timezone).toPlainDate()

async function fetchBlock(
  report: NumbersReport,
  { block, accounts, wire }: { block: NumbersBlock; accounts: NumbersAccount[]; wire: Wire },
): Promise<BlockAnswer> {
  const looked_at = block.filters.map(({ field }) => comparedColumn(field))
  const by_device = report.dimensions.includes('device_type') || looked_at.includes('device_type')
  const names = order.flatMap(each => [entities[each].id, entities[each].name])
  const sums = [...new Set(['impressions', ...block.metrics.flatMap(sumFields)])]
  const singles = [...new Set(block.metrics.flatMap(onceFields))]
  const deepest = order.findLast(each => report.dimensions.includes(each))
  const level = deepest ? entities[deepest].level : 'account'
  const upto = order.slice(0, order.findLastIndex(each => report.dimensions.includes(each)) + 1)
  const known = upto.flatMap(each => [entities[each].id, entities[each].name])
  const facts: Fact[] = []
  const unsummed: UnsummedTotal[] = []
  for (const account of accounts) {
    const { external_id } = account
    for (const days of fortnights(report.range)) {
      const request = { account: external_id, days, daily: true, level: 'ad' as const, by_device }
      const rows = await wire.rows({ ...request, fields: [...names, ...sums] })
      facts.push(...rows.map(row => ({ day: String(row['date_start']), account, row })))
    }
    if (singles.length === 0) continue
    const long_ago = todayOf(report.now, account).subtract({ months: 13 }).toString()
    const daily = report.dimensions.includes('date')
    const parts = daily ? fortnights(report.range) : slicesOf(report)
    for (const days of parts) {
      const in_job = by_device && days.start < long_ago
      if (in_job && !account.has_jobs) return { codes: ['platform_unavailable'] }
      const fields = [...known, ...singles]
      const rows = await wire.rows({ account: external_id, days, daily, level, by_device, in_job, fields })
      unsummed.push(...rows.map(row => ({ slice: sliceOf(report, String(row['date_start'])), account, row })))
    }
  }
  const passing = ({ row }: { row: WireRow }) => block.filters.every(filter => passesRow(filter, row))
  return { facts: facts.filter(passing), unsummed: unsummed.filter(passing) }
}

function* fortnights({ start, end }: Days): Generator<Days> {
  for (let first = Temporal.PlainDate.from(start); first.toString() <= end; first = first.add({ days: 14 })) {
    const last = first.add({ days: 13 }).toString()
    yield { start: first.toString(), end: last < end ? last : end }
  }
}

function daysOf({ start, end }: Days): string[] {
  const first = Temporal.PlainDate.from(start)
  const count = first.until(end).days + 1
  return Array.from({ length: count }, (_, offset) => first.add({ days: offset }).toString())
}

/** The days of a table's row, named by the first one of its month and its week. */
function sliceOf({ dimensions }: NumbersReport, day: string): string {
  return JSON.stringify(
    dimensions
      .filter(isTime)
      .toSorted()
      .map(dimension => startOf(dimension, day)),
  )
}

function startOf(dimension: 'month' | 'week' | 'date', day: string): string {
  const date = Temporal.PlainDate.from(day)
  if (dimension === 'month') return date.with({ day: 1 }).toString()
  return dimension === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }).toString() : day
}

function slicesOf(report: NumbersReport): Days[] {
  const slices = Map.groupBy(daysOf(report.range), day => sliceOf(report, day))
  return [...slices.values()].map(days => ({ start: days[0] ?? '', end: days.at(-1) ?? '' }))
}

function passesRow(filter: Filter, row: WireRow): boolean {
  const at = comparedColumn(filter.field)
  if (at === 'account') return true
  return passes(filter, String(row[at === 'device_type' ? 'device_platform' : entities[at].name]))
}

/** A regular expression with "iu" compares by simple case folding. */
function passes({ rule, values }: Filter, text: string): boolean {
  const start = rule === 'EQUAL' || rule === 'STARTS_WITH' ? '^' : ''
  const end = rule === 'EQUAL' || rule === 'ENDS_WITH' ? '$' : ''
  const found = values.some(value => new RegExp(start + RegExp.escape(value) + end, 'iu').test(text))
  return rule === 'NOT_CONTAINS' ? !found : found
}

/** A row of the table in the making: its sort key and printed cells, and the numbers of each block. */
interface Row {
  values: { sort: Cell[]; print: Cell }[]
  slice: string
  factsOf: Map<number, { facts: Fact[]; unsummed: UnsummedTotal[] }>
}

/** The table with its header; blocks in `failed` have no output. */
export function tableOf(
  report: NumbersReport,
  responses: readonly BlockAnswer[],
  failed: ReadonlySet<number>,
): Cell[][] {
  const language = report.header_language
  const labels = labelsOf(report)
  const titles = report.dimensions.map(dimension => catalogueDimensions[dimension].names[language])
  const metricName = (id: string) =>
    Object.entries(fbMetrics).find(([each]) => each === id)?.[1].names[language]
  const present = [...report.blocks.keys()].filter(block => !failed.has(block))
  if (report.arrangement === 'joined') {
    const layout = report.blocks.flatMap(({ metrics }, block) => metrics.map(metric => ({ metric, block })))
    const header = layout.map(({ metric, block }) =>
      report.blocks.length > 1 ? `${labels[block]} ${metricName(metric)}` : `${metricName(metric)}`,
    )
    const rows = rowsOf(report, responses, present).map(row => ({
      ...row,
      cells: layout.map(({ metric, block }) =>
        failed.has(block) ? '' : cellOf(report, metric, row.factsOf.get(block)),
      ),
    }))
    const { by, block: of = null } = report.sort ?? {}
    const column = layout.findIndex(({ metric, block }) => metric === by && (of ?? block) === block)
    return [[...titles, ...header], ...inReportOrder(report, rows, column).map(printed)]
  }
  const metrics = [...new Set(report.blocks.flatMap(block => block.metrics))]
  const rows = present.flatMap(block =>
    rowsOf(report, responses, [block]).map(row => ({
      ...row,
      label: labels[block] ?? '',
      cells: metrics.map(metric => {
        const has = report.blocks[block]?.metrics.includes(metric)
        return cellOf(report, metric, has ? row.factsOf.get(block) : undefined)
      }),
    })),
  )
  return [
    [language === 'en' ? 'Channel' : '管道', ...titles, ...metrics.map(id => `${metricName(id)}`)],
    ...inReportOrder(report, rows, metrics.indexOf(report.sort?.by ?? '')).map(row => [
      row.label,
      ...printed(row),
    ]),
  ]
}

interface RowOfCells extends Row {
  cells: Cell[]
}

const printed = ({ values, cells }: RowOfCells): Cell[] => [...values.map(({ print }) => print), ...cells]

/** The rows as the report sorts and cuts them; they come in the order of their dimensions. */
function inReportOrder<Each extends RowOfCells>(report: NumbersReport, rows: Each[], metric: number): Each[] {
  const { sort, limit, dimensions } = report
  const dimension = dimensions.findIndex(each => each === sort?.by)
  const sortedValue = ({ values, cells }: Each) =>
    dimension >= 0
      ? { print: values[dimension]?.print ?? '', sort: values[dimension]?.sort ?? [] }
      : { print: cells[metric] ?? '', sort: [cells[metric] ?? ''] }
  const sorted = sort
    ? rows.toSorted((one, two) => {
        const [a, b] = [sortedValue(one), sortedValue(two)]
        if (a.print === '' || b.print === '') return Number(a.print === '') - Number(b.print === '')
        return sort.descending ? compare(b.sort, a.sort) : compare(a.sort, b.sort)
      })
    : rows
  return sorted.slice(0, limit ?? undefined)
}

function labelsOf({ blocks, header_language }: NumbersReport): string[] {
  const usual = header_language === 'en' ? 'Meta ads' : 'Meta 廣告'
  const taken = blocks.flatMap(({ label }) => (label === null ? [] : [label]))
  return blocks.map(({ label }) => {
    if (label !== null) return label
    const numbered = [usual, ...Array.from({ length: 9 }, (_, at) => `${usual} ${at + 2}`)]
    const free = numbered.find(each => !taken.includes(each)) ?? ''
    taken.push(free)
    return free
  })
}

function rowsOf(report: NumbersReport, responses: readonly BlockAnswer[], blocks: number[]): Row[] {
  const { dimensions } = report
  const rows = new Map<string, Row>()
  const at = (values: Row['values'], slice: string) => {
    const key = JSON.stringify([values.map(({ sort }) => sort), slice])
    const row = rows.get(key) ?? { values, slice, factsOf: new Map() }
    rows.set(key, row)
    return row
  }
  const factsOf = (row: Row, block: number) => {
    const entry = row.factsOf.get(block) ?? { facts: [], unsummed: [] }
    row.factsOf.set(block, entry)
    return entry
  }
  for (const block of blocks) {
    const response = responses[block]
    if (!response || 'codes' in response) continue
    for (const fact of response.facts) {
      const values = dimensions.map(dimension => valueOf(dimension, fact.day, fact))
      factsOf(at(values, sliceOf(report, fact.day)), block).facts.push(fact)
    }
    for (const each of response.unsummed) {
      const day = String(each.row['date_start'])
      factsOf(
        at(
          dimensions.map(dimension => valueOf(dimension, day, each)),
          each.slice,
        ),
        block,
      ).unsummed.push(each)
    }
  }
  if (report.fill_zero && dimensions.some(isTime)) {
    const only_time = dimensions.every(isTime)
    const others = only_time
      ? [dimensions.map(() => nothing)]
      : [...rows.values()].map(({ values }) => values)
    const distinct = new Map(
      others.map(values => [
        JSON.stringify(values.map(({ sort }, place) => (isTime(dimensions[place] ?? 'ad') ? null : sort))),
        values,
      ]),
    )
    for (const days of slicesOf(report)) {
      for (const other of distinct.values()) {
        const values = dimensions.map((dimension, place) =>
          isTime(dimension) ? timeValue(dimension, days.start) : (other[place] ?? nothing),
        )
        at(values, sliceOf(report, days.start))
      }
    }
  }
  return [...rows.values()].toSorted((one, two) =>
    compare(
      one.values.flatMap(({ sort }) => sort),
      two.values.flatMap(({ sort }) => sort),
    ),
  )
}

const nothing = { sort: [''], print: '' }

function valueOf(
  dimension: Dimension,
  day: string,
  { account, row }: { account: NumbersAccount; row: WireRow },
): Row['values'][number] {
  if (isTime(dimension)) return timeValue(dimension, day)
  if (isEntity(dimension)) {
    const name = String(row[entities[dimension].name])
    return { sort: [name, String(row[entities[dimension].id]), account.external_id], print: name }
  }
  const { external_id, name, currency } = account
  switch (dimension) {
    case 'account_name':
      return { sort: [name, external_id], print: name }
    case 'account_id':
      return { sort: [external_id], print: external_id }
    case 'currency':
      return { sort: [currency], print: currency }
    case 'device_type':
      return { sort: [String(row['device_platform'])], print: String(row['device_platform']) }
    default:
      throw new Error(`Meta has no ${dimension}`)
  }
}

/** Spreadsheets count days from 30 December 1899. */
function timeValue(dimension: 'month' | 'week' | 'date', day: string): Row['values'][number] {
  const print = Temporal.PlainDate.from('1899-12-30').until(startOf(dimension, day)).days
  return { sort: [print], print }
}

function cellOf(
  report: NumbersReport,
  metric: string,
  factsOf: { facts: Fact[]; unsummed: UnsummedTotal[] } | undefined,
): Cell {
  const totals: Total = factsOf
    ? { facts: factsOf.facts.map(({ row }) => row), unsummed: factsOf.unsummed.map(({ row }) => row) }
    : { facts: [], unsummed: [] }
  const value = numbersOf(metric, totals, report.header_language)
  if (value !== null) return value
  return report.fill_zero && !metric.endsWith('_ranking') ? 0 : ''
}

/** By number or by code point, element by element. */
function compare(one: readonly Cell[], two: readonly Cell[]): number {
  for (const [place, a] of one.entries()) {
    const [left, right] = [pointsOf(a), pointsOf(two[place] ?? '')]
    const at = left.findIndex((point, index) => point !== right[index])
    if (at >= 0) return (left[at] ?? 0) - (right[at] ?? -1)
    if (left.length !== right.length) return left.length - right.length
  }
  return 0
}

const pointsOf = (value: Cell) =>
  typeof value === 'number' ? [value] : Array.from(value, character => character.codePointAt(0) ?? 0)
