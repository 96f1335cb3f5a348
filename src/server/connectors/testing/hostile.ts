import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { isErrorCode } from '#shared/errors.ts'
import {
  ReportPending,
  PlatformFailure,
  type Page,
  type PlatformAccount,
  type ReportRequest,
  type RunNote,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { rowsOf, testContext } from './context.ts'
import { plainPage } from './pages.ts'

// A hostile platform: a proxy between a connector and the sandbox that records the true responses and replays
// them, one of them changed.

/** A response as it goes over the wire. */
export interface WireResponse {
  status: number
  headers: [name: string, value: string][]
  body: Buffer
}

/** A request, and its true response. */
export interface Exchange {
  /** Method and path, for messages. */
  name: string
  method: string
  path: string
  /** Identifies the request. */
  key: string
  original: WireResponse
}

/** What is sent instead; a function writes it by itself. */
export type Replacement = WireResponse | Tampering
export type Tampering = (response: ServerResponse, secrets: readonly string[]) => void
export type Tamper = (exchange: Exchange) => Replacement | null

/** What is read of a platform: everything in its responses, as a text. */
export type Fetching = (context: ConnectorContext) => Promise<string>

export interface Outcome {
  /** What was read, or how it ended; `wrong` is never right, whatever was sent. */
  end: { read: string } | { failure: PlatformFailure } | { waits: number } | { wrong: string }
  notes: RunNote[]
  /** The waits that were reported to the limiter. */
  waits: number[]
  /** What went to another host. */
  strayed: string[]
  /** Everything that was sent as a credential. */
  secrets: string[]
}

export interface HostilePlatform {
  /** Another host, to which nothing may be sent. */
  elsewhere: string
  /** Records the true responses of a read. */
  record(fetching: Fetching): Promise<{ truth: string; exchanges: Exchange[] }>
  /** The same read, with one response changed. */
  replay(fetching: Fetching, tamper: Tamper): Promise<Outcome>
  stop(): void
}

/** More than the longest list may have pages. */
const MOST_REQUESTS = 6000
const TIMEOUT_MS = 50_000

export async function startHostilePlatform(sandboxUrl: string, now: string): Promise<HostilePlatform> {
  const known = new Map<string, WireResponse[]>()
  const agent = new Agent({ keepAlive: true })
  let session: {
    tamper: Tamper
    counts: Map<string, number>
    secrets: Set<string>
    requests: number
  } | null = null
  let recording: Exchange[] | null = null
  const strayed: string[] = []

  const foreign = createServer((incoming, response) => {
    strayed.push(`${incoming.method} ${incoming.url} ${JSON.stringify(incoming.headers)}`)
    response.end('{}')
  })
  const server = createServer(async (incoming, response) => {
    response.on('error', () => {})
    const body = Buffer.concat(await incoming.toArray().catch(() => []))
    const [method, path] = [incoming.method ?? '', incoming.url ?? '']
    const headers = incoming.headers as Record<string, string>
    const key = keyOf({ method, path, headers, body })
    const current = session
    if (current !== null) {
      current.requests += 1
      for (const secret of secretsIn({ path, headers, body })) current.secrets.add(secret)
    }
    const index = current?.counts.get(key) ?? 0
    current?.counts.set(key, index + 1)
    const recorded = known.get(key)
    const original =
      (current !== null ? (recorded?.[index] ?? recorded?.at(-1)) : undefined) ??
      (await forwarded({ method, path, headers, body }))
    const exchange = { name: `${method} ${path.split('?')[0]}`, method, path, key, original }
    if (recording !== null) {
      known.set(key, [...(recorded ?? []), original])
      if (recorded === undefined) recording.push(exchange)
    }
    const replacement = current?.tamper(exchange) ?? original
    if (typeof replacement === 'function') replacement(response, secretsIn({ path, headers, body }))
    else response.writeHead(replacement.status, replacement.headers.flat()).end(replacement.body)
  })
  const [base_url, elsewhere] = [await listening(server), await listening(foreign)]

  const forwarded = async (sent: {
    method: string
    path: string
    headers: Record<string, string>
    body: Buffer
  }) => {
    const { method, path, body } = sent
    const headers = { ...sent.headers, 'accept-encoding': 'identity' }
    const upstream = httpRequest(`${sandboxUrl}${path}`, { method, headers, agent })
    upstream.end(body)
    const [response] = await once(upstream, 'response')
    const bytes = Buffer.concat(await response.toArray())
    const forwardedHeaders = Object.entries<string>(response.headers).filter(
      ([name]) => !HOP_HEADERS.has(name),
    )
    return { status: response.statusCode, headers: forwardedHeaders, body: bytes } satisfies WireResponse
  }

  const contextFor = (notes: RunNote[], waits: number[], signal: AbortSignal): ConnectorContext => ({
    ...testContext(base_url, now),
    signal,
    note: note => void notes.push(note),
    limiter: {
      acquire: async () => {},
      report: async (_, { pause_ms }) => void waits.push(pause_ms),
    },
    fetch: (...request) => {
      if (session !== null && session.requests > MOST_REQUESTS) throw new Error('requests without an end')
      const [to, init] = request
      return fetch(to, init)
    },
  })

  return {
    elsewhere,
    async record(fetching) {
      recording = []
      known.clear()
      const truth = await fetching(contextFor([], [], new AbortController().signal))
      const exchanges = recording
      recording = null
      return { truth, exchanges }
    },
    async replay(fetching, tamper) {
      const current = { tamper, counts: new Map(), secrets: new Set<string>(), requests: 0 }
      session = current
      strayed.length = 0
      const notes: RunNote[] = []
      const waits: number[] = []
      const stop = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const hangs = new Promise<Outcome['end']>(resolve => {
        timer = setTimeout(() => resolve({ wrong: 'hangs' }), TIMEOUT_MS)
      })
      const end = await Promise.race([endOf(fetching(contextFor(notes, waits, stop.signal))), hangs])
      clearTimeout(timer)
      stop.abort()
      session = null
      return {
        end: current.requests > MOST_REQUESTS ? { wrong: 'requests without an end' } : end,
        notes,
        waits: 'waits' in end ? [...waits, end.waits] : waits,
        strayed: [...strayed],
        secrets: [...current.secrets],
      }
    },
    stop() {
      for (const each of [server, foreign]) {
        each.closeAllConnections()
        each.close()
      }
      agent.destroy()
    },
  }
}

async function endOf(reading: Promise<string>): Promise<Outcome['end']> {
  try {
    return { read: await reading }
  } catch (error) {
    if (error instanceof ReportPending) return { waits: error.poll_after_ms }
    if (!(error instanceof PlatformFailure)) return { wrong: inspect(error) }
    return isErrorCode(error.code) ? { failure: error } : { wrong: `the code ${inspect(error.code)}` }
  }
}

const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
])

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

