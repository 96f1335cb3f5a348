import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts'
import { formOf, readReply, type Reply } from './reply.ts'

/** A response, loosely typed: each test reads the members that it is about. */
type Parameters = Record<string, unknown>

export interface Client {
  sandbox: Sandbox
  /** Lists and objects go as the text of their JSON. */
  get(path: string, parameters?: Parameters, token?: string | null): Promise<Reply>
  post(path: string, parameters?: unknown, token?: string | null): Promise<Reply>
  /** A multipart body: its fields, and its file where there is one. */
  upload(
    fields: Record<string, string>,
    file?: { name: string; text: string },
    token?: string,
  ): Promise<Reply>
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
  const base = `${sandbox.origin}/open_api/v1.3/`
  const headersOf = (token: string | null) => (token === null ? {} : { 'access-token': token })
  const send = (
    address: string,
    method: string,
    { headers, body }: { headers: Record<string, string>; body: unknown },
  ) =>
    readReply(
      fetch(address, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  return {
    sandbox,
    get: (path, parameters = {}, token = 'sandbox-admin') =>
      readReply(fetch(`${base}${path}?${formOf(parameters)}`, { headers: headersOf(token) })),
    post: (path, parameters = {}, token = 'sandbox-admin') =>
      send(`${base}${path}`, 'POST', { headers: headersOf(token), body: parameters }),
    upload(fields, file, token = 'sandbox-admin') {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      if (file) form.set('file', new Blob([file.text]), file.name)
      const address = `${base}dmp/custom_audience/file/upload/`
      return readReply(fetch(address, { method: 'POST', headers: headersOf(token), body: form }))
    },
    control: (method, path, body) => send(`${sandbox.origin}/control/${path}`, method, { headers: {}, body }),
  }
}
