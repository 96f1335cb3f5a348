import {
  sourceOf,
  type AccountRef,
  type ReportRequest,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { line } from '#server/connectors/line/report.ts'

export const NOW = '2026-11-21T04:00:00Z'
export const GROUP = 'G10000000001'
export const KEY = 'sandbox-admin'
export const sourceWith = (more: object = {}) =>
  sourceOf(line, {
    access_key: KEY,
    secret_key: KEY,
    group_ids: `${GROUP}, G10000000003`,
    ...more,
  })
export const source = sourceWith()
export const taipei = account('A37000000037', 'TWD', 'Asia/Taipei')
export const tokyo = account('A39000000039', 'JPY', 'Asia/Tokyo')
export const empty = account('A72000000172', 'TWD', 'Asia/Taipei')
export const failing = account('A73000000173', 'TWD', 'Asia/Taipei')
export const large = account('A76000000176', 'TWD', 'Asia/Taipei')

/** October of an account, by day, unless something else is requested. */
export const requestOf = (request: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'ln',
  account: taipei,
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
  ...request,
})

export const fault = (action: string, more: object = {}) => ({ platform: 'line', action, ...more })
export const error = (reason: string, status = 400) => fault('error', { reason, status })

/** The sandbox of a test file, and how its tests read reports there. */
export function lineSandbox() {
  const sandbox = sandboxOfFile(NOW)
  const context = (changes: Partial<ConnectorContext> = {}): ConnectorContext => ({
    ...testContext(sandbox.base_url, NOW),
    ...changes,
  })
  return {
    context,
    fetchRows: (request: Partial<ReportRequest> = {}, changes: Partial<ConnectorContext> = {}) =>
      rowsOf(fetchPages(source, requestOf(request), context(changes))),
    setFaults: (...faults: object[]) => sandbox.setFaults(faults),
    reset: (now = NOW) => sandbox.reset(now),
    requests: async () =>
      (await sandbox.requests()).map(({ method, path, status }) => ({ method, path, status })),
    submitted: async () => (await sandbox.requests()).filter(({ method }) => method === 'POST').length,
    setLimits: (limits: object) => sandbox.setLimits(limits),
    setClock: (clock: { now: string; speed: number }) => sandbox.setClock(clock),
  }
}

function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'line', external_id, currency, timezone, via: GROUP }
}
