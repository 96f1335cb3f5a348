import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '#server/db/connect.ts'
import {
  acquireSlots,
  leaveWaitlists,
  prolongSlots,
  releaseSlots,
  type SlotHolder,
  type SlotOutcome,
  type SlotQuota,
} from './slots.ts'

/**
 * The slots that one attempt, or one process, holds of each quota. The states of a slot:
 *
 *     (none) ── acquire ──► idle ◄──► busy, with a request
 *       ▲                    │
 *       └──── release ◄──────┘  no request here has needed it for a moment, or all is closed
 *
 * The first slot of a quota is kept until the attempt closes, so that a report of many pages does not wait
 * for each. Further ones, for requests side by side, are acquired only while no other holder waits for them:
 * where none is free, a request waits here until another request of ours frees one. Requests that begin
 * together acquire theirs in one statement, and what is left over at the end is released in one. Slots are
 * numbered from 0, and a number that is being released is not acquired again before that is done: the request
 * would lose its slot.
 */
export interface HeldSlots {
  /** null: the request may go; else when to try again. */
  acquire(quota: SlotQuota): Promise<Refused | null>
  /** The request is over. */
  release(quota: SlotQuota): Promise<void>
  /** Releases everything, for good: it leaves the waitlists, too. */
  close(how?: 'for good'): Promise<void>
}

export type Refused = Pick<SlotOutcome, 'wait_ms' | 'is_paused'>

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
    acquire: quota => beginRequest(own, holdingOf(own, quota), quota),
    release: quota => endRequest(own, holdingOf(own, quota)),
    async close(how) {
      own.is_closed = true
      const leaves = how === 'for good'
      const held = [...own.holdings.values()].filter(({ slots }) => slots.size > 0)
      await Promise.all(
        held.map(holding => release(own, holding, { numbers: [...holding.slots.keys()], leaves })),
      )
      if (leaves && held.length === 0) await leaveWaitlists(db, own.name)
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
  /** Requests here that have begun and have no slot yet. */
  begun: number
  /** Being acquired for them. */
  acquiring: Promise<Refused | null> | null
  /** Requests here that wait for one of our slots. */
  waiting: (() => void)[]
  /** Will release what nothing has needed for a moment. */
  releasingIdle: NodeJS.Timeout | null
}

function holdingOf({ holdings }: Context, quota: SlotQuota): Holding {
  const known = holdings.get(quota.key)
  if (known) return known
  const holding: Holding = {
    quota,
    slots: new Map(),
    releasing: new Map(),
    begun: 0,
    acquiring: null,
    waiting: [],
    releasingIdle: null,
  }
  holdings.set(quota.key, holding)
  return holding
}

async function beginRequest(own: Context, holding: Holding, quota: SlotQuota): Promise<Refused | null> {
  holding.begun += 1
  try {
    return await acquireOne(own, holding, quota)
  } finally {
    holding.begun -= 1
  }
}

async function acquireOne(own: Context, holding: Holding, quota: SlotQuota): Promise<Refused | null> {
  while (!own.is_closed) {
    const idle = numberOf(holding, 'idle')
    if (idle !== undefined) {
      holding.slots.set(idle, 'busy')
      return null
    }
    if (holding.acquiring) {
      await holding.acquiring.catch(() => undefined)
      continue
    }
    holding.acquiring = acquire(own, holding, quota).finally(() => (holding.acquiring = null))
    const refused = await holding.acquiring
    if (refused === null) continue
    if (holding.slots.size === 0) return refused
    if (numberOf(holding, 'idle') === undefined)
      await new Promise<void>(resolve => holding.waiting.push(resolve))
  }
  // A request that arrives after this has been stopped.
  return null
}

async function endRequest(own: Context, holding: Holding): Promise<void> {
  const { slots, waiting } = holding
  const busy = numberOf(holding, 'busy')
  if (busy === undefined) return
  slots.set(busy, 'idle')
  const next = waiting.shift()
  if (next) next()
  else if (own.owner.holder === null) await release(own, holding, { numbers: [busy] })
  else if (slots.size > 1)
    holding.releasingIdle ??= setTimeout(() => {
      holding.releasingIdle = null
      // Its process goes on with those that are left; else they are free with its lease.
      releaseFurther(own, holding).catch(() => undefined)
    }, IDLE_MS).unref()
}

/**
 * Shorter than a request, so that others hardly wait for it: the next page needs its slot at once, and a
 * small report is over by then.
 */
const IDLE_MS = 50

async function releaseFurther(own: Context, holding: Holding) {
  const idle = [...holding.slots.keys()].filter(nth => holding.slots.get(nth) === 'idle')
  const numbers =
    idle.length < holding.slots.size ? idle : idle.toSorted((one, other) => one - other).slice(1)
  if (numbers.length > 0) await release(own, holding, { numbers })
}

/** Acquires slots for the requests that have begun, idle for now; null: one at least. */
async function acquire(own: Context, holding: Holding, quota: SlotQuota): Promise<Refused | null> {
  const { db } = own
  // Those that begin in this turn of the event loop are served together.
  await setImmediate()
  const numbers = await freeNumbers(holding)
  const { woken, taken, ...refused } = await acquireSlots(db, quota, requestOf(own, numbers))
  await wake(own, woken)
  if (taken.length === 0) return refused
  for (const nth of taken) holding.slots.set(nth, 'idle')
  // One is for the request that has led here.
  for (const next of holding.waiting.splice(0, taken.length - 1)) next()
  keepAlive(own)
  // Nothing would release them any more.
  if (own.is_closed) await release(own, holding, { numbers: taken })
  return null
}

async function release(
  own: Context,
  holding: Holding,
  { numbers, leaves = false }: { numbers: number[]; leaves?: boolean },
): Promise<void> {
  const { slots, releasing, quota } = holding
  for (const nth of numbers) slots.delete(nth)
  keepAlive(own)
  const released = releaseSlots(own.db, quota, { ...requestOf(own, numbers), leaves })
  const arrived = () => numbers.forEach(nth => releasing.delete(nth))
  const over = released.then(arrived, arrived)
  for (const nth of numbers) releasing.set(nth, over)
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

const requestOf = ({ owner, name }: Context, numbers: number[]) => {
  const { held_by, kind, is_urgent, lease_ms } = owner
  return { holder: name, held_by, numbers, kind, is_urgent, lease_ms }
}

async function freeNumbers({ slots, releasing, begun }: Holding): Promise<number[]> {
  const numbers: number[] = []
  for (let nth = 0; numbers.length < begun; nth++) {
    await releasing.get(nth)
    if (!slots.has(nth)) numbers.push(nth)
  }
  return numbers
}

const numberOf = ({ slots }: Holding, state: 'idle' | 'busy') =>
  [...slots.keys()].find(nth => slots.get(nth) === state)
