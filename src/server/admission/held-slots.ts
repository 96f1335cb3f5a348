import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/connect.ts'
import {
  acquireSlot,
  leaveWaitlists,
  prolongSlots,
  releaseSlot,
  type SlotHolder,
  type SlotQuota,
} from './slots.ts'

/**
 * The slots that one attempt, or one process, holds of each quota. The states of a slot:
 *
 *     (none) ── acquire ──► idle ◄──► busy, with a request
 *       ▲                    │
 *       └──── release ◄──────┘  no request here waits for it, or all is closed
 *
 * The first slot of a quota is kept until the attempt closes, so that a report of many pages does not wait
 * for each. Further ones, for requests side by side, are acquired only while no other holder waits for them:
 * where none is free, a request waits here until another request of ours frees one. Slots are numbered from
 * 0, and a number that is being released is not acquired again before that is done: the request would lose
 * its slot.
 */
export interface HeldSlots {
  /** 0: the request may go; else the milliseconds after which to try again. */
  acquire(quota: SlotQuota): Promise<number>
  /** The request is over. */
  release(quota: SlotQuota): Promise<void>
  isHeld(quota: SlotQuota): boolean
  /** Releases everything, for good: it leaves the waitlists, too. */
  close(how?: 'for good'): Promise<void>
}

interface Owner {
  /** null: it joins no waitlist, and keeps no slot between requests. */
  holder: string | null
  held_by: string
  kind: SlotHolder
  is_urgent: boolean
  lease_ms: number
  wake?: (runIds: string[]) => Promise<void>
}

export function openSlots(db: Db, owner: Owner): HeldSlots {
  const own: Context = {
    db,
    owner,
    name: owner.holder ?? randomUUID(),
    holdings: new Map(),
    is_closed: false,
    heartbeat: null,
  }
  return {
    acquire: quota => beginRequest(own, holdingOf(own, quota)),
    release: quota => endRequest(own, holdingOf(own, quota)),
    isHeld: ({ key }) => (own.holdings.get(key)?.slots.size ?? 0) > 0,
    async close(how) {
      own.is_closed = true
      for (const holding of own.holdings.values())
        for (const nth of holding.slots.keys()) await release(own, holding, nth)
      if (how === 'for good') await leaveWaitlists(db, own.name)
    },
  }
}

interface Context {
  db: Db
  owner: Owner
  name: string
  /** By the key of the quota. */
  holdings: Map<string, Holding>
  is_closed: boolean
  heartbeat: NodeJS.Timeout | null
}

interface Holding {
  quota: SlotQuota
  /** By number. */
  slots: Map<number, 'idle' | 'busy'>
  /** Numbers that are being released. */
  releasing: Map<number, Promise<unknown>>
  /** Being acquired for one request here; the others wait for its outcome. */
  acquiring: Promise<number> | null
  /** Requests here that wait for one of our slots. */
  waiting: (() => void)[]
}

function holdingOf({ holdings }: Context, quota: SlotQuota): Holding {
  const known = holdings.get(quota.key)
  if (known) return known
  const holding: Holding = {
    quota,
    slots: new Map(),
    releasing: new Map(),
    acquiring: null,
    waiting: [],
  }
  holdings.set(quota.key, holding)
  return holding
}

async function beginRequest(own: Context, holding: Holding): Promise<number> {
  while (!own.is_closed) {
    const idle = numberOf(holding, 'idle')
    if (idle !== undefined) {
      holding.slots.set(idle, 'busy')
      return 0
    }
    if (holding.acquiring) {
      await holding.acquiring.catch(() => undefined)
      continue
    }
    holding.acquiring = acquire(own, holding).finally(() => (holding.acquiring = null))
    const wait_ms = await holding.acquiring
    if (wait_ms === 0) continue
    if (holding.slots.size === 0) return wait_ms
    if (numberOf(holding, 'idle') === undefined)
      await new Promise<void>(resolve => holding.waiting.push(resolve))
  }
  // A request that arrives after this has been stopped.
  return 0
}

async function endRequest(own: Context, holding: Holding): Promise<void> {
  const { slots, waiting } = holding
  const busy = numberOf(holding, 'busy')
  if (busy === undefined) return
  slots.set(busy, 'idle')
  const needed = own.owner.holder === null ? 0 : 1
  const next = waiting.shift()
  if (next) next()
  else if (slots.size > needed) await release(own, holding, lastIdle(holding))
}

/** Acquires one slot more, idle for now: 0, else the milliseconds after which to try again. */
async function acquire(own: Context, holding: Holding): Promise<number> {
  const { db } = own
  const nth = await nextNumber(holding)
  const { wait_ms, woken } = await acquireSlot(db, holding.quota, requestOf(own, nth))
  await wake(own, woken)
  if (wait_ms > 0) return wait_ms
  holding.slots.set(nth, 'idle')
  keepAlive(own)
  // Nothing would release it any more.
  if (own.is_closed) await release(own, holding, nth)
  return 0
}

async function release(own: Context, holding: Holding, nth: number): Promise<void> {
  holding.slots.delete(nth)
  keepAlive(own)
  const released = releaseSlot(own.db, holding.quota, requestOf(own, nth))
  const arrived = () => holding.releasing.delete(nth)
  holding.releasing.set(nth, released.then(arrived, arrived))
  await wake(own, await released)
}

/** Prolongs what is held, as long as there is anything. */
function keepAlive(own: Context) {
  const { db, owner, holdings } = own
  const { held_by, lease_ms } = owner
  const isHolding = [...holdings.values()].some(({ slots }) => slots.size > 0)
  if (isHolding) {
    const beat = () => void prolongSlots(db, held_by, lease_ms).catch(() => undefined)
    own.heartbeat ??= setInterval(beat, lease_ms / 3).unref()
  } else if (own.heartbeat) {
    clearInterval(own.heartbeat)
    own.heartbeat = null
  }
}

/** A run that cannot be woken goes on by itself a little later. */
async function wake({ owner }: Context, runIds: string[]) {
  if (runIds.length > 0) await owner.wake?.(runIds).catch(() => undefined)
}

const requestOf = ({ owner: { held_by, kind, is_urgent, lease_ms }, name }: Context, nth: number) => ({
  holder: name,
  held_by,
  nth,
  kind,
  is_urgent,
  lease_ms,
})

async function nextNumber({ slots, releasing }: Holding): Promise<number> {
  for (;;) {
    let nth = 0
    while (slots.has(nth)) nth += 1
    const released = releasing.get(nth)
    if (!released) return nth
    await released
  }
}

const numberOf = ({ slots }: Holding, state: 'idle' | 'busy') =>
  [...slots.keys()].find(nth => slots.get(nth) === state)

const lastIdle = ({ slots }: Holding) =>
  Math.max(...[...slots.keys()].filter(nth => slots.get(nth) === 'idle'))
