import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { platformLimiter } from '#server/admission/platform-limiter.ts'
import type { BenchCase } from './case.ts'
import { benches } from './connector-meta.ts'
import { recorded, sendAgain, startPlatform } from './connector.ts'
import { startDatabase } from './database.ts'

// What a platform that answers at once and refuses nothing costs with its quotas in the database, beside the
// same requests without any: by the clock, waits included.

const [bench] = benches

export const cases: BenchCase[] = [
  {
    id: 'P14',
    what: 'Meta, numbers only → columns, one run with the quotas of all workers',
    sizes: [10_000, 200_000],
    unit: 'rows',
    reach: { ratio: 1.5 },
    binding: [200_000],
    async prepare(rows) {
      if (!bench) throw new Error('no bench of Meta')
      const platform = await startPlatform(join(import.meta.dirname, 'connector-meta.ts'), {
        bench,
        index: 0,
        rows,
      })
      const database = await startDatabase()
      const limiter = platformLimiter(database.db, ms => sleep(ms))
      let requests: Awaited<ReturnType<typeof recorded>> | null = null
      return {
        async ours() {
          const run = limiter.forRun({ id: crypto.randomUUID(), is_urgent: true }, async () => {})
          await platform.read(() => {}, { limiter: run })
          await run.close('for good')
        },
        async floor() {
          requests ??= await recorded(platform.read)
          await sendAgain(requests)
        },
        async stop() {
          platform.stop()
          await database.stop()
        },
      }
    },
  },
]
