import { Problem, readProblem, waitOf } from './problem.ts'
import type { Session } from './session.ts'

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface RequestOptions {
  /** Left out: null, undefined and ''. */
  query?: Query
  /** Sent as JSON; a FormData and a Blob as they are. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** The request outlives the page; browsers allow 64 kB for all such bodies together. */
  keepalive?: boolean
}

export interface HttpEffects {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  session: Pick<Session, 'token' | 'renew' | 'isRenewable' | 'end'>
  /** Called after each attempt: whether the server could be reached at all. */
  reachable: (reached: boolean) => void
  pause: (ms: number) => Promise<void>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Call {
  method: Method
  path: string
  options: RequestOptions
}

/**
 * The one HTTP client: `get<User>('/users/7/')`. A call returns the response body or throws a `Problem`. It
 * carries the access token, renewed first when there is none; a 401 is tried once more after a renewal, and
 * ends the session when that does not help. A read that exceeds the person's rate limit is repeated once when
 * the server allows it.
 *
 * A response has the type of the contract (shared/api), by which the server has written it. It is not parsed
 * by the schema a second time: that would put 27 kB of zod before the first page, for a response of our own
 * server.
 */
export function createClient(effects: HttpEffects) {
  const call =
    (method: Method) =>
    async <Reply>(path: string, options: RequestOptions = {}): Promise<Reply> =>
      read<Reply>(await authorized({ method, path, options }))

  /** A call that needs no session, such as signing in. */
  async function anonymous<Reply>(
    method: Method,
    path: string,
    options: RequestOptions = {},
  ): Promise<Reply> {
    return read<Reply>(await checked(await send({ method, path, options }, null)))
  }

  /** The response itself, for what is not JSON: downloads, events. Its status is 2xx. */
  const raw = (method: Method, path: string, options: RequestOptions = {}) =>
    authorized({ method, path, options })

  async function authorized(request: Call): Promise<Response> {
    const found = effects.session.token()
    // Without a pause the request leaves before anything that the same click draws.
    const token = typeof found === 'string' ? found : await found
    if (token === null) throw new Problem({ code: 'unauthenticated', status: 401 })
    const first = await patientSend(request, token)
    if (first.status !== 401) return checked(first)
    if (!effects.session.isRenewable()) return overWith(first)
    const fresh = await effects.session.renew(token)
    if (fresh === null) return checked(first)
    const second = await patientSend(request, fresh)
    return second.status === 401 ? overWith(second) : checked(second)
  }

  /** A 401 that no renewal can fix. */
  function overWith(refusal: Response) {
    effects.session.end()
    return checked(refusal)
  }

  async function patientSend(request: Call, token: string): Promise<Response> {
    const response = await send(request, token)
    const wait_ms = response.status === 429 && request.method === 'GET' ? waitOf(response) : null
    if (wait_ms === null || wait_ms > MOST_WAIT_MS) return response
    // The caller may have given up by then: its signal is aborted, and nothing is sent.
    await effects.pause(wait_ms)
    return await send(request, token)
  }

  async function send({ method, path, options }: Call, token: string | null): Promise<Response> {
    const body =
      options.body instanceof FormData || options.body instanceof Blob
        ? options.body
        : options.body === undefined
          ? null
          : JSON.stringify(options.body)
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers }
    if (token !== null) headers.authorization = `Bearer ${token}`
    if (typeof body === 'string') headers['content-type'] = 'application/json'
    try {
      const response = await effects.fetch(path + queryText(options.query ?? {}), {
        method,
        headers,
        body,
        signal: options.signal ?? null,
        keepalive: options.keepalive ?? false,
      })
      effects.reachable(true)
      return response
    } catch (error) {
      if (options.signal?.aborted) throw error
      effects.reachable(false)
      throw new Problem({ code: 'unreachable' }, error)
    }
  }

  return {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
    anonymous,
    raw,
  }
}

/** Beyond this an error is better than a longer wait. */
const MOST_WAIT_MS = 10_000

export type Client = ReturnType<typeof createClient>

/** `?a=1&b=x`, or nothing when every value is left out. */
export function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value))
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  throw readProblem(response, await textOf(response))
}

async function read<Reply>(response: Response): Promise<Reply> {
  const text = await textOf(response)
  try {
    return JSON.parse(text === '' ? 'null' : text)
  } catch (error) {
    // Something in between has answered, such as a sign-in page of the network.
    throw new Problem(
      { code: 'unreadable', status: response.status, request_id: response.headers.get('x-request-id') },
      error,
    )
  }
}

/** A response whose connection breaks before its end counts as none. */
async function textOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem({ code: 'unreachable' }, error)
  }
}
