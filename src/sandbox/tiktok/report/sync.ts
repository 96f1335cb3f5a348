import type { Dataset } from '#sandbox/dataset/dataset.ts'
import type { Caller } from '#sandbox/tiktok/access.ts'
import { invalid, notOneOf } from '#sandbox/tiktok/errors.ts'
import type { TikTokFault } from '#sandbox/tiktok/faults.ts'
import { pageOf, positionOf } from '#sandbox/tiktok/lists.ts'
import type { Parameters } from '#sandbox/tiktok/parameters.ts'
import { METRIC_FIELDS } from './metrics.ts'
import { type Query, readQuery } from './query.ts'
import { type Result, resultOf, type Row } from './rows.ts'

const MOST_ROWS = 1000
const TRUNCATED =
  "Number of ad ids is equal or more than 20k, only return the top 20k id's results, sorting by create time desc order."

/** The newest results: the pages of one report are requested one after another. */
export type Results = Map<string, Result>
const CACHE_SIZE = 4

interface SyncCall {
  caller: Caller
  dataset: Dataset
  results: Results
  faults: readonly TikTokFault[]
}

/** GET /report/integrated/get/ */
export function syncReport(parameters: Parameters, { caller, dataset, results, faults }: SyncCall) {
  const mode = parameters.choice('query_mode', ['REGULAR', 'CHUNK'])
  if (mode === 'CHUNK') throw notOneOf('query_mode', [mode], ['REGULAR'])
  const query = readQuery(parameters, { caller, synchronous: true })
  const withTotal = readTotal(parameters, query)
  const order = readOrder(parameters, query)
  const position = positionOf(parameters, MOST_ROWS)
  parameters.refuseUnknown()

  const result = resultFor(query, dataset, results)
  const sorted = order ? result.rows.toSorted(order) : result.rows
  const strikes = (action: TikTokFault['action']) => faults.some(fault => fault.action === action)
  const rows = strikes('reorder') ? turned(sorted) : sorted
  const repeats = strikes('repeat_page') && position.page > 1
  const page = pageOf(rows, repeats ? { ...position, page: position.page - 1 } : position)
  return {
    data: {
      ...page,
      page_info: { ...page.page_info, page: position.page },
      ...(withTotal && position.page === 1 && { total_metrics: result.total }),
    },
    headers: result.truncated ? { 'x-tt-ads-throttle': TRUNCATED } : {},
  }
}

function readTotal(parameters: Parameters, query: Query): boolean {
  const withTotals = parameters.flag('enable_total_metrics') ?? false
  if (withTotals && (query.breakdown.length > 0 || query.time === 'stat_time_hour' || query.many)) {
    throw invalid('enable_total_metrics: Only with one id dimension and stat_time_day.')
  }
  return withTotals
}

function readOrder(parameters: Parameters, query: Query) {
  const field = parameters.text('order_field')
  const type = parameters.choice('order_type', ['ASC', 'DESC']) ?? 'DESC'
  if (field === null) return null
  const known = query.metrics.filter(name => name in METRIC_FIELDS)
  if (!known.includes(field)) throw notOneOf('order_field', [field], known)
  const sign = type === 'ASC' ? 1 : -1
  return (left: Row, right: Row) => sign * (Number(left.metrics[field]) - Number(right.metrics[field]))
}

function resultFor(query: Query, dataset: Dataset, results: Results): Result {
  const moments = query.accounts.map(account => dataset.moment(account))
  const key = JSON.stringify([query.text, moments])
  const cached = results.get(key)
  if (cached) return cached
  const result = resultOf(query, dataset, { synchronous: true })
  results.set(key, result)
  const [oldest] = results.keys()
  if (results.size > CACHE_SIZE && oldest !== undefined) results.delete(oldest)
  return result
}

/** The same rows in another order: it begins after the first third. */
function turned(rows: readonly Row[]): Row[] {
  const third = Math.ceil(rows.length / 3)
  return [...rows.slice(third), ...rows.slice(0, third)]
}
