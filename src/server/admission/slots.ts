import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { againWhenDeadlocked } from '#server/db/transaction.ts'

/**
 * Limits the requests in progress at a time, of all workers together. A row of `quota_slot` is a held slot or
 * a waiting run:
 *
 *     (none) ── no slot is free ──► waiting ── a slot becomes free ──► woken ───┐
 *       │                              ▲                                 │      │ its run comes
 *       │                              └── its run does not come in time ┘      ▼
 *       └── a slot is free ──────────────────────────────────────────────────► held ──► (none)
 *
 * A slot is held for as long as its process prolongs it, so that one whose process was killed is free again
 * within a lease. Releasing a slot wakes the first run of the waitlist, and reserves the slot for it for a
 * while (woken). Each change locks the quota's row in `quota`, so that concurrent changes see each other: in
 * functions of the database, so that it is one statement and not a transaction of eight.
 */
export interface SlotQuota {
  key: string
  most: number
  /** The quota whose pause keeps a holder out that has no slot yet. */
  pause_key: string
}

export interface SlotHolding {
  /** A run, or another caller. */
  holder: string
  /** The attempt or process that holds the slots: an older one can no longer release them. */
  held_by: string
  /** 0 for the first slot of a holder; further ones are taken only while no other holder waits for them. */
  numbers: number[]
  kind: SlotHolder
}

export interface SlotRequest extends SlotHolding {
  /** Manual runs go before scheduled ones. */
  is_urgent: boolean
  /** How long the slots stay without a heartbeat. */
  lease_ms: number
}

/**
 * Runs wait in the waitlist, without a worker. A person's request takes one slot more than the limit instead;
 * work in the background takes none that another holder waits for.
 */
export type SlotHolder = 'run' | 'person' | 'background'

export interface SlotOutcome {
  /** The numbers that are held now. */
  taken: number[]
  /** Where none is: when to try again, unless woken before. */
  wait_ms: number
  /** None is, since the quota is paused for longer than a worker waits in place. */
  is_paused: boolean
  /** Runs that this has reserved a slot for. */
  woken: string[]
}

/** A worker waits this long in place; for a longer wait the run releases it. */
export const SHORT_WAIT_MS = 2000
/** For those that are not woken: about the duration of a run, for each that goes before it. */
const USUAL_STAY_MS = 3000
const LONGEST_WAIT_MS = 10 * 60_000

export async function acquireSlots(
  db: Db,
  { key, most, pause_key }: SlotQuota,
  { holder, held_by, numbers, kind, is_urgent, lease_ms }: SlotRequest,
): Promise<SlotOutcome> {
  const isFirst = numbers.includes(0)
  const acquired = await againWhenDeadlocked(() =>
    sql<{ taken: number[]; ahead: number; woken: string[]; pause_ms: number | null }>`
      select * from acquire_slots(${key}, ${most}, ${holder}::uuid, ${held_by}::uuid, ${numbers}::smallint[], ${kind}, ${is_urgent},
        ${lease_ms}, ${isFirst ? pause_key : null}, ${SHORT_WAIT_MS})`.execute(db),
  )
  const [{ taken, ahead, woken, pause_ms } = { taken: [], ahead: 0, woken: [], pause_ms: null }] =
    acquired.rows
  const wait_ms = Math.min(LONGEST_WAIT_MS, Math.ceil((ahead + 1) / most) * USUAL_STAY_MS)
  return { taken, wait_ms, is_paused: (pause_ms ?? 0) > SHORT_WAIT_MS, woken }
}

/** Returns the runs that are to be woken. `leaves`: the holder waits for no other quota any more. */
export async function releaseSlots(
  db: Db,
  { key, most }: SlotQuota,
  { holder, held_by, numbers, kind, leaves = false }: SlotHolding & { leaves?: boolean },
): Promise<string[]> {
  const released = await againWhenDeadlocked(() =>
    sql<{ woken: string[] }>`
      select release_slots(${key}, ${most}, ${holder}::uuid, ${held_by}::uuid, ${numbers}::smallint[], ${kind !== 'person'}, ${leaves})
        as woken`.execute(db),
  )
  return released.rows[0]?.woken ?? []
}

/** Removes the holder from all waitlists. */
export async function leaveWaitlists(db: Db, holder: string): Promise<void> {
  await db.deleteFrom('quota_slot').where('holder', '=', holder).where('state', '<>', 'held').execute()
}

/** A heartbeat for every slot that an attempt or process holds. */
export async function prolongSlots(db: Db, held_by: string, lease_ms: number): Promise<void> {
  await sql`
    update quota_slot set until = clock_timestamp() + ${lease_ms} * interval '1 ms'
    where held_by = ${held_by}::uuid`.execute(db)
}
