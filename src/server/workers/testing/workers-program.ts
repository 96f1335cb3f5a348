import { existsSync } from 'node:fs'
import { z } from 'zod'
import { connect } from '#server/db/connect.ts'
import { sandboxEffects } from '#server/resources/runs/testing/effects.ts'
import { openExecutor } from '#server/workers/executor.ts'
import { workForParent } from '#server/workers/work-for-parent.ts'

/**
 * The behaviour of a test's process: at the step `planned` some reports need more memory than there is,
 * others the processor without a pause.
 */
const Settings = z.object({
  database_url: z.string(),
  sandbox: z.object({ base_url: z.string(), folder: z.string() }),
  /** Reports that fill the memory. */
  hungry: z.array(z.number()),
  /** Reports that calculate until the file `done` is there. */
  busy: z.array(z.number()),
  done: z.string(),
  /** Cells for the shared pool. */
  capacity: z.number(),
  lease_s: z.number(),
})
export type TestSettings = z.infer<typeof Settings>

workForParent(async (settings, { log, onRuns, becomeAlone }) => {
  const { database_url, sandbox, hungry, busy, done, capacity, lease_s } = Settings.parse(settings)
  const database = await connect(database_url, { command: 'runs', pool_size: 8 })
  const effects = {
    ...sandboxEffects(database.db, sandbox),
    capacity: { shared: capacity, alone: 1_000_000 },
    step: async (step: string, { id, attempt, report }: { id: string; attempt: number; report: number }) => {
      log.info({ run: id, attempt, report, step }, 'step')
      if (step !== 'planned') return
      if (hungry.includes(report)) fillMemory()
      if (busy.includes(report)) while (!existsSync(done));
    },
  }
  const executor = openExecutor(database, { effects, lease_s, log, onRuns, becomeAlone })
  return { ...executor, close: database.close }
})

/** At once: what grows bit by bit is garbage-collected again and again before it is too much. */
const fillMemory = () => 'ab'.repeat(150_000_000).toUpperCase()
