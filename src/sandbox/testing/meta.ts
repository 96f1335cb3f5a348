import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts'

/** An answer of the Graph API, loosely typed: tests look at whatever they are about. */
export interface Reply {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is what the tests judge
  body: any
}

export type Wanted = Record<string, string | number | object>

export interface Asking {
  sandbox: Sandbox
  get(path: string, wanted?: Wanted, token?: string): Promise<Reply>
  post(path: string, wanted?: Wanted, token?: string): Promise<Reply>
  control(method: string, path: string, body?: unknown): Promise<Reply>
}

/** A sandbox of its own for a test file, at noon of 20 November 2026 in Taipei unless told otherwise. */
export async function startAsking(now = '2026-11-20T04:00:00Z'): Promise<Asking> {
  const clock = createClock()
  clock.set({ now: Date.parse(now), speed: 0 })
  const sandbox = await startSandbox({ clock })
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })
  return {
    sandbox,
    get: (path, wanted = {}, token = 'sandbox-admin') =>
      read(fetch(`${sandbox.origin}/v25.0/${path}?${formOf(wanted)}`, { headers: headersOf(token) })),
    post: (path, wanted = {}, token = 'sandbox-admin') =>
      read(
        fetch(`${sandbox.origin}/v25.0/${path}`, {
          method: 'POST',
          headers: headersOf(token),
          body: formOf(wanted),
        }),
      ),
    control: (method, path, body) =>
      read(
        fetch(`${sandbox.origin}/control/${path}`, {
          method,
          ...(body !== undefined && {
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }),
        }),
      ),
  }
}

/** Objects are sent as JSON, everything else as it is. */
const formOf = (wanted: Wanted) =>
  new URLSearchParams(
    Object.entries(wanted).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )

async function read(asked: Promise<Response>): Promise<Reply> {
  const response = await asked
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  }
}
