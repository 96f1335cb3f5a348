import { sql } from 'kysely'
import { connect } from '#server/db/connect.ts'
import { claimNextRun, holdRun } from '#server/resources/runs/lease-queries.ts'

// A process for tests: claims one run after the other, completes it and prints which. It kills itself with
// the n-th claimed, or ends when there has been none for longer than a lease.
const [, , url = '', dieAt] = process.argv
const { db, close } = await connect(url, { command: 'worker', pool_size: 2 })
let claims = 0
const LEASE_S = 1
for (let idle = 0; idle < 15; idle++) {
  for (const pool of ['shared', 'alone'] as const) {
    const run = await claimNextRun(db, pool, { worker: 'test', lease_s: LEASE_S })
    if (!run) continue
    idle = 0
    if (++claims === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
    await db.transaction().execute(async trx => {
      await holdRun(trx, run)
      await sql`update run set status = 'completed', finished_at = now(), lease_until = null where id = ${run.id}`.execute(
        trx,
      )
    })
    process.stdout.write(`${run.id}\n`)
  }
  await new Promise(resolve => setTimeout(resolve, 100))
}
await close()
process.exit(0)
