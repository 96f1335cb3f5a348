import { isActivity } from '#server/connectors/kit/delivery.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { pagesOf, pathOf } from './client.ts'
import { fieldOf, metricFields, type FetchedMetric } from './fields.ts'
import type { OnlineQuery } from './query.ts'
import { OnlineRow, type LineIo } from './schema.ts'
import type { Table } from './table.ts'

const KINDS: Record<OnlineQuery['level'], string> = { CAMPAIGN: 'campaign', ADGROUP: 'adgroup', AD: 'ad' }

/** Puts what only the online report has into a table: one row an entity, for all days of the query. */
export async function readOnline(
  { level, slice, metrics }: OnlineQuery,
  { request, table }: { request: ReportRequest; table: Table },
  io: LineIo,
): Promise<void> {
  const path = `${pathOf`adaccounts/${request.account.external_id}/reports/online/`}${KINDS[level]}`
  const params = [
    ['since', slice.start],
    ['until', slice.end],
    ['includeRemoved', 'true'],
  ] as const
  for await (const rows of pagesOf({ path, params }, OnlineRow, io)) {
    for (const row of rows) {
      const values = metrics.map(metric => valueOf(metric, row))
      // It lists everything there is, with zeros for what was not delivered.
      if (row.statistics['imp'] === 0 && !values.some(isActivity)) continue
      const rowNumber = table.rowOf({ start: slice.start, ...aboutOf(row, request.dimensions) })
      for (const [at, metric] of metrics.entries())
        table.put(rowNumber, request.metrics.indexOf(metric), values[at] ?? Number.NaN)
    }
  }
}

function aboutOf(row: OnlineRow, dimensions: ReportRequest['dimensions']) {
  const entities = dimensions.map(dimension => {
    const field = fieldOf(dimension)
    const entity = 'level' in field ? row[field.online] : undefined
    if (entity === undefined) throw unreadable(`online report: ${dimension}`)
    return entity
  })
  return { keys: entities.map(({ id }) => id), labels: entities.map(({ name }) => name) }
}

function valueOf(metric: FetchedMetric, { statistics }: OnlineRow): number {
  const field = metricFields[metric]
  switch (field.read) {
    case 'online':
      return numberOf(statistics, field.field)
    case 'share':
      return shareOf(statistics, field.field)
    default:
      return Number.NaN
  }
}

function numberOf(statistics: OnlineRow['statistics'], field: string): number {
  const value = statistics[field] ?? Number.NaN
  if (typeof value !== 'number') throw unreadable(`online report: ${field}`)
  return value
}

/**
 * Whether shares are percents or fractions is not documented: what was had and what was lost make 100 or 1
 * together.
 */
function shareOf(statistics: OnlineRow['statistics'], field: string): number {
  const parts = [field, 'lostImpShareByBudgetRate', 'lostImpShareByRankRate']
  const [share = Number.NaN, ...lost] = parts.map(part => numberOf(statistics, part))
  const whole = lost.reduce((sum, part) => sum + (Number.isNaN(part) ? 0 : part), share)
  return whole > 1.5 ? share / 100 : share
}
