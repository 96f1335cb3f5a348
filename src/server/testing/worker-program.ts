import { once } from 'node:events'
import pino from 'pino'
import { z } from 'zod'
import { connect } from '#server/db/connect.ts'
import { handsHere, RUN_TASKS } from '#server/lanes/hands.ts'
import { openQueue } from '#server/queue/queue.ts'
import { sandboxEffects } from '#server/resources/runs/testing/effects.ts'
import { startWorker } from '#server/worker.ts'

// A worker process for tests: prints a line at each step of a run, and stops when told like the real one.
const { database_url, sandbox, lease_s, grace_ms } = z
  .object({
    database_url: z.string(),
    sandbox: z.object({ base_url: z.string(), folder: z.string() }),
    lease_s: z.number(),
    grace_ms: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

// Before the first run is claimed: the test may ask for the stop as soon as it reads of that.
const stopRequested = once(process, 'SIGTERM')
const { db, listen, close } = await connect(database_url, { command: 'worker', pool_size: 4 })
const log = pino({ level: 'fatal' })
const queue = await openQueue({
  connection_string: database_url,
  listen,
  tasks: RUN_TASKS,
  on_error: () => undefined,
})
const hands = handsHere(db, queue, {
  log,
  effects: {
    ...sandboxEffects(db, sandbox),
    lease_s,
    step: async (step, { id, attempt }) => {
      process.stdout.write(`${JSON.stringify({ run: id, attempt, step })}\n`)
    },
  },
})
// One run at a time, whatever its lane, so that a test knows what it hits.
let last = Promise.resolve()
const worker = await startWorker(db, queue, {
  at_once: { shared: 1, alone: 1 },
  log,
  hands: {
    ...hands,
    attempt: (runId, lane) => (last = last.then(() => hands.attempt(runId, lane))),
  },
})
await stopRequested
await worker.stop(grace_ms)
await queue.close()
await close()
process.exit(0)
