import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'

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
 * while (woken). Each change locks the quota's row in `quota`, so that concurrent changes see each other.
 */
export interface SlotQuota {
  key: string
  most: number
}

export interface SlotRequest {
  /** A run, or another caller. */
  holder: string
  /** The attempt or process that holds the slot: an older one can no longer release it. */
  held_by: string
  /** 0 for the first slot of a holder; further ones are taken only while no other holder waits for them. */
  nth: number
  /** Manual runs go before scheduled ones. */
  is_urgent: boolean
  kind: SlotHolder
  /** How long the slot stays without a heartbeat. */
  lease_ms: number
}

/**
 * Runs wait in the waitlist, without a worker. A person's request takes one slot more than the limit instead;
 * work in the background takes none that another holder waits for.
 */
export type SlotHolder = 'run' | 'person' | 'background'

export interface SlotOutcome {
  /** 0: it is held. Else when to try again, unless woken before. */
  wait_ms: number
  /** Runs that this has reserved a slot for. */
  woken: string[]
}

/** A woken run continues within a second or two, as soon as a worker is free. */
const WOKEN_FOR_MS = 20_000
/** For those that are not woken: about the duration of a run, for each that goes before it. */
const USUAL_STAY_MS = 3000
const LONGEST_WAIT_MS = 10 * 60_000
const FORGOTTEN_AFTER_MS = 30 * 60_000

export async function acquireSlot(
  db: Db,
  { key, most }: SlotQuota,
  request: SlotRequest,
): Promise<SlotOutcome> {
  return inTransaction(db, async trx => {
    const paused_ms = await lockQuota(trx, key)
    const { held, ahead, waiting, is_woken } = await readOthers(trx, key, request)
    const free = most - held
    const is_held = is_woken || mayHold(request, { free, ahead, waiting })
    if (is_held) await hold(trx, key, request)
    else if (request.kind === 'run' && request.nth === 0) await joinWaitlist(trx, key, request)
    const left = free - (is_held ? 1 : 0)
    const woken = request.kind === 'run' && paused_ms === 0 ? await wakeNext(trx, key, left) : []
    return { wait_ms: is_held ? 0 : estimate(ahead, most), woken }
  })
}

/** Returns the runs that are to be woken. */
export async function releaseSlot(db: Db, { key, most }: SlotQuota, request: SlotRequest): Promise<string[]> {
  const { holder, nth, held_by, kind } = request
  return inTransaction(db, async trx => {
    const paused_ms = await lockQuota(trx, key)
    await sql`
      delete from quota_slot
      where scope = ${key} and holder = ${holder}::uuid and nth = ${nth} and held_by = ${held_by}::uuid`.execute(
      trx,
    )
    if (kind === 'person' || paused_ms > 0) return []
    const { held } = await readOthers(trx, key, request)
    return await wakeNext(trx, key, most - held)
  })
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

/**
 * Locks the quota for the rest of the transaction; returns how long it is paused, and removes holders that
 * are gone.
 */
async function lockQuota(trx: Trx, key: string): Promise<number> {
  const { rows } = await sql<{ paused_ms: number }>`
    insert into quota (scope) values (${key}) on conflict (scope) do update set scope = excluded.scope
    returning greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000)::float8 as paused_ms`.execute(
    trx,
  )
  // A run that was woken and did not come keeps its position: it may be waiting for another quota.
  await sql`
    update quota_slot set state = 'waiting', until = clock_timestamp() + ${FORGOTTEN_AFTER_MS} * interval '1 ms'
    where scope = ${key} and state = 'woken' and until < clock_timestamp()`.execute(trx)
  await sql`delete from quota_slot where scope = ${key} and until < clock_timestamp()`.execute(trx)
  return rows[0]?.paused_ms ?? 0
}

/** What all other holders hold, and wait for. */
interface Others {
  held: number
  waiting: number
  /** Of those that wait. */
  ahead: number
  /** Whether a slot is reserved for this holder. */
  is_woken: boolean
}

async function readOthers(trx: Trx, key: string, { holder, nth, is_urgent }: SlotRequest): Promise<Others> {
  const { rows } = await sql<Others>`
    with mine as (
      select state, since from quota_slot where scope = ${key} and holder = ${holder}::uuid and nth = ${nth}
    ), others as (
      select state, is_urgent, since from quota_slot
      where scope = ${key} and (holder, nth) <> (${holder}::uuid, ${nth}::smallint)
    )
    select count(*) filter (where state <> 'waiting')::int as held,
      count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'waiting' and (
        is_urgent and not ${is_urgent}
        or is_urgent = ${is_urgent} and since < coalesce((select since from mine), 'infinity')
      ))::int as ahead,
      coalesce((select state = 'woken' from mine), false) as is_woken
    from others`.execute(trx)
  return rows[0] ?? { held: 0, waiting: 0, ahead: 0, is_woken: false }
}

function mayHold(
  { nth, kind }: SlotRequest,
  { free, ahead, waiting }: { free: number; ahead: number; waiting: number },
): boolean {
  if (nth > 0 || kind === 'background') return free > 0 && waiting === 0
  return kind === 'run' ? free > ahead : free > -1
}

async function hold(trx: Trx, key: string, request: SlotRequest) {
  const { holder, nth, held_by, is_urgent, lease_ms } = request
  await sql`
    insert into quota_slot (scope, holder, nth, state, held_by, is_urgent, until)
    values (${key}, ${holder}::uuid, ${nth}, 'held', ${held_by}::uuid, ${is_urgent},
      clock_timestamp() + ${lease_ms} * interval '1 ms')
    on conflict (scope, holder, nth) do update
      set state = 'held', held_by = excluded.held_by, until = excluded.until`.execute(trx)
}

async function joinWaitlist(trx: Trx, key: string, request: SlotRequest) {
  const { holder, nth, is_urgent } = request
  await sql`
    insert into quota_slot (scope, holder, nth, state, is_urgent, until)
    values (${key}, ${holder}::uuid, ${nth}, 'waiting', ${is_urgent},
      clock_timestamp() + ${FORGOTTEN_AFTER_MS} * interval '1 ms')
    on conflict (scope, holder, nth) do update set state = 'waiting', held_by = null, until = excluded.until`.execute(
    trx,
  )
}

/** Reserves the free slots for the first runs of the waitlist. */
async function wakeNext(trx: Trx, key: string, free: number): Promise<string[]> {
  if (free <= 0) return []
  const { rows } = await sql<{ holder: string }>`
    update quota_slot set state = 'woken', until = clock_timestamp() + ${WOKEN_FOR_MS} * interval '1 ms'
    where scope = ${key} and (holder, nth) in (
      select holder, nth from quota_slot where scope = ${key} and state = 'waiting'
      order by is_urgent desc, since limit ${free}
    )
    returning holder`.execute(trx)
  return rows.map(({ holder }) => holder)
}

const estimate = (ahead: number, most: number) =>
  Math.min(LONGEST_WAIT_MS, Math.ceil((ahead + 1) / most) * USUAL_STAY_MS)
