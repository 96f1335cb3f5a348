import type { Dimension } from '#shared/channels/catalogue.ts'
import { columnsOf, type ColumnSpec } from '#server/connectors/meta/columns.ts'
import { ByteRows, rowReader } from '#server/connectors/kit/byte-rows.ts'
import { shapeOf, type Rows } from '#server/connectors/kit/rows.ts'
import type { Page } from '#server/connectors/connector.ts'
import { constantColumn, textColumn } from '#server/connectors/text-column.ts'
import { chunksOf } from '#server/table/chunks.ts'
import { planReport, type Plan } from '#server/table/plan.ts'
import { openReconciliation } from '#server/resources/runs/reconciliation.ts'
import { startTable } from '#server/table/shape.ts'
import type { TableChunk } from '#server/table/stored-table.ts'
import { testAccount } from '#server/table/testing/table.ts'
import type { BenchCase } from './case.ts'

const PAGE_ROWS = 500
const FIRST = Temporal.PlainDate.from('2024-01-01')
const dayAt = (offset: number) => FIRST.add({ days: offset }).toString()

/**
 * P1: pages of Meta's JSON → columns → table → JSON of the spreadsheet, beside parsing those pages and
 * stringifying those cells.
 */
const engine: BenchCase = {
  id: 'P1',
  what: 'engine: Meta pages → table → spreadsheet JSON, one row a day and ad',
  sizes: [10_000, 100_000, 1_000_000],
  unit: 'source rows',
  reach: { ratio: 0.8, megabytes: 300 },
  prepare: size => prepareEngine(size, ['date', 'campaign', 'ad']),
}

/** The same with ten times the rows, which no spreadsheet holds by day. */
const engineByMonth: BenchCase = {
  id: 'P1',
  what: 'engine: the same by month',
  sizes: [100_000, 1_000_000, 10_000_000],
  unit: 'source rows',
  reach: { ratio: 1, megabytes: 300 },
  prepare: size => prepareEngine(size, ['month', 'campaign', 'ad']),
}

function prepareEngine(size: number, dimensions: Dimension[]) {
  const days = Math.min(1000, size / PAGE_ROWS)
  const plan = planFor(dimensions, days)
  const request = plan.requests[0]?.request
  // The plan's metrics are the catalogue's; the requested ones are known to be fetched.
  const spec = {
    dimensions: request?.dimensions ?? [],
    metrics: request?.metrics ?? [],
    actions: null,
  } as ColumnSpec
  const starts = new Map(Array.from({ length: days }, (_, day) => [dayAt(day), dayAt(day)]))
  const pages = () => pageBytes(size, days)

  const ours = (keep?: (chunk: TableChunk) => void) => {
    const clock = stopwatch()
    const collector = startTable(plan)
    const reconciliation = openReconciliation(plan)
    const read = (rows: Rows) => columnsOf(rows, spec, starts)
    const reader = rowReader(shapeOf(read), ['data'])
    for (const bytes of pages()) {
      clock.run(() => {
        const page = read(rowsIn(reader.read(bytes)))
        collector.add(0, page)
        reconciliation.add(0, page)
      })
    }
    clock.run(() => {
      for (const chunk of chunksOf(collector.finish())) keep?.(chunk)
    })
    return clock.ms()
  }
  const chunks: Uint8Array[] = []
  const floor = () => {
    if (chunks.length === 0) ours(chunk => chunks.push(chunk.json))
    const clock = stopwatch()
    for (const bytes of pages()) clock.run(() => JSON.parse(bytes.toString()))
    for (const chunk of chunks) {
      const cells: unknown = JSON.parse(Buffer.from(chunk).toString())
      clock.run(() => Buffer.from(JSON.stringify(cells)))
    }
    return clock.ms()
  }
  return { ours: () => ours(), floor }
}

function rowsIn(response: unknown): Rows {
  const { data } = response as { data?: unknown }
  if (data instanceof ByteRows) return data
  throw new Error('a page that was not read out of its bytes')
}

/** Adds up the time of what it runs: making the input does not count. */
function stopwatch() {
  let total = 0
  return {
    run(work: () => void) {
      const started = performance.now()
      work()
      total += performance.now() - started
    },
    ms: () => total,
  }
}

