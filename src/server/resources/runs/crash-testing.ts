import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { SandboxPlace } from './effects-testing.ts'

/** Workers that kill themselves. A process takes half a second to start, so the next one starts while this one works. */
export function dyingWorkers({ url, sandbox }: { url: string; sandbox: SandboxPlace }) {
  const spares: ChildProcess[] = []
  const newWorker = () =>
    spawn(process.execPath, [join(import.meta.dirname, 'dying-worker-testing.ts')], {
      stdio: ['pipe', 'inherit', 'inherit'],
    })
  afterAll(() => spares.forEach(spare => spare.kill('SIGKILL')))
  const place = { base_url: sandbox.base_url, folder: sandbox.folder }

  /** Makes one attempt; answers how the process ended: SIGKILL when it came to that step, else 0. */
  return async (die_at: number, orders: { run_id: string; sheets_limits: object }) => {
    while (spares.length < 3) spares.push(newWorker())
    const worker = spares.shift() ?? newWorker()
    const ended = once(worker, 'exit')
    worker.stdin?.write(`${JSON.stringify({ database_url: url, sandbox: place, die_at, ...orders })}\n`)
    const [code, signal] = await ended
    return signal ?? code
  }
}
