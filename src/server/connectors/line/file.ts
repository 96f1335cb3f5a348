import { isUtf8 } from 'node:buffer'
import { lnMetrics } from '#shared/channels/ln-metrics.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { cellTranslator, CsvReader, unmarked } from '#server/connectors/kit/csv-bytes.ts'
import { decimal, decimalIn, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import { amountsCheck } from './amounts.ts'
import {
  fieldOf,
  FRIENDS_OBJECTIVE,
  isFetched,
  metricFields,
  otherLabels,
  type FetchedMetric,
  type Labels,
} from './fields.ts'
import { headerOf, plainLabel, type Header } from './header.ts'
import type { FileQuery } from './query.ts'
import { createTable, type Table } from './table.ts'

export interface FileReading {
  query: Pick<FileQuery, 'metrics' | 'startOf' | 'spec'>
  request: Pick<ReportRequest, 'dimensions' | 'metrics'>
  /** Whether rows about the same are one row. */
  adds_up: boolean
  /** A metric has no column, so that its values are unknown. */
  onMissing: (metric: FetchedMetric) => void
}

/** The bytes in UTF-8: by their byte order mark, else by the character set that the response claims. */
export function utf8Of({ bytes, charset }: { bytes: Buffer; charset: string | null }): Buffer {
  const mark = bytes.subarray(0, 3).toString('hex')
  const encoding = mark.startsWith('fffe') ? 'utf-16le' : mark === 'efbbbf' ? 'utf-8' : (charset ?? 'utf-8')
  if (/^utf-?8$/i.test(encoding) && isUtf8(bytes)) return unmarked(bytes)
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    throw unreadable(`a file that is not ${encoding}`)
  }
}

/**
 * Reads the rows of a file. Those without a single number are left out (kit/delivery.ts): whether LINE lists
 * what was not delivered is not documented.
 */
export function tableOf(file: Buffer[], reading: FileReading): Table {
  const { query, request, adds_up } = reading
  const row = new CsvReader(file)
  if (!row.next()) throw unreadable('a file without a header')
  const header = headerOf(row.texts())
  const table = createTable({
    has_labels: request.dimensions.map(dimension => 'level' in fieldOf(dimension)),
    metrics: request.metrics.filter(isFetched),
    adds_up,
  })
  const readDimensions = dimensionReaders(request.dimensions, { row, header })
  const readMetrics = metricReaders(reading, { row, header })
  const hasNumbers = numbersTest(header)
  const amounts = amountsCheck(header)
  const dayAt = query.spec.is_daily ? header.at(otherLabels.day) : null
  const starts = textReader(row, query.startOf)
  while (row.next()) {
    if (row.width === 1 && row.text(0) === '') continue
    if (row.width !== header.length) throw unreadable(`row ${row.number}: ${row.width} fields`)
    if (!hasNumbers(row)) continue
    amounts.take(row)
    const start = dayAt === null ? query.startOf('') : starts(dayAt)
    if (start === undefined) throw unreadable(`row ${row.number}: ${otherLabels.day[0]}`)
    const { keys, labels } = readDimensions()
    const tableRow = table.rowOf({ start, keys, labels })
    for (const { metric, read } of readMetrics) table.put(tableRow, metric, read())
  }
  amounts.judge()
  return table
}

/** A file, of which `row` is the row that is being read. */
interface File {
  row: CsvReader
  header: Header
}

/** Reads a text that depends on a cell's, and is worked out once for each. */
function textReader<Text>(row: CsvReader, of: (text: string) => Text): (cell: number) => Text | undefined {
  const texts: Text[] = []
  const textOf = cellTranslator(text => texts.push(of(text)) - 1)
  return cell => texts[textOf(row, cell)]
}

