import { createHash } from 'node:crypto'
import type { Clock } from '#sandbox/clock.ts'
import type { GoogleCustomer } from '#sandbox/dataset/google-ads.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { AdsError } from './errors.ts'
import { type Query, readQuery } from './gaql/check.ts'
import { type Report, reportOf } from './report/rows.ts'
import { fieldMask, rowWriter, summaryMessage } from './report/wire.ts'

export interface SearchRequest {
  customer: GoogleCustomer
  version: string
  query: unknown
}

export interface Search {
  /** POST …/googleAds:search */
  page(search: SearchRequest & { token: unknown; settings: Settings; validate_only: boolean }): object
  /** POST …/googleAds:searchStream: the elements of the array. */
  stream(search: SearchRequest & { with_summary: boolean; request_id: string }): object[]
  /** How many rows a page or a batch has. */
  page_size: number
  reset(): void
}

export interface Settings {
  returnTotalResultsCount?: boolean
  returnSummaryRow?: boolean
  omitResults?: boolean
}

export const PAGE_SIZE = 10_000
const CACHED_REPORTS = 3
const TOKEN_LIFETIME = 2 * 3_600_000

export function createSearch({ clock, dataset }: { clock: Clock; dataset: Dataset }): Search {
  // Between the pages of one query nothing is computed twice; least lately used first.
  const cache = new Map<string, Report>()

  const checked = ({ customer, version, query }: SearchRequest): Query => {
    if (typeof query !== 'string' || query === '') {
      throw new AdsError('fieldError', 'REQUIRED', 'The required field was not present.', { field: 'query' })
    }
    return readQuery(query, { today: dataset.moment(customer).today, version, manager: customer.manager })
  }
  const cachedReport = (query: Query, customer: GoogleCustomer): Report => {
    const { today, day_passed } = dataset.moment(customer)
    const key = [customer.id, today, day_passed, query.text].join(' ')
    const report = cache.get(key) ?? reportOf(query, customer, dataset)
    cache.delete(key)
    cache.set(key, report)
    for (const old of [...cache.keys()].slice(0, -CACHED_REPORTS)) cache.delete(old)
    return report
  }

  return {
    page_size: PAGE_SIZE,
    page(search) {
      const query = checked(search)
      const pageTokens = tokensOf(search.customer.id, query, clock)
      const from = pageTokens.read(search.token)
      if (search.validate_only) return {}
      const { rows, summary } = cachedReport(query, search.customer)
      const until = from + this.page_size
      const page = search.settings.omitResults ? [] : rows.slice(from, until)
      return {
        ...(page.length > 0 && { results: page.map(rowWriter(query)) }),
        ...(until < rows.length &&
          !search.settings.omitResults && { nextPageToken: pageTokens.write(until) }),
        ...(search.settings.returnTotalResultsCount && { totalResultsCount: String(rows.length) }),
        fieldMask: fieldMask(query),
        ...(search.settings.returnSummaryRow &&
          until >= rows.length && { summaryRow: summaryMessage(summary, query) }),
        queryResourceConsumption: consumption(query, rows.length),
      }
    },
    stream(search) {
      const query = checked(search)
      const { rows, summary } = cachedReport(query, search.customer)
      const shared = { fieldMask: fieldMask(query), requestId: search.request_id }
      const batches: object[] = []
      const write = rowWriter(query)
      for (let from = 0; from < rows.length; from += this.page_size) {
        const results = rows.slice(from, from + this.page_size).map(write)
        batches.push({ results, ...shared })
      }
      if (batches.length === 0) batches.push(shared)
      if (search.with_summary) batches.push({ summaryRow: summaryMessage(summary, query), ...shared })
      const last = batches.pop() ?? {}
      return [...batches, { ...last, queryResourceConsumption: consumption(query, rows.length) }]
    },
    reset() {
      cache.clear()
      this.page_size = PAGE_SIZE
    },
  }
}

const consumption = ({ select }: Query, rows: number) => String(100 + rows * select.length)

/** Opaque tokens for positions in the result of one query of one customer. */
function tokensOf(customerId: string, { text }: Query, clock: Clock) {
  const of = createHash('sha256').update(`${customerId} ${text}`).digest('base64url').slice(0, 20)
  return {
    write: (position: number) =>
      Buffer.from(JSON.stringify([of, position, clock.now()])).toString('base64url'),
    read(token: unknown): number {
      if (token === undefined || token === '') return 0
      const [owner, position, issued] = parsed(String(token))
      if (owner !== of || typeof position !== 'number' || typeof issued !== 'number') {
        throw new AdsError('requestError', 'INVALID_PAGE_TOKEN', 'Page token is invalid.', {
          field: 'page_token',
        })
      }
      if (clock.now() - issued > TOKEN_LIFETIME) throw expiredPageToken()
      return position
    },
  }
}

export const expiredPageToken = () =>
  new AdsError('requestError', 'EXPIRED_PAGE_TOKEN', 'The request token is expired.', { field: 'page_token' })

function parsed(token: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
