import {
  sourceOf,
  type AccountRef,
  type ReportRequest,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { lyAds } from '#server/connectors/yahoo/report.ts'

export const NOW = '2026-11-21T04:00:00Z'

export const search = sourceOf(lyAds, {
  client_id: 'any',
  client_secret: 'sandbox-admin',
  refresh_token: 'sandbox-admin',
})

export const searchAccount = (external_id: string): AccountRef => ({
  provider: 'ly_search',
  external_id,
  currency: 'JPY',
  timezone: 'Asia/Tokyo',
  via: '1000100',
})
export const aurora = searchAccount('1001926')

export const advertiser: AccountRef = {
  provider: 'yahoo_dsp',
  external_id: '330030',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}

/** A month of search ads, day by day. */
export const requestOf = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'yg',
  account: aurora,
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
  ...changes,
})

export interface RecordedContext {
  context: ConnectorContext
  /** Codes of the notes, in their order. */
  notes: string[]
  /** What was sent as JSON, by the end of its path. */
  sent: (path: string) => { operand?: Record<string, unknown>[]; reportOption?: Record<string, unknown> }[]
}

/** A context that records what was sent to the platform and which notes it led to. */
export function recordedContext(baseUrl: string, changes: Partial<ConnectorContext> = {}): RecordedContext {
  const notes: string[] = []
  const bodies: { path: string; body: unknown }[] = []
  const context: ConnectorContext = {
    ...testContext(baseUrl, NOW),
    note: ({ code }) => void notes.push(code),
    ...changes,
  }
  return {
    context: {
      ...context,
      fetch: (input, init) => {
        const path = URL.parse(String(input))?.pathname ?? ''
        if (typeof init?.body === 'string') bodies.push({ path, body: JSON.parse(init.body) })
        return context.fetch(input, init)
      },
    },
    notes,
    sent: path =>
      bodies.flatMap(({ path: sentTo, body }) =>
        sentTo.endsWith(path) ? [body as Record<string, never>] : [],
      ),
  }
}