function dimensionReaders(dimensions: ReportRequest['dimensions'], { row, header }: File) {
  const columns = dimensions.map(dimension => {
    const field = fieldOf(dimension)
    return 'level' in field
      ? {
          key: header.at(field.id),
          keyOf: textReader(row, text => text),
          label: header.at(field.name),
          labelOf: textReader(row, text => text),
          named: field.id[0],
        }
      : {
          key: header.at(field.value),
          keyOf: textReader(row, text => lookup(SYSTEMS, text.toLowerCase()) ?? text),
          label: -1,
          labelOf: () => '',
          named: field.value[0],
        }
  })
  return () => {
    const keys: string[] = []
    const labels: string[] = []
    for (const { key, keyOf, label, labelOf, named } of columns) {
      const text = keyOf(key) ?? ''
      if (text === '') throw unreadable(`row ${row.number}: ${named}`)
      keys.push(text)
      labels.push(labelOf(label) ?? '')
    }
    return { keys, labels }
  }
}

/** LINE's list of codes has them in capitals; how files spell them is not documented. */
const SYSTEMS: Readonly<Record<string, string>> = { ios: 'iOS', android: 'Android' }

type Read = () => number

function metricReaders({ query, request, onMissing }: FileReading, file: File) {
  return query.metrics.map(metric => ({
    metric: request.metrics.indexOf(metric),
    read: metricReader(metric, file) ?? missing(metric, onMissing),
  }))
}

function missing(metric: FetchedMetric, onMissing: FileReading['onMissing']): Read {
  onMissing(metric)
  return () => Number.NaN
}

/** null when the file has no such column. */
function metricReader(metric: FetchedMetric, file: File): Read | null {
  const { row, header } = file
  const field = metricFields[metric]
  switch (field.read) {
    case 'file': {
      // Without these a file is none of ours; the others come and go with releases.
      const isNeeded = ['impressions', 'clicks', 'cost'].includes(metric)
      const at = isNeeded ? header.at(field.labels) : header.find(field.labels)
      const column = { is_money: lnMetrics[metric].unit === 'money', labels: field.labels }
      return at < 0 ? null : () => numberAt(row, at, column)
    }
    case 'frequency': {
      const reach = metricReader('reach', file)
      const impressions = metricReader('impressions', file)
      if (reach === null || impressions === null) return null
      return () => {
        const people = reach()
        return people > 0 ? impressions() / people : Number.NaN
      }
    }
    case 'friends': {
      const read = metricReader(field.of, file)
      const objective = header.at(otherLabels.objective)
      const spec = plainLabel(FRIENDS_OBJECTIVE)
      const gainsFriends = textReader(row, text => plainLabel(text) === spec)
      return read && (() => (gainsFriends(objective) ? read() : 0))
    }
    case 'online':
    case 'share':
      return null
  }
}

function numberAt(
  row: CsvReader,
  at: number,
  { is_money, labels: [label] }: { is_money: boolean; labels: Labels },
): number {
  const exact = decimalIn(row, at, is_money ? 6 : 0)
  if (!Number.isNaN(exact)) return exact
  const parse = is_money ? millionths : decimal
  const text = row.text(at)
  const value = parse(text)
  if (!Number.isNaN(value) || isBlank(text)) return value
  const plain = parse(text.trim().replaceAll(',', ''))
  if (Number.isNaN(plain)) throw unreadable(`row ${row.number}: ${label}`)
  return plain
}

/** LINE gives no number. */
const isBlank = (text: string) => text === '' || text.trim() === '' || text.trim() === '-'

/** Whether a row has any number but 0 in a column that we know. */
function numbersTest(header: Header): (row: CsvReader) => boolean {
  const columns = Object.values(metricFields)
    .map(field => (field.read === 'file' ? header.find(field.labels) : -1))
    .filter(at => at >= 0)
  return row => columns.some(at => !isNothing(row, at))
}

function isNothing(row: CsvReader, at: number): boolean {
  const number = decimalIn(row, at, 0)
  return Number.isNaN(number) ? NOTHING.test(row.text(at)) : number === 0
}

const NOTHING = /^[-\s0.,]*$/
