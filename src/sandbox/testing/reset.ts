import { afterAll, afterEach } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'

interface ClientOfSandbox {
  sandbox: Sandbox
  control(method: string, path: string, body?: unknown): Promise<unknown>
}

/**
 * Each test of a file finds the sandbox as it was at its start, its clock too; it stops after the last one.
 */
export function resetAfterEach<Client extends ClientOfSandbox>(client: Client): Client {
  const now = client.sandbox.clock.now()
  afterEach(async () => {
    await client.control('POST', 'reset', {})
    client.sandbox.clock.set({ now, speed: 0 })
  })
  afterAll(() => client.sandbox.stop())
  return client
}
