import type { AccountRef, ConversionAction } from '#server/connectors/connector.ts'
import { actionsIn, listedDays, mostFirst } from '#server/connectors/kit/actions.ts'
import { todayAt } from '#server/connectors/kit/unsupported.ts'
import { callReport } from './client.ts'
import { columnsOf } from './columns.ts'
import { isKeyEvent } from './filters.ts'
import { timesOf } from './ranges.ts'
import type { Ga4Io } from './schema.ts'

/** More than any property has key events. */
const MOST_ACTIONS = 1000

/** The key events of a property that have happened. */
export async function listActions(account: AccountRef, io: Ga4Io): Promise<ConversionAction[]> {
  const [times] = timesOf([listedDays(todayAt(account, io.now()))], 'total', 1)
  if (times === undefined) return []
  const body = {
    dateRanges: [{ startDate: times.range.start, endDate: times.range.end }],
    dimensions: [{ name: 'eventName' }],
    metrics: [{ name: 'keyEvents' }, { name: 'eventValue' }],
    dimensionFilter: isKeyEvent,
    orderBys: [{ metric: { metricName: 'keyEvents' }, desc: true }],
    limit: String(MOST_ACTIONS),
  }
  const response = await callReport({ property: account.external_id, body }, io)
  const spec = {
    times,
    dimensions: ['eventName'],
    metrics: ['conversions', 'conversion_value'] as const,
    actions: [],
  }
  return mostFirst(actionsIn(columnsOf(response, spec)))
}
