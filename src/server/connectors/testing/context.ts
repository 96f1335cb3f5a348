import {
  ReportPending,
  type Hosts,
  type Jobs,
  type Page,
  type ReportRequest,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import { plainPage } from './pages.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'

/** Leave to touch the sandbox: nothing waits, and the quota lets everything through. */
export const testContext = (baseUrl: string, now: string): ConnectorContext => ({
  fetch,
  hosts: sandboxHosts(baseUrl),
  now: () => new Date(now),
  sleep: async () => {},
  signal: new AbortController().signal,
  limiter: { acquire: async () => {}, report: async () => {} },
  tokens: createTokenCache(() => new Date(now)),
  jobs: testJobs(),
  note: () => {},
})

/** Every platform at the sandbox. */
export const sandboxHosts = (origin: string): Hosts => ({
  meta: `${origin}/v25.0`,
  meta_dialog: `${origin}/v25.0`,
  meta_business: origin,
  google_ads: origin,
  google_data_manager: origin,
  google_token: `${origin}/token`,
  google_consent: `${origin}/o/oauth2/v2/auth`,
  ga4_data: origin,
  ga4_admin: origin,
  ua: origin,
  ua_management: origin,
  ly_search: `${origin}/ly-search`,
  ly_display: `${origin}/ly-display`,
  ly_token: `${origin}/oauth/v1/token`,
  ly_consent: `${origin}/oauth/v1/authorize`,
  yahoo_dsp: origin,
  yahoo_dsp_reports: origin,
  yahoo_dsp_token: origin,
  tiktok: origin,
  line_ads: origin,
})

/** The jobs of one run, remembered as long as the test lasts. */
export function testJobs(): Jobs & { known: Map<string, string> } {
  const known = new Map<string, string>()
  return { known, ...jobsInMemory(known) }
}

/** The pages of a report as a run reads them: a report that is still being made is looked at again. */
export async function* fetchPages(
  source: Source,
  request: ReportRequest,
  context: ConnectorContext,
): AsyncGenerator<Page> {
  for (let looks = 0; ; looks += 1) {
    let hasBegun = false
    try {
      await source.prepare(request, context)
      for await (const page of source.fetchReport(request, context)) {
        hasBegun = true
        yield page
      }
      return
    } catch (error) {
      // A run that has to wait amid its pages begins its table anew, which a reader of pages cannot.
      if (!(error instanceof ReportPending) || hasBegun || looks === LOOKS) throw error
    }
  }
}

const LOOKS = 50

/** One row, as far as it can be compared: what it is about, and its numbers in the order of the request. */
export interface ComparableRow {
  date: string
  keys: string[]
  labels: string[]
  values: number[]
}

/** Every row of a response, ordered by date and keys. */
export async function rowsOf(pages: AsyncIterable<Page>): Promise<ComparableRow[]> {
  const rows: ComparableRow[] = []
  for await (const page of pages) {
    const { length, dates, dimensions, metrics } = plainPage(page)
    for (let at = 0; at < length; at += 1) {
      rows.push({
        date: dates[at] ?? '',
        keys: dimensions.map(({ keys }) => keys[at] ?? ''),
        labels: dimensions.map(({ keys, labels }) => labels?.[at] ?? keys[at] ?? ''),
        values: metrics.map(column => column[at] ?? Number.NaN),
      })
    }
  }
  return inOrder(rows)
}

export const inOrder = (rows: ComparableRow[]) =>
  rows
    .map(row => ({ row, key: keyOf(row) }))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ row }) => row)

export const keyOf = ({ date, keys }: Pick<ComparableRow, 'date' | 'keys'>) => JSON.stringify([date, ...keys])

/** Sums rows by a key of theirs; for additive metrics. */
export function summed(rows: ComparableRow[], by: (row: ComparableRow) => string): Record<string, number[]> {
  const sums: Record<string, number[]> = {}
  for (const row of rows) {
    const before = sums[by(row)]
    sums[by(row)] = before ? before.map((value, at) => value + (row.values[at] ?? 0)) : row.values
  }
  return sums
}

export type RequestFields = Omit<ReportRequest, 'account' | 'channel'>
