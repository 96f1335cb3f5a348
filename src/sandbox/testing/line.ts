import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts'

/** A response, loosely typed: each test reads the members that it is about. */
export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is what the tests judge
  body: any
}

interface Parameters {
  method?: string
  body?: unknown
  /** Of the access key, which is also its secret. */
  key?: string
  /** Signed instead of what is sent. */
  headers?: Record<string, string>
}

export interface Client {
  sandbox: Sandbox
  /** A signed request to a path below /api/v3/. */
  send(path: string, parameters?: Parameters): Promise<Reply>
  /** A multipart body of fields and a file, signed as LINE wants it: with the digest of nothing. */
  upload(
    path: string,
    form: { fields: Record<string, string>; file?: { name: string; text: string } },
    key?: string,
  ): Promise<Reply>
  /** A request exactly as given. */
  bare(path: string, method: string, headers: Record<string, string>, body?: string | Buffer): Promise<Reply>
  control(method: string, path: string, body?: unknown): Promise<Reply>
}

/** A sandbox of its own for a test file, at noon of 20 November 2026 in Taipei by default. */
export async function startClient(
  now = '2026-11-20T04:00:00Z',
  options: SandboxOptions = {},
): Promise<Client> {
  const clock = createClock()
  clock.set({ now: Date.parse(now), speed: 0 })
  const sandbox = await startSandbox({ clock, ...options })
  const bare: Client['bare'] = async (path, method, headers, body) => {
    const request = httpRequest(`${sandbox.origin}${path}`, { method, headers }).end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return replyOf(response, Buffer.concat(await response.toArray()))
  }
  return {
    sandbox,
    bare,
    send(path, { method = 'GET', body, key = 'sandbox-admin', headers = {} } = {}) {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const address = `/api/v3/${path}`
      const barePath = address.split('?')[0] ?? ''
      const signed = sign({ key, secret: key, path: barePath, body: text, now: new Date(clock.now()) })
      const type = text === undefined ? {} : { 'content-type': 'application/json' }
      return bare(address, method, { ...signed, ...type, ...headers }, text)
    },
    async upload(path, { fields, file }, key = 'sandbox-agency') {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      if (file) form.set('file', new Blob([file.text]), file.name)
      const encoded = new Response(form)
      const address = `/api/v3/${path}`
      const signed = sign({
        key,
        secret: key,
        path: address,
        type: 'multipart/form-data',
        now: new Date(clock.now()),
      })
      const headers = { ...signed, 'content-type': encoded.headers.get('content-type') ?? '' }
      return bare(address, 'POST', headers, Buffer.from(await encoded.arrayBuffer()))
    },
    control: (method, path, body) =>
      bare(
        `/control/${path}`,
        method,
        { 'content-type': 'application/json' },
        body === undefined ? undefined : JSON.stringify(body),
      ),
  }
}

function replyOf({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): Reply {
  const text = bytes.toString('utf8')
  const isJson = String(headers['content-type']).startsWith('application/json') && text !== ''
  return { status: statusCode, headers, bytes, body: isJson ? JSON.parse(text) : text }
}

/** The headers of a signed request, as LINE's own sample makes them. */
export function sign({
  key,
  secret,
  path,
  body,
  type = body === undefined ? '' : 'application/json',
  now,
}: {
  key: string
  secret: string
  path: string
  body?: string | undefined
  type?: string
  now: Date
}): { date: string; authorization: string } {
  const encoded = (bytes: Buffer | string) =>
    Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  const digest = createHash('sha256')
    .update(body ?? '')
    .digest('hex')
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  const head = encoded(JSON.stringify({ alg: 'HS256', kid: key, typ: 'text/plain' }))
  const payload = encoded([digest, type, day, path].join('\n'))
  const signature = encoded(createHmac('sha256', secret).update(`${head}.${payload}`).digest())
  return { date: now.toUTCString(), authorization: `Bearer ${head}.${payload}.${signature}` }
}