interface SentRequest {
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** Requests for tokens have fresh signatures each time: those do not make another request. */
function keyOf({ method, path, headers, body }: SentRequest & { method: string }): string {
  const form = headers['content-type']?.includes('form-urlencoded')
  const proof = headers['authorization'] ?? headers['x-auth-token'] ?? headers['access-token'] ?? ''
  const about = form && path.includes('token') ? '' : body.toString('latin1')
  return [method, path, proof, headers['x-z-base-account-id'], headers['login-customer-id'], about].join('\n')
}

const SECRET_FIELDS = [
  'appsecret_proof',
  'secret',
  'client_secret',
  'refresh_token',
  'client_assertion',
  'assertion',
]

function secretsIn({ path, headers, body }: SentRequest): string[] {
  const bearer = headers['authorization']?.replace('Bearer ', '') ?? ''
  const sent = [bearer, headers['x-auth-token'], headers['access-token']]
  const form = headers['content-type']?.includes('form-urlencoded') ? body.toString() : ''
  for (const params of [new URLSearchParams(path.split('?')[1]), new URLSearchParams(form)])
    for (const field of SECRET_FIELDS) sent.push(params.get(field) ?? '')
  return sent.flatMap(secret => (secret ? [secret] : []))
}

/** Polls of a report that is being prepared: enough for the sandbox. */
const POLLS = 2

export const readingReport =
  (source: Source, request: ReportRequest): Fetching =>
  async context => {
    for (let poll = 1; ; poll += 1) {
      try {
        await source.prepare(request, context)
        return JSON.stringify(await rowsOf(boundedPages(source.fetchReport(request, context))), plainly)
      } catch (error) {
        if (!(error instanceof ReportPending) || poll === POLLS) throw error
      }
    }
  }

/** NaN means unknown, which JSON has no number for. */
const plainly = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value

async function* boundedPages(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of pages) {
    for (const { keys, labels = keys } of plainPage(page).dimensions)
      for (const text of [...keys, ...labels])
        if (typeof text !== 'string') throw new TypeError(`a key ${inspect(text)}`)
    if (page.metrics.some(column => column.includes(Infinity) || column.includes(-Infinity)))
      throw new TypeError('an infinite number')
    yield page
  }
}

export const readingAccounts =
  (source: Source): Fetching =>
  async context => {
    const accounts = (await Array.fromAsync(source.listAccounts(context))).flat()
    return JSON.stringify(
      accounts.toSorted((one, other) => (one.external_id < other.external_id ? -1 : 1)).map(checked),
    )
  }

export const readingAccount =
  (source: Source, account: ReportRequest['account']): Fetching =>
  async context =>
    JSON.stringify(checked(await source.checkAccount(account, context)))

/** What the rest of the product relies on. */
function checked(account: PlatformAccount): PlatformAccount {
  Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(account.timezone)
  return account
}
