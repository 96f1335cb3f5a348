import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/connect.ts'
import { enter, leave, leaveLines, prolong, type Entrant, type Slots } from './slots.ts'

/**
 * What one attempt, or one process, holds of slots. Its first slot in a scope it keeps until it closes, so that a report of many pages does not stand
 * in line for each; more of them, for requests side by side, only while nobody else wants them.
 */
export interface OwnSlots {
  /** 0: the request may go; else when to ask again. */
  take(slots: Slots): Promise<number>
  done(slots: Slots): Promise<void>
  isIn(slots: Slots): boolean
  close(how?: 'for good'): Promise<void>
}

interface Holding {
  /** Numbers of slots that are held, and those of them that no request uses. */
  held: Set<number>
  idle: number[]
  /** Those that are being let go: taken again before that is done, they would be let go under the request. */
  leaving: Map<number, Promise<unknown>>
  /** Somebody here is asking for another one. */
  entering: Promise<number> | null
  /** Requests here that wait for one of ours. */
  waiting: (() => void)[]
  slots: Slots
}

interface Owner {
  /** null: nobody waits in line for it, and nothing is kept between requests. */
  holder: string | null
  held_by: string
  is_urgent: boolean
  lease_ms: number
  wake?: (run_ids: string[]) => Promise<void>
}

export function openSlots(db: Db, { holder, held_by, is_urgent, lease_ms, wake }: Owner): OwnSlots {
  const holdings = new Map<string, Holding>()
  const name = holder ?? randomUUID()
  const kept = holder === null ? 0 : 1
  let is_closed = false
  let heart: NodeJS.Timeout | null = null

  const holdingOf = (slots: Slots): Holding => {
    const known = holdings.get(slots.key)
    if (known) return known
    const fresh: Holding = {
      held: new Set(),
      idle: [],
      leaving: new Map(),
      entering: null,
      waiting: [],
      slots,
    }
    holdings.set(slots.key, fresh)
    return fresh
  }
  const entrant = (nth: number): Entrant => ({
    holder: name,
    held_by,
    nth,
    is_urgent,
    stands_in_line: holder !== null,
    lease_ms,
  })
  const beat = () => void prolong(db, held_by, lease_ms).catch(() => undefined)
  const live = () => {
    const is_holding = [...holdings.values()].some(({ held }) => held.size > 0)
    if (is_holding) heart ??= setInterval(beat, lease_ms / 3).unref()
    else if (heart) {
      clearInterval(heart)
      heart = null
    }
  }
  /** Who is called comes by itself a little later when nobody hears of it. */
  const calling = async (run_ids: string[]) => {
    if (run_ids.length > 0) await wake?.(run_ids).catch(() => undefined)
  }

  async function another(holding: Holding): Promise<number> {
    let nth = firstFree(holding)
    for (let left = holding.leaving.get(nth); left; left = holding.leaving.get(nth)) {
      await left
      nth = firstFree(holding)
    }
    const { wait_ms, called } = await enter(db, holding.slots, entrant(nth))
    await calling(called)
    if (wait_ms > 0) return wait_ms
    holding.held.add(nth)
    holding.idle.push(nth)
    live()
    // Nobody would let it go any more.
    if (is_closed) await letGo(holding, nth)
    return 0
  }

  async function letGo(holding: Holding, nth: number) {
    holding.held.delete(nth)
    holding.idle = holding.idle.filter(each => each !== nth)
    live()
    const left = leave(db, holding.slots, entrant(nth))
    holding.leaving.set(
      nth,
      left.then(
        () => holding.leaving.delete(nth),
        () => holding.leaving.delete(nth),
      ),
    )
    await calling(await left)
  }

  return {
    isIn: slots => (holdings.get(slots.key)?.held.size ?? 0) > 0,
    async take(slots) {
      const holding = holdingOf(slots)
      for (;;) {
        // Whoever still asks then has been told to stop.
        if (is_closed) return 0
        if (holding.idle.pop() !== undefined) return 0
        if (holding.entering) {
          await holding.entering.catch(() => undefined)
          continue
        }
        holding.entering = another(holding).finally(() => (holding.entering = null))
        const wait_ms = await holding.entering
        if (wait_ms === 0) continue
        if (holding.held.size === 0) return wait_ms
        if (holding.idle.length === 0) await new Promise<void>(resolve => holding.waiting.push(resolve))
      }
    },
    async done(slots) {
      const holding = holdingOf(slots)
      const busy = [...holding.held].find(nth => !holding.idle.includes(nth))
      if (busy === undefined) return
      holding.idle.push(busy)
      const next = holding.waiting.shift()
      if (next) next()
      else if (holding.held.size > kept) await letGo(holding, Math.max(...holding.idle))
    },
    async close(how) {
      is_closed = true
      for (const holding of holdings.values()) for (const nth of holding.held) await letGo(holding, nth)
      if (how) await leaveLines(db, name)
    },
  }
}

function firstFree({ held }: Holding): number {
  let nth = 0
  while (held.has(nth)) nth += 1
  return nth
}
