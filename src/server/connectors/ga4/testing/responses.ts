import type { AccountRef, ReportRequest } from '#server/connectors/connector.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { rowsOf, testContext, type ComparableRow } from '#server/connectors/testing/context.ts'
import { ga4 } from '#server/connectors/ga4/report.ts'
import type { Ga4Io } from '#server/connectors/ga4/schema.ts'

// A server of our own, for responses that the sandbox does not give, and to see what is requested.

const NOW = '2026-11-21T04:00:00Z'
const login = { client_id: 'id', client_secret: 'GOCSPX-hidden', refresh_token: '1//hidden' }
const account: AccountRef = {
  provider: 'ga4',
  external_id: '213025502',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}
export const request: ReportRequest = {
  channel: 'ga4',
  account,
  range: { start: '2026-11-01', end: '2026-11-02' },
  time: 'date',
  dimensions: ['source'],
  metrics: ['sessions', 'revenue'],
  filters: [],
}

export interface Body {
  dateRanges: { startDate: string; endDate: string }[]
  dimensions: { name: string }[]
  metrics: { name: string }[]
  offset: string
  dimensionFilter?: unknown
}
export interface Answer {
  status?: number
  body: unknown
}
export type Answering = (body: Body, number: number) => Answer

/** A server of tokens and reports; records the requests. */
export async function serving(
  answering: Answering,
): Promise<{ io: Ga4Io; requests: Body[]; paths: string[] }> {
  const requests: Body[] = []
  const paths: string[] = []
  let tokens = 0
  const origin = await startServer(async (incoming, response) => {
    const text = (await Array.fromAsync(incoming)).join('')
    const path = incoming.url ?? ''
    if (path === '/token') {
      tokens += 1
      response.end(JSON.stringify({ access_token: `ya29.hidden-${tokens}`, expires_in: 3600 }))
      return
    }
    paths.push(path)
    const body: Body = text === '' ? null : JSON.parse(text)
    const answer = answering(body, requests.push(body) - 1)
    const headers = { location: '/elsewhere', 'content-type': 'application/json' }
    response.writeHead(answer.status ?? 200, headers)
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  return { io: { ...testContext(origin, NOW), login }, requests, paths }
}

export const fetchFrom = async (
  answering: Answering,
  changes: Partial<ReportRequest> = {},
): Promise<{ rows: ComparableRow[]; requests: Body[] }> => {
  const { io, requests } = await serving(answering)
  return { rows: await rowsOf(ga4.fetchReport({ ...request, ...changes }, io)), requests }
}

export const kind = 'analyticsData#runReport'
const values = (texts: unknown[]) => texts.map(value => ({ value }))
export const row = (dimensions: unknown[], metrics: unknown[]) => ({
  dimensionValues: values(dimensions),
  metricValues: values(metrics),
})
/** A response to a request, its columns in the order of the request. */
export const answerOf = (body: Body, rows: unknown[], more: object = {}): Answer => ({
  body: {
    kind,
    dimensionHeaders: body.dimensions,
    metricHeaders: body.metrics.map(({ name }) => ({ name, type: 'TYPE_INTEGER' })),
    rows,
    rowCount: rows.length,
    metadata: { currencyCode: 'TWD', timeZone: 'Asia/Taipei' },
    ...more,
  },
})
export const refusal = (status: number, message: string): Answer => ({
  status,
  body: { error: { code: status, message, status: 'SOME' } },
})
