import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Tests choose their ports from here on (testing/port.ts), so that no product takes one of them meanwhile.
 */
export const TEST_PORTS = 21_000

/**
 * A free port of this machine's loopback, far below the range (32,768 and up) from which systems take ports
 * for outgoing connections: one from there could be taken again before the caller listens. And above the last
 * one (10,080) that browsers refuse to open.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, TEST_PORTS)
    if (await isFree(port)) return port
  }
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