function planFor(dimensions: Dimension[], days: number): Plan {
  const account = testAccount(1)
  const block = {
    channel: 'fb' as const,
    label: null,
    accounts: [1],
    metrics: ['impressions', 'clicks', 'cost', 'ctr', 'conversions', 'roas'],
    filters: [],
    on_error: 'leave_empty' as const,
  }
  return planReport(
    { dimensions, arrangement: 'joined', fill_zero: false, header_language: 'en', channels: [block] },
    { accounts: [account], range: { start: dayAt(0), end: dayAt(days - 1) } },
  )
}

/** Each page is one day of 500 ads, cut from a few templates; as many pages a day as make up the size. */
function* pageBytes(size: number, days: number): Generator<Buffer> {
  const pagesADay = size / PAGE_ROWS / days
  const templates = Array.from({ length: Math.min(pagesADay, 20) }, (_, at) => templateOf(at))
  for (let day = 0; day < days; day++) {
    for (let page = 0; page < pagesADay; page++) {
      const template = templates[page % templates.length] ?? ''
      const far = String(Math.floor(page / templates.length)).padStart(2, '0')
      yield Buffer.from(template.replaceAll('0000-00-00', dayAt(day)).replaceAll('~~', far))
    }
  }
}

function templateOf(page: number): string {
  const rows = Array.from({ length: PAGE_ROWS }, (_, row) => {
    const number = page * PAGE_ROWS + row
    const campaign = Math.floor(number / 25)
    return {
      campaign_id: `1202100110001~~${String(campaign).padStart(4, '0')}`,
      campaign_name: `Autumn sale ${campaign} 秋の新作`,
      ad_id: `1202100110003~~${String(number).padStart(5, '0')}`,
      ad_name: `Carousel ${number} "spring"`,
      impressions: String(8801 + number * 7),
      clicks: String(212 + number),
      spend: `${1532 + row}.53`,
      actions: ['link_click', 'omni_purchase', 'post_engagement', 'video_view'].map((action_type, at) => ({
        action_type,
        value: String(row * 3 + at),
      })),
      action_values: [{ action_type: 'omni_purchase', value: `${row * 40}.25` }],
      date_start: '0000-00-00',
      date_stop: '0000-00-00',
    }
  })
  return `{"data":${JSON.stringify(rows)},"paging":{"cursors":{"before":"MAZDZD","after":"MjQZD"}}}`
}

/** P2: columns of 1 million rows into groups, beside the same with nothing but codes and sums. */
const grouping: BenchCase = {
  id: 'P2',
  what: 'grouping: 1 million rows, 10 metrics, in random order',
  sizes: [10_000, 100_000, 1_000_000],
  unit: 'groups',
  reach: { ratio: 1.2 },
  prepare: groups => {
    const pages = columnPages(1_000_000, groups)
    const plan = withMetrics(planFor(['date', 'campaign'], DAYS), METRICS)
    return {
      ours: () => {
        const collector = startTable(plan)
        for (const page of pages) collector.add(0, page)
      },
      floor: () => groupPlainly(pages),
    }
  },
}

const METRICS = 10
const DAYS = 1000

/** The plan asking for so many plain sums: more than the catalogue needs for any report. */
function withMetrics(plan: Plan, count: number): Plan {
  const measures = Array.from({ length: count }, (_, at) => ({ id: `m${at}`, kind: 'count' as const }))
  return { ...plan, blocks: plan.blocks.map(block => ({ ...block, measures, metrics: [] })) }
}

function columnPages(rows: number, groups: number): Page[] {
  const campaigns = groups / DAYS
  const dates = Array.from({ length: DAYS }, (_, day) => dayAt(day))
  const keys = Array.from({ length: campaigns }, (_, at) => `12021001100010${String(at).padStart(4, '0')}`)
  const labels = keys.map((_, at) => `Autumn sale ${at} 秋の新作`)
  let state = 1
  return Array.from({ length: rows / PAGE_ROWS }, () => {
    const picked = Array.from({ length: PAGE_ROWS }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      const at = Math.floor((state / 2 ** 32) * groups)
      return { day: at % DAYS, campaign: Math.floor(at / DAYS) }
    })
    return {
      length: PAGE_ROWS,
      dates: { codes: Int32Array.from(picked, ({ day }) => day), values: dates },
      dimensions: [
        {
          keys: { codes: Int32Array.from(picked, ({ campaign }) => campaign), values: keys },
          labels: { codes: Int32Array.from(picked, ({ campaign }) => campaign), values: labels },
        },
      ],
      metrics: Array.from({ length: METRICS }, (_, metric) =>
        Float64Array.from(picked, ({ day }) => day * 3 + metric),
      ),
    }
  })
}

