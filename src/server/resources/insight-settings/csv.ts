import type { Person } from '#shared/access.ts'
import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import type { Text } from '#shared/language.ts'
import { truthCell } from '#server/customer-cells.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import { listConversions, type ConversionFilter, type ConversionRow } from './conversion-queries.ts'
import { listLabels, type LabelFilter, type LabelRow } from './label-queries.ts'
import { listMetrics, type MetricFilter, type MetricRow } from './metric-queries.ts'

// The settings as tables.

const BATCH = 500

export const metricsCsv = (db: Db, viewer: Person, query: MetricFilter) =>
  csvOf(
    titles.metrics,
    metricColumns,
    batchesOf(BATCH, page => listMetrics(db, viewer, { ...query, ...page })),
  )

export const conversionsCsv = (db: Db, viewer: Person, query: ConversionFilter) =>
  csvOf(
    titles.conversions,
    conversionColumns,
    batchesOf(BATCH, page => listConversions(db, viewer, { ...query, ...page })),
  )

export const labelsCsv = (db: Db, viewer: Person, query: LabelFilter) =>
  csvOf(
    titles.labels,
    labelColumns,
    batchesOf(BATCH, page => listLabels(db, viewer, { ...query, ...page })),
  )

const titles = {
  metrics: { en: 'Calculated metrics', 'zh-TW': '計算指標' },
  conversions: { en: 'Conversion definitions', 'zh-TW': '轉換定義' },
  labels: { en: 'Metric names', 'zh-TW': '指標名稱' },
} as const satisfies Record<string, Text>

const header = {
  advertiser: { en: 'Advertiser', 'zh-TW': '廣告主' },
  name: { en: 'Name', 'zh-TW': '名稱' },
  chinese: { en: 'Name in Chinese', 'zh-TW': '中文名稱' },
} as const satisfies Record<string, Text>

/** Nobody's: the whole agency's. */
const advertiser = {
  header: header.advertiser,
  cell: (row: { advertiser_name: string | null }) => row.advertiser_name,
}

const metricColumns: readonly CsvColumn<MetricRow>[] = [
  advertiser,
  { header: header.name, cell: row => row.name },
  { header: header.chinese, cell: row => row.name_zh },
  { header: { en: 'Explanation', 'zh-TW': '說明' }, cell: row => row.explanation },
  { header: { en: 'Formula', 'zh-TW': '公式' }, cell: row => row.formula },
  { header: { en: 'Unit', 'zh-TW': '單位' }, cell: row => row.unit },
  { header: { en: 'Decimals', 'zh-TW': '小數位數' }, cell: row => row.decimals },
  { header: { en: 'Active', 'zh-TW': '啟用' }, cell: row => truthCell(row.is_active) },
]

const conversionColumns: readonly CsvColumn<ConversionRow>[] = [
  advertiser,
  { header: header.name, cell: row => row.name },
  { header: header.chinese, cell: row => row.name_zh },
  { header: { en: 'Default', 'zh-TW': '預設' }, cell: row => truthCell(row.is_default) },
  { header: { en: 'Counts', 'zh-TW': '計入項目' }, cell: row => row.entries.map(entryText).join('\n') },
]

/** One a line. */
const entryText = (entry: ConversionEntry) =>
  `${entry.channel}: ${'action' in entry ? entry.action : entry.metric}`

const labelColumns: readonly CsvColumn<LabelRow>[] = [
  advertiser,
  { header: { en: 'Channel', 'zh-TW': '管道' }, cell: row => row.channel },
  { header: { en: 'Metric', 'zh-TW': '指標' }, cell: row => row.metric },
  { header: header.name, cell: row => row.label },
  { header: header.chinese, cell: row => row.label_zh },
]
