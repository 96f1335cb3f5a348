import { afterAll, afterEach } from 'vitest'
import { startService, type TestService } from './sandbox.ts'

/** For a test file: no test finds what another has armed or left under way; it stops after the last one. */
export async function testService(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const service = await startService(options)
  afterEach(async () => {
    service.watch(null)
    service.control.setFaults([])
    await service.settled()
  })
  afterAll(() => service.stop())
  return service
}
