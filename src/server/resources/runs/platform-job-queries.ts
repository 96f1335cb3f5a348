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
 */
export function runJobs(db: Db, run_id: string, onStep: (step: JobStep) => Promise<void>): Jobs {
  const find = async (request: string) => {
    const known = await db
      .selectFrom('run_job')
      .select('job')
      .where('run', '=', run_id)
      .where('key', '=', keyOf(request))
      .executeTakeFirst()
    return known?.job ?? null
  }
  return {
    find,
    async startOnce(request, begin) {
      const key = keyOf(request)
      const known = await find(request)
      if (known !== null) return known
      const job = await begin()
      await onStep('job begun')
      await db
        .insertInto('run_job')
        .values({ run: run_id, key, job })
        .onConflict(conflict => conflict.columns(['run', 'key']).doUpdateSet({ job }))
        .execute()
      await onStep('job kept')
      return job
    },
    async forget(request) {
      await db.deleteFrom('run_job').where('run', '=', run_id).where('key', '=', keyOf(request)).execute()
    },
  }
}

/** A request may be long, and is only compared for equality. */
const keyOf = (request: string) => createHash('sha256').update(request).digest('base64url')
