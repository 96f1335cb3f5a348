import { createInterface } from 'node:readline'
import { z } from 'zod'
import { connect } from '#server/db/connect.ts'
import { patient, sandboxEffects } from './effects.ts'
import { everyPlatform } from './every-platform.ts'
import { runReport } from '#server/resources/runs/run-report.ts'
import { claimRun } from '#server/resources/runs/lease-queries.ts'

// A process for tests: makes one attempt at the run that a line of its input names, and kills itself at the
// n-th step.
const Orders = z.object({
  database_url: z.string(),
  sandbox: z.object({ base_url: z.string(), folder: z.string() }),
  run_id: z.string(),
  die_at: z.number(),
  sheets_limits: z.record(z.string(), z.unknown()),
  is_patient: z.boolean().default(false),
})

for await (const line of createInterface(process.stdin)) {
  const { database_url, sandbox, run_id, die_at, sheets_limits, is_patient } = Orders.parse(JSON.parse(line))
  const { db, close } = await connect(database_url, { command: 'worker', pool_size: 3 })
  let step = 0
  const run = await claimRun(db, run_id, { worker: 'test' })
  if (!run) throw new Error('the run is already claimed')
  await runReport(run, {
    ...sandboxEffects(db, sandbox),
    ...everyPlatform,
    ...(is_patient && patient),
    sheets_limits,
    step: async () => {
      step++
      if (step !== die_at) return
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    },
  })
  await close()
  process.exit(0)
}
