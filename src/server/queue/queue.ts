import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { connect, type Db } from '#server/db/connect.ts'
import { notify, type Listen } from '#server/db/listen.ts'

/**
 * Carries ids to workers and wakes them; it knows no task. Delivery is at least once and says nothing about who may do the work:
 * that is decided by leases in the tables (see resources/runs/lease.ts), so a lost or doubled message does no harm.
 */
export interface Queue {
  /** In the caller's transaction: the message exists exactly when the transaction does. Higher priorities go first, equal ones by age. */
  enqueue(
    trx: Db,
    task: string,
    payloads: object[],
    options?: { start_after?: Date; priority?: (index: number) => number },
  ): Promise<void>
  /** Whether no message of the task waits to be handed out now. */
  isEmpty(db: Db, task: string): Promise<boolean>
  /** Messages that were handed out more than so long ago and are not done with: their handler is at work, or has died. */
  handedOut<Payload extends object>(
    db: Db,
    task: string,
    more_than_s: number,
  ): Promise<{ payload: Payload; at: Date }[]>
  /** Calls `handle` for each message, `concurrency` at a time. A handler that throws loses the message: it must record its own failures. */
  work<Payload extends object>(
    task: string,
    concurrency: number,
    handle: (payload: Payload) => Promise<void>,
  ): Promise<Taking>
  /** For when nobody takes messages any more. */
  close(): Promise<void>
}

export interface Taking {
  /** Takes no more messages and waits for the handlers that are under way, at most so long; false: some still are. */
  stop(grace_ms: number): Promise<boolean>
}

export async function openQueue(options: {
  connection_string: string
  listen: Listen
  tasks: readonly string[]
  on_error: (error: Error) => void
  /** Beside a process that has the queue open: needs one session and leaves the upkeep to that one. */
  only_sends?: boolean
}): Promise<Queue> {
  // Its sessions are opened as all others are: one that falls silent must not keep a worker waiting.
  const { pool, close } = await connect(options.connection_string, {
    command: 'queue',
    pool_size: options.only_sends ? 1 : 4,
  })
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    ...(options.only_sends && { migrate: false, supervise: false }),
    // Recurrence is worked out in shared/schedule.ts: a cron parser misses and doubles runs at clock changes.
    schedule: false,
    // Rebuilding indexes is for those who run the database, not for a program that uses it.
    reindex: false,
  })
  let closing = false
  // Whoever closes the queue closes the database next, and its last sessions end with a complaint that helps nobody.
  boss.on('error', error => closing || options.on_error(error))
  await boss.start()
  for (const task of options.tasks) {
    await boss.createQueue(task, {
      // The lease on the row is what expires; the message itself is only kept out of the way.
      expireInSeconds: 23 * 60 * 60,
      retryLimit: 0,
      deleteAfterSeconds: 60 * 60,
    })
  }

  return {
    async enqueue(trx, task, payloads, { start_after, priority = () => 0 } = {}) {
      if (payloads.length === 0) return
      const jobs = payloads.map((data, index) => ({
        data,
        priority: priority(index),
        ...(start_after && { startAfter: start_after }),
      }))
      await boss.insert(task, jobs, { db: fromKysely(trx) })
      await notify(trx, CHANNEL, task)
    },
    async isEmpty(db, task) {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (
          select from pgboss.job
          where name = ${task} and state < 'active' and not blocked and start_after <= now()
        ) as waits`.execute(db)
      return rows[0]?.waits === false
    },
    async handedOut<Payload extends object>(db: Db, task: string, more_than_s: number) {
      const { rows } = await sql<{ payload: Payload; at: Date }>`
        select data as payload, started_on as at from pgboss.job
        where name = ${task} and state = 'active' and started_on < now() - ${more_than_s} * interval '1 s'`.execute(
        db,
      )
      return rows
    },
    async work(task, concurrency, handle) {
      const bell = newBell()
      const unlisten = await options.listen(CHANNEL, named => named === task && bell.ring(), bell.ring)
      const loop = startLoop({ boss, task, concurrency, bell, on_error: options.on_error }, handle)
      return {
        async stop(grace_ms) {
          // Not waited for: while the database is away that would take until it is back.
          unlisten().catch(options.on_error)
          return await loop.stop(grace_ms)
        },
      }
    },
    async close() {
      closing = true
      await boss.stop({ graceful: false })
      await close()
    },
  }
}

const CHANNEL = 'sheetcast_queue'
// Deferred messages come due without a notification, and a notification can be lost with its connection.
const LOOK_AGAIN_MS = 1000

interface Loop {
  boss: PgBoss
  task: string
  concurrency: number
  bell: Bell
  on_error: (error: Error) => void
}

/**
 * Fetches as many messages as there are free hands, and again as soon as a hand is free or the bell rings. pg-boss's own workers wait out their polling
 * interval after every message instead.
 */
function startLoop<Payload extends object>(
  { boss, task, concurrency, bell, on_error }: Loop,
  handle: (payload: Payload) => Promise<void>,
) {
  const under_way = new Set<Promise<void>>()
  const stopped = new AbortController()
  const take = async (job: { id: string; data: Payload }) => {
    await handle(job.data)
    await boss.complete(task, job.id)
  }
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      const free = concurrency - under_way.size
      const jobs = free > 0 ? await boss.fetch<Payload>(task, { batchSize: free }).catch(() => []) : []
      for (const job of jobs) {
        const work = take(job)
          .catch(on_error)
          .finally(() => {
            under_way.delete(work)
            bell.ring()
          })
        under_way.add(work)
      }
      if (jobs.length === 0 || under_way.size === concurrency) await bell.wait(LOOK_AGAIN_MS)
    }
  })()
  return {
    async stop(grace_ms: number) {
      stopped.abort()
      bell.ring()
      const patience = Promise.withResolvers<boolean>()
      const timer = setTimeout(patience.resolve, grace_ms, false)
      const all_done = loop.then(() => Promise.allSettled(under_way)).then(() => true)
      const is_done = await Promise.race([all_done, patience.promise])
      clearTimeout(timer)
      return is_done
    },
  }
}

interface Bell {
  ring(): void
  /** Until it rings, or has rung since the last wait, or so long. */
  wait(ms: number): Promise<void>
}

function newBell(): Bell {
  let has_rung = false
  let wake = () => {}
  return {
    ring() {
      has_rung = true
      wake()
    },
    async wait(ms) {
      if (!has_rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      has_rung = false
    },
  }
}
