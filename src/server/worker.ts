import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import { cleanUp } from './cleanup.ts'
import { CLICKS_AHEAD, taskOf, type Hands, type RunMessage } from '#server/lanes/hands.ts'
import { takePermit } from '#server/admission/rate.ts'
import type { Queue, Taking } from '#server/queue/queue.ts'
import { startInterval, type Role } from './interval.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { lanes, lanesOf, type Lane } from '#server/admission/pool.ts'
import { takeForsakenRuns } from '#server/resources/runs/lease.ts'
import { assignRounds } from '#server/admission/fair-order.ts'
import { msUntilDue } from '#server/resources/spend/queries.ts'
import { dispatchDue, type DispatchEffects } from '#server/schedule/dispatch.ts'

/**
 * Tells the queue of runs. Clicks go ahead of schedules; among those it goes by rounds, so that one owner's
 * or one advertiser's thousand reports do not hold up the rest.
 */
export async function enqueueRuns(
  queue: Queue,
  trx: Db,
  runIds: readonly string[],
  { urgent }: { urgent: boolean },
) {
  if (runIds.length === 0) return
  const rounds = await assignRounds(trx, runIds)
  const laneOf = await lanesOf(trx, runIds)
  const ahead = urgent ? CLICKS_AHEAD : 0
  for (const lane of lanes) {
    const ids = runIds.filter(runId => laneOf.get(runId) === lane)
    await queue.enqueue(
      trx,
      taskOf[lane],
      ids.map((run_id): RunMessage => ({ run_id })),
      { priority: index => ahead - (rounds.get(ids[index] ?? '') ?? 0) },
    )
  }
}

/** Works on runs, so many at a time in each lane, and takes up those whose worker has died. */
export async function startWorker(
  db: Db,
  queue: Queue,
  { at_once, hands, log }: { at_once: Record<Lane, number>; hands: Hands; log: Logger },
): Promise<Role> {
  const takings: Taking[] = []
  for (const lane of lanes) {
    const take = ({ run_id }: RunMessage) => hands.attempt(run_id, lane)
    takings.push(await queue.work(taskOf[lane], at_once[lane], take))
  }
  const search = startInterval(SEARCH_MS, log, async () => {
    const empty = await Promise.all(lanes.map(lane => queue.isEmpty(db, taskOf[lane])))
    const queue_is_empty = empty.every(Boolean)
    const handed_out = await Promise.all(
      lanes.map(lane => queue.handedOut<RunMessage>(db, taskOf[lane], CLAIMS_WITHIN_S)),
    )
    const runs = await takeForsakenRuns(db, {
      limit: 100,
      queue_is_empty,
      handed_out: handed_out.flat().map(({ payload, at }) => ({ run_id: payload.run_id, at })),
    })
    for (const urgent of [true, false]) {
      const runIds = runs.filter(({ is_click }) => is_click === urgent).map(({ id }) => id)
      await enqueueRuns(queue, db, runIds, { urgent })
    }
  })
  const stopTaking = (ms: number) => Promise.all(takings.map(taking => taking.stop(ms)))
  return {
    async stop(graceMs) {
      const searched = search.stop(graceMs)
      const areDone = await stopTaking(graceMs)
      if (!areDone.every(Boolean)) {
        hands.handBack()
        await stopTaking(HAND_BACK_MS)
      }
      await Promise.all([searched, hands.close()])
    },
  }
}

// A dead worker's run is taken up within its lease and this.
const SEARCH_MS = 1000
/** Whoever is handed a run claims it at once. */
const CLAIMS_WITHIN_S = 5
const TICK_MS = 1000
/** An account is asked within this after it is due and no run waits. */
const SPEND_LOOK_MS = 2000
/** An attempt that has been told to stop writes one row. */
const HAND_BACK_MS = 1500

/**
 * Keeps the daily spend of accounts up to date while no run waits for a worker; asking for it is work for a
 * process of its own, like runs.
 */
export function startSpendRefresh(
  db: Db,
  { hands, every_ms, log }: { hands: Pick<Hands, 'refreshSpend'>; every_ms: number; log: Logger },
): Role {
  return startInterval(SPEND_LOOK_MS, log, async () => {
    const now = await databaseNow(db)
    if ((await msUntilDue(db, { now, within_ms: 0 })) === 0) await hands.refreshSpend(every_ms)
  })
}

/** Begins what is due, once a second, and clears away what is old; it may run in any number of processes. */
export function startScheduler(
  db: Db,
  queue: Queue,
  {
    isReady,
    testLogins,
    audit_days,
    log,
  }: Pick<DispatchEffects, 'isReady'> & {
    testLogins: (now: Date) => Promise<number>
    audit_days: number
    log: Logger
  },
): Role {
  const dispatching = startInterval(TICK_MS, log, async () => {
    const now = await databaseNow(db)
    const begun = await dispatchDue({
      db,
      isReady,
      now: () => now,
      enqueue: (trx, runIds) => enqueueRuns(queue, trx, runIds, { urgent: false }),
      tellEnded: (trx, reports) =>
        insertNotices(
          trx,
          reports.map(({ id, owner }) => ({ kind: 'schedule_ended', user_id: owner, report: id })),
          now,
        ),
      onUnexpected: (error, report) => log.error({ err: error, report }, 'a report cannot be scheduled'),
    })
    if (begun > 0) log.info({ begun }, 'scheduled runs began')
  })
  const cleaning = startInterval(60_000, log, async () => {
    if ((await takePermit(db, 'housekeeping', HOURLY)) > 0) return
    const now = await databaseNow(db)
    log.info(
      { ...(await cleanUp(db, now, { audit_days })), logins_tested: await testLogins(now) },
      'cleanup finished',
    )
  })
  return {
    async stop(graceMs) {
      await Promise.all([dispatching.stop(graceMs), cleaning.stop(graceMs)])
    },
  }
}

/** By all processes together. */
const HOURLY = { per_minute: 1 / 60, burst: 1 }
