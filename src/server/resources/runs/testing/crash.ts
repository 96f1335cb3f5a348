import { join } from 'node:path'
import { ordersTo } from '#server/testing/spare-programs.ts'
import type { SandboxPlace } from './effects.ts'

/**
 * Workers that kill themselves: each makes one attempt; resolves to SIGKILL when it came to that step, else
 * 0.
 */
export function dyingWorkers({ url, sandbox }: { url: string; sandbox: SandboxPlace }) {
  const order = ordersTo(join(import.meta.dirname, 'dying-worker.ts'))
  const service = { base_url: sandbox.base_url, folder: sandbox.folder }
  return (die_at: number, orders: { run_id: string; sheets_limits: object; is_patient?: boolean }) =>
    order({ database_url: url, sandbox: service, die_at, ...orders })
}
