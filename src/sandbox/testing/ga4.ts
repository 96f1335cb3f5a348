import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts'

/** A response, loosely typed: each test reads the members that it is about. */
export interface Reply {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is what the tests judge
  body: any
}

export interface Ga4Client {
  sandbox: Sandbox
  get(path: string, token?: string | null): Promise<Reply>
  post(path: string, body: unknown, token?: string | null): Promise<Reply>
  report(parameters: object, property?: string, token?: string): Promise<Reply>
  /** The rows of the only result, as lists of dimensions and metrics. */
  rows(parameters: object, property?: string, token?: string): Promise<[string[], string[]][]>
  control(method: string, path: string, body?: unknown): Promise<Reply>
}

export const AURORA = '384626431'
export const BOREALIS = '384626432'
export const REVOKED = '384626441'
export const RESTRICTED = '384626442'
export const SIGNALS = '384626443'
export const EMPTY = '384626444'

export const OCTOBER = [{ startDate: '2026-10-01', endDate: '2026-10-31' }]
export const named = (...names: string[]) => names.map(name => ({ name }))

/** A sandbox of its own for a test file, at noon of 20 November 2026 in Taipei. */
export async function startClient(options: SandboxOptions = {}): Promise<Ga4Client> {
  const clock = createClock()
  clock.set({ now: Date.parse('2026-11-20T04:00:00Z'), speed: 0 })
  const sandbox = await startSandbox({ clock, ...options })
  const call = async (
    method: string,
    path: string,
    { body, token }: { body?: unknown; token: string | null },
  ) => {
    const response = await fetch(`${sandbox.origin}/${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = String(response.headers.get('content-type')).startsWith('application/json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null }
  }
  const report: Ga4Client['report'] = (parameters, property = AURORA, token = 'sandbox-agency') =>
    call('POST', `v1beta/properties/${property}:runReport`, {
      body: { dateRanges: OCTOBER, ...parameters },
      token,
    })
  return {
    sandbox,
    get: (path, token = 'sandbox-agency') => call('GET', path, { token }),
    post: (path, body, token = 'sandbox-agency') => call('POST', path, { body, token }),
    report,
    async rows(parameters, property, token) {
      const { status, body } = await report(parameters, property, token)
      if (status !== 200) throw new Error(JSON.stringify(body))
      const values = (list: { value: string }[] | undefined) => (list ?? []).map(({ value }) => value)
      return (body.rows ?? []).map(
        (row: { dimensionValues?: { value: string }[]; metricValues?: { value: string }[] }) => [
          values(row.dimensionValues),
          values(row.metricValues),
        ],
      )
    },
    control: (method, path, body) => call(method, `control/${path}`, { body, token: null }),
  }
}
