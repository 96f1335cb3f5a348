import { once } from 'node:events'
import pino from 'pino'
import { z } from 'zod'
import { connect } from '#server/db/connect.ts'
import { openExecutor } from '#server/workers/executor.ts'
import { pools } from '#server/admission/pool.ts'
import { queueChannel } from '#server/queue/queue.ts'
import { subscribe } from '#server/queue/subscription.ts'
import { sandboxEffects } from '#server/resources/runs/testing/effects.ts'

// A worker process for tests: prints a line at each step of a run, and stops on request like the real one.
const { database_url, sandbox, lease_s, grace_ms } = z
  .object({
    database_url: z.string(),
    sandbox: z.object({ base_url: z.string(), folder: z.string() }),
    lease_s: z.number(),
    grace_ms: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

// Before the first run is claimed: the test may request the stop as soon as it reads of that.
const stopRequested = once(process, 'SIGTERM')
const database = await connect(database_url, { command: 'worker', pool_size: 4 })
const log = pino({ level: 'fatal' })
const executor = openExecutor(database, {
  log,
  lease_s,
  effects: {
    ...sandboxEffects(database.db, sandbox),
    step: async (step, { id, attempt }) => {
      process.stdout.write(`${JSON.stringify({ run: id, attempt, step })}\n`)
    },
  },
})
// One run at a time, whatever its pool, so that a test knows which one it affects.
const subscription = await subscribe({
  listen: database.listen,
  channel: await queueChannel(database.db),
  pool: 'shared',
  concurrency: 1,
  async claim() {
    for (const pool of pools) {
      const run = await executor.claim(pool)
      if (run) return { run, pool }
    }
    return null
  },
  work: ({ run, pool }) => executor.attempt(run, pool),
  onError: () => undefined,
})
await stopRequested
if (!(await subscription.stop(grace_ms))) {
  executor.release()
  await subscription.stop(1500)
}
await database.close()
process.exit(0)
