import { randomUUID } from 'node:crypto'
import { PlatformFailure, type Limiter, type QuotaKey } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { openAdaptiveRates, SLOWEST } from './adaptive-rate.ts'
import { openSlots, type HeldSlots } from './held-slots.ts'
import { SHORT_WAIT_MS } from './slots.ts'
import {
  bookPermit,
  guessPause,
  markClick,
  pauseLeft,
  pauseQuota,
  reserveRetry,
  type Rate,
  type Window,
} from './rate.ts'

/**
 * For a person who waits for the response: previews, lists of accounts. They wait in place, and not for long.
 *
 * A click, which is a manual run too, goes before the background at every quota. It reserves its permit, so
 * that it knows when it comes; the background takes one only when it is there, and none while a click waits
 * or has been there within the last seconds.
 */
export interface PlatformLimiter extends Limiter {
  /**
   * For one attempt at a run. It holds a slot from its first request under a key until it closes; where none
   * is free it joins the waitlist.
   */
  forRun(run: { id: string; is_urgent: boolean }, wake: Wake): RunLimiter
  /** For work that nobody waits for: the spend of charts, shares of audiences. It waits in place. */
  forBackground(wake: Wake): Limiter
}

export interface RunLimiter extends Limiter {
  /** Releases everything and wakes the next runs. For good: it leaves its waitlists, too. */
  close(how?: 'for good'): Promise<void>
}

/** Makes these runs claimable at once. */
export type Wake = (run_ids: string[]) => Promise<void>

/** Above this share of a quota, one request a second. */
const SLOW_FROM_PERCENT = 75

/**
 * As long as this when the run holds a slot: its permit comes soon, and otherwise its pages would have to be
 * read again.
 */
const WAIT_WITH_SLOT_MS = 10_000
/** Work in the background keeps no run from its worker. */
const BACKGROUND_WAIT_MS = 30_000

/** How long the slots of a dead process stay taken. */
const SLOT_LEASE_MS = 10_000

interface Caller {
  is_urgent: boolean
  /** How long it waits in place for a slot, for a permit, and for one while it has a slot. */
  patience_ms: { slot: number; permit: number; with_slot: number }
}

const RUN = { slot: 0, permit: SHORT_WAIT_MS, with_slot: WAIT_WITH_SLOT_MS }
const PERSON = { ...RUN, slot: WAIT_WITH_SLOT_MS }
const BACKGROUND = { slot: BACKGROUND_WAIT_MS, permit: BACKGROUND_WAIT_MS, with_slot: BACKGROUND_WAIT_MS }

/** The quotas of ad platforms, shared by all workers. */
export function platformLimiter(
  db: Db,
  sleep: (ms: number) => Promise<void>,
  { lease_ms = SLOT_LEASE_MS }: { lease_ms?: number } = {},
): PlatformLimiter {
  const adaptive = openAdaptiveRates(db)
  const clicks = openClicks(db)

  const limiterWith = (own: HeldSlots, caller: Caller): Required<Limiter> => ({
    async acquire(quota) {
      if (quota.at_once !== undefined) await waitForSlot(quota, own, caller)
      try {
        await waitForPermit(quota, caller)
      } catch (error) {
        if (quota.at_once !== undefined) await own.release(slotsOf(quota))
        throw error
      }
    },
    async report(quota, { used_percent, pause_ms, is_guess = false }) {
      const key = keyOf(quota)
      const slowMs = used_percent >= SLOW_FROM_PERCENT ? 1000 : 0
      if (Math.max(pause_ms, slowMs) === 0) return
      if (!quota.rate) await adaptive.lower(key)
      if (is_guess && pause_ms > 0) await guessPause(db, key, pause_ms)
      else await pauseQuota(db, key, Math.max(pause_ms, slowMs))
    },
    release: async quota => {
      if (quota.at_once !== undefined) await own.release(slotsOf(quota))
    },
  })

  /** No slot is taken while the quota is paused: a waiting holder would keep out those who come later. */
  async function waitForSlot(quota: QuotaKey, own: HeldSlots, { patience_ms }: Caller) {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const refused = await own.acquire(slotsOf(quota))
      if (refused === null) return
      if (refused.is_paused) throw await notBefore(quota)
      if (waitedMs >= patience_ms.slot)
        throw new PlatformFailure('quota_exhausted', { retry_after_ms: refused.wait_ms })
      await sleep(POLL_MS)
    }
  }

  async function waitForPermit(quota: QuotaKey, { is_urgent, patience_ms }: Caller) {
    const rate = await rateOf(quota)
    if (rate === null) return
    const key = keyOf(quota)
    const behind = wholeKeyOf(quota)
    if (is_urgent) await clicks.mark(behind)
    for (let leftMs = quota.at_once === undefined ? patience_ms.permit : patience_ms.with_slot; ;) {
      const booking = is_urgent ? { rate, patience_ms: leftMs } : { rate, patience_ms: 0, behind }
      const { is_booked, wait_ms } = await bookPermit(db, key, booking)
      if (is_booked && wait_ms === 0) return
      if (!is_booked && (is_urgent || wait_ms > leftMs)) throw await notBefore(quota, rate)
      await sleep(wait_ms)
      leftMs -= wait_ms
      // It may have been paused meanwhile.
      if (is_booked && (await pauseLeft(db, key)) === 0) return
    }
  }

  const rateOf = async (quota: QuotaKey) => quota.rate ?? (await adaptive.rateOf(keyOf(quota)))

  const notBefore = async (quota: QuotaKey, rate: Rate | Window = quota.rate ?? SLOWEST) =>
    new PlatformFailure('quota_exhausted', { retry_after_ms: await reserveRetry(db, keyOf(quota), rate) })

  const slotsFor = (kind: 'person' | 'background', wake?: Wake) =>
    openSlots(db, {
      holder: null,
      held_by: randomUUID(),
      kind,
      is_urgent: kind === 'person',
      lease_ms,
      ...(wake && { wake }),
    })
  return {
    ...limiterWith(slotsFor('person'), { is_urgent: true, patience_ms: PERSON }),
    forRun({ id, is_urgent }, wake) {
      const own = openSlots(db, { holder: id, held_by: randomUUID(), kind: 'run', is_urgent, lease_ms, wake })
      return { ...limiterWith(own, { is_urgent, patience_ms: RUN }), close: own.close }
    },
    forBackground: wake =>
      limiterWith(slotsFor('background', wake), { is_urgent: false, patience_ms: BACKGROUND }),
  }
}

/** Marks a quota at most once a second: a mark is good for two. */
function openClicks(db: Db) {
  const marked = new Map<string, number>()
  return {
    async mark(key: string) {
      const now = performance.now()
      if (now - (marked.get(key) ?? -Infinity) < 1000) return
      if (marked.size >= MOST_MARKED) marked.clear()
      marked.set(key, now)
      await markClick(db, key)
    },
  }
}

const POLL_MS = 500
const MOST_MARKED = 10_000

const wholeKeyOf = ({ platform, kind, id }: QuotaKey) => `${platform} ${kind} ${id}`
const keyOf = (quota: QuotaKey) =>
  quota.endpoint === undefined ? wholeKeyOf(quota) : `${wholeKeyOf(quota)} ${quota.endpoint}`
const slotsOf = (quota: QuotaKey) => ({
  key: wholeKeyOf(quota),
  most: quota.at_once ?? Infinity,
  pause_key: keyOf(quota),
})
