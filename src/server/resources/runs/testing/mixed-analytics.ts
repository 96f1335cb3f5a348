import { z } from 'zod'
import type { FoundAccount } from './mixed-agency.ts'
import { countedActions } from './mixed-numbers-meaning.ts'
import type { Days } from './mixed-numbers-oracle.ts'

// The numbers of web analytics of single days and sources, fetched in the simplest way: one request, no
// filter, no product code.

export interface Visits {
  date: string
  source_medium: string
  sessions: number
  total_events: number
  /** Key events that reports' definitions count; Universal Analytics has none. */
  conversions: number
}

/** Every row of traffic on every day of a property or view. */
export async function visitsOf(
  base_url: string,
  { provider, external_id, days }: Pick<FoundAccount, 'provider' | 'external_id'> & { days: Days },
): Promise<Visits[]> {
  const request = { dateRanges: [{ startDate: days.start, endDate: days.end }] }
  const fetchRows = provider === 'ga4' ? ga4Rows : uaRows
  const rows = await fetchRows(base_url, external_id, request)
  return rows.map(([day = '', source_medium = '', sessions, total_events, ...events]) => ({
    date: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`,
    source_medium,
    sessions: Number(sessions),
    total_events: Number(total_events),
    conversions: events.reduce((sum, each) => sum + Number(each), 0),
  }))
}

const Ga4 = z.object({
  rowCount: z.number().default(0),
  rows: z
    .array(
      z.object({
        dimensionValues: z.array(z.object({ value: z.string() })),
        metricValues: z.array(z.object({ value: z.string() })),
      }),
    )
    .default([]),
})

const keyEvents = countedActions.ga4.map(event => `keyEvents:${event}`)

async function ga4Rows(base_url: string, property: string, request: object): Promise<string[][]> {
  const response = Ga4.parse(
    await post(`${base_url}/v1beta/properties/${property}:runReport`, {
      ...request,
      dimensions: [{ name: 'date' }, { name: 'sessionSourceMedium' }],
      metrics: ['sessions', 'eventCount', ...keyEvents].map(name => ({ name })),
      limit: '100000',
    }),
  )
  if (response.rows.length < response.rowCount) throw new Error('the oracle has only one page of the rows')
  return response.rows.map(row => [...row.dimensionValues, ...row.metricValues].map(({ value }) => value))
}

const Ua = z.object({
  reports: z.tuple([
    z.object({
      nextPageToken: z.undefined().optional(),
      data: z.object({
        rows: z
          .array(
            z.object({
              dimensions: z.array(z.string()),
              metrics: z.tuple([z.object({ values: z.array(z.string()) })]),
            }),
          )
          .default([]),
      }),
    }),
  ]),
})

async function uaRows(base_url: string, viewId: string, request: object): Promise<string[][]> {
  const response = Ua.parse(
    await post(`${base_url}/v4/reports:batchGet`, {
      reportRequests: [
        {
          ...request,
          viewId,
          dimensions: [{ name: 'ga:date' }, { name: 'ga:sourceMedium' }],
          metrics: [{ expression: 'ga:sessions' }, { expression: 'ga:totalEvents' }],
          pageSize: 100_000,
        },
      ],
    }),
  )
  return response.reports[0].data.rows.map(({ dimensions, metrics }) => [...dimensions, ...metrics[0].values])
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { authorization: 'Bearer sandbox-admin', 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`the oracle was refused: ${await response.text()}`)
  return await response.json()
}
