import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort, TEST_PORTS } from '#server/free-port.ts'
import { testPort } from './port.ts'

it('ports of tests are free, differ, and are none that a product chooses', async () => {
  const ports = [await testPort(), await testPort(), await testPort()]
  expect(new Set(ports).size).toBe(3)
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(TEST_PORTS)
    expect(port).toBeLessThan(32_768)
    await new Promise<void>((resolve, reject) => {
      const server = createServer().once('error', reject)
      server.listen(port, '127.0.0.1', () => server.close(() => resolve()))
    })
  }
  expect(await freePort()).toBeLessThan(TEST_PORTS)
})
