import { randomInt } from 'node:crypto'
import { isFree, TEST_PORTS } from '#server/free-port.ts'

// A product listens on the port that its test has chosen only seconds later. So each process of tests has
// ports of its own, and uses one after the other.
const PER_PROCESS = 700
const processNumber = Number(process.env['VITEST_POOL_ID'] ?? 0) % 16
let used = randomInt(PER_PROCESS)

/** A free port of the loopback that nothing else takes until the caller's product listens on it. */
export async function testPort(): Promise<number> {
  for (;;) {
    used = (used + 1) % PER_PROCESS
    const port = TEST_PORTS + processNumber * PER_PROCESS + used
    if (await isFree(port)) return port
  }
}
