import {
  sourceOf,
  type AccountRef,
  type ReportRequest,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { tiktok } from '#server/connectors/tiktok/report.ts'
import type { TikTokLogin } from '#server/connectors/tiktok/schema.ts'

// What the tests of this folder share: a login and accounts.

export const NOW = '2026-11-20T04:00:00Z'
export const login: TikTokLogin = {
  access_token: 'sandbox-admin',
  app_id: '7300000000000000001',
  app_secret: 'sandbox-app-secret',
}
export const source = (changes: Partial<TikTokLogin> = {}) => sourceOf(tiktok, { ...login, ...changes })

export const aurora = account('7012345678901230032', 'TWD', 'Asia/Taipei')
export const large = account('7012345678901230161', 'USD', 'America/Los_Angeles')
export const empty = account('7012345678901230162', 'USD', 'America/Los_Angeles')
export const revoked = account('7012345678901230163', 'USD', 'America/Los_Angeles')
export const deleted = account('7012345678901230164', 'USD', 'America/Los_Angeles')

export function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'tiktok', external_id, currency, timezone, via: null }
}

export const October = { start: '2026-10-01', end: '2026-10-31' }

/** October of an account, by day, unless something else is requested. */
export const requestOf = (request: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'tt',
  account: aurora,
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
  ...request,
})

export const fault = (action: string, more: object = {}) => ({ platform: 'tiktok', action, ...more })
export const error = (code: number, message?: string) => fault('error', { code, ...(message && { message }) })

/** The sandbox of a test file, and how its tests read reports there. */
export function tiktokSandbox() {
  const sandbox = sandboxOfFile(NOW)
  const context = (changes: Partial<ConnectorContext> = {}): ConnectorContext => ({
    ...testContext(sandbox.base_url, NOW),
    ...changes,
  })
  return {
    context,
    fetchRows: (request: Partial<ReportRequest> = {}, changes: Partial<ConnectorContext> = {}) =>
      rowsOf(fetchPages(source(), requestOf(request), context(changes))),
    setFaults: (faults: object[]) => sandbox.setFaults(faults),
    reset: () => sandbox.reset(NOW),
    requests: async () => (await sandbox.requests()).map(({ method, path }) => ({ method, path })),
  }
}
