import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts'

/** A response, loosely typed: each test reads the members that it is about. */
export interface Reply {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is what the tests judge
  body: any
}

export interface Way {
  customer?: string
  token?: string | null
  /** The manager in the header; none when null. */
  through?: string | null
  version?: string
  headers?: Record<string, string>
}

export interface AdsClient {
  sandbox: Sandbox
  call(method: string, path: string, body?: unknown, way?: Way): Promise<Reply>
  search(query: string, way?: Way, more?: object): Promise<Reply>
  stream(query: string, way?: Way, more?: object): Promise<Reply>
  /** All pages together. */
  rows(query: string, way?: Way): Promise<Row[]>
  control(method: string, path: string, body?: unknown): Promise<Reply>
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
export type Row = any

export const AURORA = '4203141501'
export const MANAGER = '1110000001'

/** A sandbox of its own for a test file, at noon of 20 November 2026 in Taipei by default. */
export async function startClient(options: SandboxOptions = {}): Promise<AdsClient> {
  const clock = createClock()
  clock.set({ now: Date.parse('2026-11-20T04:00:00Z'), speed: 0 })
  const sandbox = await startSandbox({ clock, ...options })

  const call: AdsClient['call'] = (method, path, body, way = {}) => {
    const { token = 'sandbox-agency', through = MANAGER, version = 'v26', headers } = way
    return read(
      fetch(`${sandbox.origin}/${version}/${path}`, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(through !== null && { 'login-customer-id': through }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
  }
  const searching =
    (method: string): AdsClient['search'] =>
    (query, way = {}, more = {}) =>
      call('POST', `customers/${way.customer ?? AURORA}/googleAds:${method}`, { query, ...more }, way)
  const search = searching('search')

  return {
    sandbox,
    call,
    search,
    stream: searching('searchStream'),
    async rows(query, way) {
      const rows: Row[] = []
      let pageToken: string | undefined
      do {
        const { status, body, text } = await search(query, way, pageToken === undefined ? {} : { pageToken })
        if (status !== 200) throw new Error(text)
        rows.push(...(body.results ?? []))
        pageToken = body.nextPageToken
      } while (pageToken !== undefined)
      return rows
    },
    control: (method, path, body) =>
      read(
        fetch(`${sandbox.origin}/control/${path}`, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
  }
}

async function read(sent: Promise<Response>): Promise<Reply> {
  const response = await sent
  const text = await response.text()
  const isJson = String(response.headers.get('content-type')).startsWith('application/json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

/** Family and code of a refusal. */
export function codeOf({ body }: Reply): string {
  const { error } = Array.isArray(body) ? body.at(-1) : body
  const [family = 'none', code] = Object.entries(error.details?.[0]?.errors?.[0]?.errorCode ?? {})[0] ?? []
  return `${family}.${String(code)}`
}
