import { lnMetrics } from '#shared/channels/ln-metrics.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
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

/** The bytes as text: by their byte order mark, else by the character set that the response claims. */
export function textOf({ bytes, charset }: { bytes: Buffer; charset: string | null }): string {
  const mark = bytes.subarray(0, 3).toString('hex')
  const encoding = mark.startsWith('fffe') ? 'utf-16le' : mark === 'efbbbf' ? 'utf-8' : (charset ?? 'utf-8')
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(`a file that is not ${encoding}`)
  }
}

/**
 * Reads the rows of a file. Those without a single number are left out (kit/delivery.ts): whether LINE lists
 * what was not delivered is not documented.
 */
export function tableOf(text: string, reading: FileReading): Table {
  const { query, request, adds_up } = reading
  const rows = csvRows(text)
  const first = rows.next()
  if (first.done) throw unreadable('a file without a header')
  const header = headerOf(first.value)
  const table = createTable({
    has_labels: request.dimensions.map(dimension => 'level' in fieldOf(dimension)),
    metrics: request.metrics.filter(isFetched),
    adds_up,
  })
  const readDimensions = dimensionReaders(request.dimensions, header)
  const readMetrics = metricReaders(reading, header)
  const hasNumbers = numbersTest(header)
  const amounts = amountsCheck(header)
  const dayAt = query.spec.is_daily ? header.at(otherLabels.day) : null
  let number = 1
  for (const fields of rows) {
    number += 1
    if (fields.length === 1 && fields[0] === '') continue
    if (fields.length !== header.length) throw unreadable(`row ${number}: ${fields.length} fields`)
    if (!hasNumbers(fields)) continue
    amounts.take(fields)
    const day = dayAt === null ? '' : (fields[dayAt] ?? '')
    const start = query.startOf(day)
    if (start === undefined) throw unreadable(`row ${number}: ${otherLabels.day[0]}`)
    const { keys, labels } = readDimensions(fields, number)
    const row = table.rowOf({ start, keys, labels })
    for (const { metric, read } of readMetrics) table.put(row, metric, read(fields, number))
  }
  amounts.judge()
  return table
}

type Fields = readonly string[]

function dimensionReaders(dimensions: ReportRequest['dimensions'], header: Header) {
  const columns = dimensions.map(dimension => {
    const field = fieldOf(dimension)
    return 'level' in field
      ? { key: header.at(field.id), label: header.at(field.name), named: field.id[0] }
      : { key: header.at(field.value), label: null, named: field.value[0] }
  })
  return (fields: Fields, number: number) => {
    const keys: string[] = []
    const labels: string[] = []
    for (const { key, label, named } of columns) {
      const text = fields[key] ?? ''
      if (text === '') throw unreadable(`row ${number}: ${named}`)
      keys.push(label === null ? (lookup(SYSTEMS, text.toLowerCase()) ?? text) : text)
      labels.push(label === null ? '' : (fields[label] ?? ''))
    }
    return { keys, labels }
  }
}

/** LINE's list of codes has them in capitals; how files spell them is not documented. */
const SYSTEMS: Readonly<Record<string, string>> = { ios: 'iOS', android: 'Android' }

type Read = (fields: Fields, number: number) => number

function metricReaders({ query, request, onMissing }: FileReading, header: Header) {
  return query.metrics.map(metric => ({
    metric: request.metrics.indexOf(metric),
    read: metricReader(metric, header) ?? missing(metric, onMissing),
  }))
}

function missing(metric: FetchedMetric, onMissing: FileReading['onMissing']): Read {
  onMissing(metric)
  return () => Number.NaN
}

/** null when the file has no such column. */
function metricReader(metric: FetchedMetric, header: Header): Read | null {
  const field = metricFields[metric]
  switch (field.read) {
    case 'file': {
      // Without these a file is none of ours; the others come and go with releases.
      const isNeeded = ['impressions', 'clicks', 'cost'].includes(metric)
      const at = isNeeded ? header.at(field.labels) : header.find(field.labels)
      return at < 0 ? null : numberReader(at, metric, field.labels)
    }
    case 'frequency': {
      const reach = metricReader('reach', header)
      const impressions = metricReader('impressions', header)
      if (reach === null || impressions === null) return null
      return (fields, number) => {
        const people = reach(fields, number)
        return people > 0 ? impressions(fields, number) / people : Number.NaN
      }
    }
    case 'friends': {
      const read = metricReader(field.of, header)
      const objective = header.at(otherLabels.objective)
      const spec = plainLabel(FRIENDS_OBJECTIVE)
      return read && ((...row) => (plainLabel(row[0][objective] ?? '') === spec ? read(...row) : 0))
    }
    case 'online':
    case 'share':
      return null
  }
}

function numberReader(at: number, metric: FetchedMetric, [label]: Labels): Read {
  const parse = lnMetrics[metric].unit === 'money' ? millionths : decimal
  return (fields, number) => {
    const text = fields[at] ?? ''
    const value = parse(text)
    if (!Number.isNaN(value) || isBlank(text)) return value
    const plain = parse(text.trim().replaceAll(',', ''))
    if (Number.isNaN(plain)) throw unreadable(`row ${number}: ${label}`)
    return plain
  }
}

/** LINE gives no number. */
const isBlank = (text: string) => text === '' || text.trim() === '' || text.trim() === '-'

/** Whether a row has any number but 0 in a column that we know. */
function numbersTest(header: Header): (fields: Fields) => boolean {
  const columns = Object.values(metricFields)
    .map(field => (field.read === 'file' ? header.find(field.labels) : -1))
    .filter(at => at >= 0)
  return fields => columns.some(at => !NOTHING.test(fields[at] ?? ''))
}

const NOTHING = /^[-\s0.,]*$/
