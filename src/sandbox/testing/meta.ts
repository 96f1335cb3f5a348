import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts'
import { formOf, readReply, type Reply } from './reply.ts'

/** A response of the Graph API, loosely typed: each test reads the members that it is about. */
export type Parameters = Record<string, string | number | object>

export interface Client {
  sandbox: Sandbox
  get(path: string, parameters?: Parameters, token?: string): Promise<Reply>
  post(path: string, parameters?: Parameters, token?: string): Promise<Reply>
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
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })
  return {
    sandbox,
    get: (path, parameters = {}, token = 'sandbox-admin') =>
      readReply(
        fetch(`${sandbox.origin}/v25.0/${path}?${formOf(parameters)}`, { headers: headersOf(token) }),
      ),
    post: (path, parameters = {}, token = 'sandbox-admin') =>
      readReply(
        fetch(`${sandbox.origin}/v25.0/${path}`, {
          method: 'POST',
          headers: headersOf(token),
          body: formOf(parameters),
        }),
      ),
    control: (method, path, body) =>
      readReply(
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
