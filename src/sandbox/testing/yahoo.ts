import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts'

export interface Reply {
  status: number
  headers: Headers
  bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is what the tests judge
  body: any
}

export interface Client {
  sandbox: Sandbox
  send(path: string, init?: RequestInit): Promise<Reply>
  search(operation: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  display(operation: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Adds a report, polls until it is finished, and downloads it. */
  report(product: 'search' | 'display', operand: Record<string, unknown>, account?: number): Promise<Reply>
  control(method: string, path: string, body?: unknown): Promise<Reply>
}

export const BASES = { search: '1000100', display: '1000200' }
const OPTIONS = {
  reportName: 'test',
  reportDateRangeType: 'CUSTOM_DATE',
  dateRange: { startDate: '20261101', endDate: '20261107' },
  reportLanguage: 'EN',
  reportSkipReportSummary: 'TRUE',
  reportDecimalPartDisplayType: 'FULL_DISPLAY',
}

/** A sandbox of its own for a test file, at 13 hours of 20 November 2026 in Tokyo. */
export async function startClient(now = '2026-11-20T04:00:00Z'): Promise<Client> {
  const clock = createClock()
  clock.set({ now: Date.parse(now), speed: 0 })
  const sandbox = await startSandbox({ clock })
  const send = (path: string, init: RequestInit = {}) => read(fetch(`${sandbox.origin}${path}`, init))
  const service =
    (product: 'search' | 'display') =>
    (operation: string, body: unknown, headers: Record<string, string> = {}) =>
      send(`/ly-${product}/api/v${product === 'search' ? 20 : 19}/${operation}`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer sandbox-admin',
          'content-type': 'application/json',
          'x-z-base-account-id': BASES[product],
          ...headers,
        },
        body: JSON.stringify(body),
      })
  const [search, display] = [service('search'), service('display')]
  return {
    sandbox,
    send,
    search,
    display,
    async report(product, operand, accountId = product === 'search' ? 1_001_926 : 1_002_928) {
      const call = product === 'search' ? search : display
      const added = await call('ReportDefinitionService/add', {
        accountId,
        operand: [{ ...OPTIONS, ...operand }],
      })
      const [value] = added.body.rval?.values ?? []
      if (!value?.operationSucceeded) return added
      const { reportJobId } = value.reportDefinition
      for (let polls = 0; polls < 3; polls++)
        await call('ReportDefinitionService/get', { accountId, reportJobIds: [reportJobId] })
      return call('ReportDefinitionService/download', { accountId, reportJobId })
    },
    control: (method, path, body) =>
      send(`/control/${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      }),
  }
}

async function read(sent: Promise<Response>): Promise<Reply> {
  const response = await sent
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  }
}

/** The rows of a CSV file, header included. */
export function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n)/g)
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\n') rows.push([])
  }
  return rows.slice(0, -1)
}

/** The sum of a column of numbers. */
export function sumOf(text: string, column: string): number {
  const [header = [], ...rows] = rowsOf(text)
  const at = header.indexOf(column)
  return rows.reduce((sum, row) => sum + Number(row[at]), 0)
}
