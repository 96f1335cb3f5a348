import { sourceOf } from '#server/connectors/connector.ts'
import { metricFields } from '#server/connectors/line/fields.ts'
import { line } from '#server/connectors/line/report.ts'
import {
  connectorCases,
  daysFrom,
  dayAfter,
  serve,
  type PlatformReply,
  type BenchRequest,
  type ConnectorBench,
} from './connector.ts'

const FIRST = '2026-01-01'
const DAYS = 100
/** Five of them are used. */
const COLUMNS = 100

const bench: ConnectorBench = {
  what: 'LINE, files of a hundred columns',
  reach: 1.2,
  source: sourceOf(line, { access_key: 'bench', secret_key: 'bench', group_ids: 'G1' }),
  request: () => ({
    channel: 'ln',
    account: { provider: 'line', external_id: 'A1', currency: 'TWD', timezone: 'Asia/Taipei', via: null },
    range: { start: FIRST, end: dayAfter(FIRST, DAYS - 1) },
    time: 'date',
    dimensions: ['ad'],
    metrics: ['impressions', 'clicks', 'cost', 'conversions', 'video_views'],
    filters: [],
  }),
  reply: replyTo,
  // A file of a month may have 32 MB.
  sizes: [10_000, 100_000],
}

export const cases = connectorCases(import.meta.filename, [bench])

if (import.meta.main) await serve([bench])

/**
 * A report is named after its first day and its number of days; one of more than a month is refused, so that
 * its months are requested separately.
 */
function replyTo({ rows, path, body }: BenchRequest): PlatformReply {
  const [, id = ''] = /pfreports\/(\d+)\/download$/.exec(path) ?? []
  if (id !== '')
    return {
      csv: fileOf(
        rows / DAYS,
        daysFrom(`${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}`, Number(id.slice(8))),
      ),
    }
  if (body === '') return { json: '{}' }
  const { since, until }: { since: string; until: string } = JSON.parse(body)
  const days = Temporal.PlainDate.from(since).until(until, { largestUnit: 'days' }).days + 1
  const reason = 'REQUEST_INPUT_PERIOD_LONGER_THAN_ONE_MONTH'
  return days > 31
    ? { status: 400, json: JSON.stringify({ errors: [{ reason, property: 'since' }] }) }
    : { json: JSON.stringify({ id: `${since.replaceAll('-', '')}${days}`, status: 'CREATED' }) }
}

function fileOf(rowsADay: number, days: string[]): string {
  const known = Object.values(metricFields).flatMap(field => (field.read === 'file' ? [field.labels[0]] : []))
  const keys = ['Day', 'Ad ID', 'Ad name', 'CPC']
  const others = Array.from({ length: COLUMNS - keys.length - known.length }, (_, at) => `Rate ${at}`)
  const lines = days.flatMap(day =>
    Array.from({ length: rowsADay }, (_, row) => {
      const numbers = [...known, ...others].map((label, at) =>
        at > 12 && at % 3 > 0 ? '0' : `${row % 97}${label === 'Cost' || at >= known.length ? `.${at}5` : ''}`,
      )
      return [day, `${row}`, `"Autumn, sale ${row} 秋の新作"`, '1.25', ...numbers].join(',')
    }),
  )
  return `\uFEFF${[[...keys, ...known, ...others].join(','), ...lines, ''].join('\r\n')}`
}