/**
 * The floor of grouping, from the same coded columns: the group of each combination in a table of all that
 * may occur, and sums that grow; no labels, filters, empty cells or large sums.
 */
function groupPlainly(pages: Page[]): Float64Array {
  const [first] = pages
  const days = first?.dates.values.length ?? 0
  const groups = new Int32Array(days * (first?.dimensions[0]?.keys.values.length ?? 0))
  let sums = new Float64Array(256 * METRICS)
  let count = 0
  const rows = new Int32Array(PAGE_ROWS)
  for (const { length, dates, dimensions, metrics } of pages) {
    const { codes } = dimensions[0]?.keys ?? constantColumn('', length)
    for (let row = 0; row < length; row++) {
      const key = (codes[row] ?? 0) * days + (dates.codes[row] ?? 0)
      if (groups[key] === 0) groups[key] = ++count
      rows[row] = (groups[key] ?? 0) - 1
    }
    if (count * METRICS > sums.length) {
      const larger = new Float64Array(Math.max(sums.length * 4, count * METRICS))
      larger.set(sums)
      sums = larger
    }
    metrics.forEach((values, metric) => {
      for (let row = 0; row < length; row++) {
        const at = (rows[row] ?? 0) * METRICS + metric
        sums[at] = (sums[at] ?? 0) + (values[row] ?? 0)
      }
    })
  }
  return sums
}

/** P5: ten million cells, beside the same cells as typed columns that are stringified row by row. */
const memory: BenchCase = {
  id: 'P5',
  what: 'memory: a full spreadsheet, from columns to JSON',
  sizes: [1_000_000, 10_000_000],
  unit: 'cells',
  reach: { megabytes: 550 },
  prepare: cells => {
    const rows = Math.floor(cells / 9) - 1
    const plan = planFor(['date', 'campaign', 'ad'], DAYS)
    return {
      ours: () => {
        const collector = startTable(plan)
        for (let from = 0; from < rows; from += PAGE_ROWS) collector.add(0, numberPage(from, rows))
        let bytes = 0
        for (const chunk of chunksOf(collector.finish())) bytes += chunk.json.length
        return bytes > 0 ? undefined : 0
      },
      floor: () => stringifyColumns(rows),
    }
  },
}

const ADS = 1200

function numberPage(from: number, rows: number): Page {
  const numbers = Array.from({ length: Math.min(PAGE_ROWS, rows - from) }, (_, at) => from + at)
  const column = (factor: number) => Float64Array.from(numbers, row => (row % 9973) * factor)
  const ads = numbers.map(row => row % ADS)
  return {
    length: numbers.length,
    dates: textColumn(numbers.map(row => dayAt(Math.floor(row / ADS)))),
    dimensions: [
      {
        keys: textColumn(ads.map(ad => `12021001100010${Math.floor(ad / 25)}`)),
        labels: textColumn(ads.map(ad => `Autumn sale ${Math.floor(ad / 25)} 秋の新作`)),
      },
      {
        keys: textColumn(ads.map(ad => `12021001100030${ad}`)),
        labels: textColumn(ads.map(ad => `Carousel ${ad} "spring"`)),
      },
    ],
    metrics: [column(7), column(1), column(1_530_000), column(2), column(40_250_000)],
  }
}

function stringifyColumns(rows: number): void {
  const columns = Array.from({ length: 8 }, () => new Float64Array(rows))
  for (let from = 0; from < rows; from += PAGE_ROWS) {
    const page = numberPage(from, rows)
    page.metrics.forEach((values, at) => columns[at]?.set(values, from))
  }
  for (let from = 0; from < rows; from += 20_000) {
    const part = Array.from({ length: Math.min(20_000, rows - from) }, (_, at) => {
      const ad = (from + at) % ADS
      const of = (column: number) => columns[column]?.[from + at] ?? 0
      return [
        45_292 + Math.floor((from + at) / ADS),
        `Autumn sale ${Math.floor(ad / 25)} 秋の新作`,
        `Carousel ${ad} "spring"`,
        of(0),
        of(1),
        of(2) / 1_000_000,
        of(1) / of(0),
        of(3),
        of(4) / of(2),
      ]
    })
    Buffer.from(JSON.stringify(part))
  }
}

export const cases: BenchCase[] = [engine, engineByMonth, grouping, memory]
