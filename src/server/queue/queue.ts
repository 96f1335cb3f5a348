import { fromKysely, PgBoss } from 'pg-boss'
import type { Db } from '#server/db/connect.ts'

/**
 * Carries ids to workers and wakes them; it knows no task. Delivery is at least once and says nothing about who may do the work:
 * that is decided by leases in the tables (see resources/runs/lease.ts), so a lost or doubled message does no harm.
 */
export interface Queue {
  /** In the caller's transaction: the message exists exactly when the transaction does. */
  enqueue(
    trx: Db,
    task: string,
    payloads: object[],
    options?: { urgent?: boolean; start_after?: Date },
  ): Promise<void>
  /** Calls `handle` for each message, `concurrency` at a time. A handler that throws loses the message: it must record its own failures. */
  work<Payload extends object>(
    task: string,
    concurrency: number,
    handle: (payload: Payload) => Promise<void>,
  ): Promise<void>
  /** Takes no more messages and waits for the handlers that are under way. */
  stop(grace_ms: number): Promise<void>
}

export async function openQueue(options: {
  connection_string: string
  tasks: readonly string[]
  on_error: (error: Error) => void
}): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: options.connection_string,
    max: 4,
    useListenNotify: true,
    // Recurrence is worked out in shared/schedule.ts: a cron parser misses and doubles runs at clock changes.
    schedule: false,
    // Stock Postgres sizes: no rebuilding of indexes from inside the product.
    reindex: false,
  })
  boss.on('error', options.on_error)
  await boss.start()
  for (const task of options.tasks) {
    await boss.createQueue(task, {
      notify: true,
      // The lease on the row is what expires; the message itself is only kept out of the way.
      expireInSeconds: 23 * 60 * 60,
      retryLimit: 0,
      deleteAfterSeconds: 60 * 60,
    })
  }

  return {
    async enqueue(trx, task, payloads, { urgent = false, start_after } = {}) {
      if (payloads.length === 0) return
      const jobs = payloads.map(data => ({
        data,
        priority: urgent ? 1 : 0,
        ...(start_after && { startAfter: start_after }),
      }))
      await boss.insert(task, jobs, { db: fromKysely(trx) })
    },
    async work(task, concurrency, handle) {
      await boss.work<Parameters<typeof handle>[0]>(
        task,
        // Deferred messages come due without a notification, so the backstop is short.
        { localConcurrency: concurrency, notifyPollingIntervalSeconds: 1, pollingIntervalSeconds: 0.5 },
        async jobs => {
          for (const job of jobs) await handle(job.data)
        },
      )
    },
    stop: grace_ms => boss.stop({ graceful: true, timeout: grace_ms }),
  }
}
