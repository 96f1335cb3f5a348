import { sql, type Transaction } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Database } from '#server/db/schema.ts'

/**
 * So many at a time in a scope, of all workers together. A slot is held for as long as its process prolongs it, so that one whose process was killed
 * is free again within a lease. Runs that find none free stand in line; whoever leaves calls in the first of them, and keeps the slot for it for a
 * while. Each change locks the scope's row in `quota`, so that two who enter at once see each other.
 */
export interface Slots {
  key: string
  most: number
}

export interface Entrant {
  /** A run, or whoever else asks. */
  holder: string
  /** The attempt or process that holds the slot: an older one can let nothing go any more. */
  held_by: string
  /** 0 for the first slot of a holder; more of them are for what only it would leave unused. */
  nth: number
  /** Clicks stand before schedules. */
  is_urgent: boolean
  /** Runs wait for their turn elsewhere; a person's question takes one slot more than there are instead. */
  stands_in_line: boolean
  /** How long it stays without a sign of life. */
  lease_ms: number
}

export interface Outcome {
  /** 0: entered. Else when to ask again, unless one is called before. */
  wait_ms: number
  /** Runs whose turn has come. */
  called: string[]
}

/** A called run comes within a second or two, as soon as a worker is free. */
const CALL_MS = 20_000
/** For those whose call is lost: about what a run takes, for each that stands before it. */
const USUAL_STAY_MS = 3000
const LONGEST_WAIT_MS = 10 * 60_000
const FORGOTTEN_AFTER_MS = 30 * 60_000

export async function enter(db: Db, { key, most }: Slots, entrant: Entrant): Promise<Outcome> {
  return inTransaction(db, async trx => {
    const paused_ms = await lockQuota(trx, key)
    const { taken, ahead, waiting, is_called } = await look(trx, key, entrant)
    const free = most - taken
    const is_in = is_called || mayEnter(entrant, { free, ahead, waiting })
    if (is_in) await hold(trx, key, entrant)
    else if (entrant.stands_in_line && entrant.nth === 0) await standInLine(trx, key, entrant)
    const left = free - (is_in ? 1 : 0)
    const called = entrant.stands_in_line && paused_ms === 0 ? await call(trx, key, left) : []
    return { wait_ms: is_in ? 0 : estimate(ahead, most), called }
  })
}

/** Answers the runs whose turn has come by it. */
export async function leave(db: Db, { key, most }: Slots, entrant: Entrant): Promise<string[]> {
  const { holder, nth, held_by, stands_in_line } = entrant
  return inTransaction(db, async trx => {
    const paused_ms = await lockQuota(trx, key)
    await sql`
      delete from quota_slot
      where scope = ${key} and holder = ${holder}::uuid and nth = ${nth} and held_by = ${held_by}::uuid`.execute(
      trx,
    )
    if (!stands_in_line || paused_ms > 0) return []
    const { taken } = await look(trx, key, entrant)
    return await call(trx, key, most - taken)
  })
}

/** The holder waits nowhere any more. */
export async function leaveLines(db: Db, holder: string): Promise<void> {
  await db.deleteFrom('quota_slot').where('holder', '=', holder).where('state', '<>', 'held').execute()
}

/** A sign of life, for everything that an attempt or process holds. */
export async function prolong(db: Db, held_by: string, lease_ms: number): Promise<void> {
  await sql`
    update quota_slot set until = clock_timestamp() + ${lease_ms} * interval '1 ms'
    where held_by = ${held_by}::uuid`.execute(db)
}

/** For the rest of the transaction; answers how long the scope is paused, and forgets who is gone. */
async function lockQuota(trx: Transaction<Database>, key: string): Promise<number> {
  const { rows } = await sql<{ paused_ms: number }>`
    insert into quota (scope) values (${key}) on conflict (scope) do update set scope = excluded.scope
    returning greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000)::float8 as paused_ms`.execute(
    trx,
  )
  // Who was called and did not come keeps the place: it may be standing in another line.
  await sql`
    update quota_slot set state = 'waiting', until = clock_timestamp() + ${FORGOTTEN_AFTER_MS} * interval '1 ms'
    where scope = ${key} and state = 'called' and until < clock_timestamp()`.execute(trx)
  await sql`delete from quota_slot where scope = ${key} and until < clock_timestamp()`.execute(trx)
  return rows[0]?.paused_ms ?? 0
}

interface Seen {
  taken: number
  ahead: number
  waiting: number
  is_called: boolean
}

async function look(
  trx: Transaction<Database>,
  key: string,
  { holder, nth, is_urgent }: Entrant,
): Promise<Seen> {
  const { rows } = await sql<Seen>`
    with mine as (
      select state, since from quota_slot where scope = ${key} and holder = ${holder}::uuid and nth = ${nth}
    ), others as (
      select state, is_urgent, since from quota_slot
      where scope = ${key} and (holder, nth) <> (${holder}::uuid, ${nth}::smallint)
    )
    select count(*) filter (where state <> 'waiting')::int as taken,
      count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'waiting' and (
        is_urgent and not ${is_urgent}
        or is_urgent = ${is_urgent} and since < coalesce((select since from mine), 'infinity')
      ))::int as ahead,
      coalesce((select state = 'called' from mine), false) as is_called
    from others`.execute(trx)
  return rows[0] ?? { taken: 0, ahead: 0, waiting: 0, is_called: false }
}

function mayEnter(
  { nth, stands_in_line }: Entrant,
  { free, ahead, waiting }: { free: number; ahead: number; waiting: number },
): boolean {
  if (nth > 0) return free > 0 && waiting === 0
  return stands_in_line ? free > ahead : free > -1
}

async function hold(trx: Transaction<Database>, key: string, entrant: Entrant) {
  const { holder, nth, held_by, is_urgent, lease_ms } = entrant
  await sql`
    insert into quota_slot (scope, holder, nth, state, held_by, is_urgent, until)
    values (${key}, ${holder}::uuid, ${nth}, 'held', ${held_by}::uuid, ${is_urgent},
      clock_timestamp() + ${lease_ms} * interval '1 ms')
    on conflict (scope, holder, nth) do update
      set state = 'held', held_by = excluded.held_by, until = excluded.until`.execute(trx)
}

async function standInLine(trx: Transaction<Database>, key: string, entrant: Entrant) {
  const { holder, nth, is_urgent } = entrant
  await sql`
    insert into quota_slot (scope, holder, nth, state, is_urgent, until)
    values (${key}, ${holder}::uuid, ${nth}, 'waiting', ${is_urgent},
      clock_timestamp() + ${FORGOTTEN_AFTER_MS} * interval '1 ms')
    on conflict (scope, holder, nth) do update set state = 'waiting', held_by = null, until = excluded.until`.execute(
    trx,
  )
}

/** The first ones of the line, as many as there are free slots. */
async function call(trx: Transaction<Database>, key: string, free: number): Promise<string[]> {
  if (free <= 0) return []
  const { rows } = await sql<{ holder: string }>`
    update quota_slot set state = 'called', until = clock_timestamp() + ${CALL_MS} * interval '1 ms'
    where scope = ${key} and (holder, nth) in (
      select holder, nth from quota_slot where scope = ${key} and state = 'waiting'
      order by is_urgent desc, since limit ${free}
    )
    returning holder`.execute(trx)
  return rows.map(({ holder }) => holder)
}

const estimate = (ahead: number, most: number) =>
  Math.min(LONGEST_WAIT_MS, Math.ceil((ahead + 1) / most) * USUAL_STAY_MS)
