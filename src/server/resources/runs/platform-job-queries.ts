import { createHash } from 'node:crypto'
import type { Jobs } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'

/**
 * Between the two the platform prepares a report that is not recorded: after a crash there it is requested
 * again.
 */
type JobStep = 'job begun' | 'job kept'

/**
 * The reports that platforms are preparing for a run, recorded so that its next attempt continues with them.
 * Read once: no other attempt records any meanwhile, and before the first one there are none.
 */
export function runJobs(
  db: Db,
  { id: run, attempt }: { id: string; attempt: number },
  onStep: (step: JobStep) => Promise<void>,
): Jobs {
  let recorded: Promise<Map<string, string>> | null = attempt === 1 ? Promise.resolve(new Map()) : null
  const known = () => (recorded ??= readJobs(db, run))
  const find = async (request: string) => (await known()).get(keyOf(request)) ?? null
  return {
    find,
    async startOnce(request, begin) {
      const key = keyOf(request)
      const found = await find(request)
      if (found !== null) return found
      const job = await begin()
      await onStep('job begun')
      await db
        .insertInto('run_job')
        .values({ run, key, job })
        .onConflict(conflict => conflict.columns(['run', 'key']).doUpdateSet({ job }))
        .execute()
      ;(await known()).set(key, job)
      await onStep('job kept')
      return job
    },
    async forget(request) {
      const key = keyOf(request)
      if (!(await known()).delete(key)) return
      await db.deleteFrom('run_job').where('run', '=', run).where('key', '=', key).execute()
    },
  }
}

async function readJobs(db: Db, run: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('run_job').select(['key', 'job']).where('run', '=', run).execute()
  return new Map(rows.map(({ key, job }) => [key, job]))
}

/** A request may be long, and is only compared for equality. */
const keyOf = (request: string) => createHash('sha256').update(request).digest('base64url')
