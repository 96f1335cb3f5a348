import { randomUUID } from 'node:crypto'
import { PlatformFailure, type Limiter, type QuotaKey } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { openSlots, type HeldSlots } from './held-slots.ts'
import { bookPermit, guessPause, pauseLeft, pauseQuota, reserveRetry, type Rate } from './rate.ts'

/**
 * For callers without a run: previews, lists of accounts, the spend of charts. They wait in place, and not
 * for long.
 */
export interface PlatformLimiter extends Limiter {
  /**
   * For one attempt at a run. It holds a slot from its first request under a key until it closes; where none
   * is free it joins the waitlist.
   */
  forRun(run: { id: string; is_urgent: boolean }, wake: Wake): RunLimiter
}

export interface RunLimiter extends Limiter {
  /** Releases everything and wakes the next runs. For good: it leaves its waitlists, too. */
  close(how?: 'for good'): Promise<void>
}

/** Makes these runs claimable at once. */
export type Wake = (run_ids: string[]) => Promise<void>

// Where a platform documents no rate: this only prevents a rush on one account.
const USUAL_RATES: Record<QuotaKey['kind'], Rate> = {
  app: { per_minute: 6000, burst: 200 },
  credential: { per_minute: 6000, burst: 200 },
  account: { per_minute: 1200, burst: 50 },
}
/** Above this share of a quota, one request a second. */
const SLOW_FROM_PERCENT = 75

/** A worker waits this long in place; for a longer wait the run releases it. */
const SHORT_WAIT_MS = 2000
/**
 * As long as this when the run holds a slot: its permit comes soon, and otherwise its pages would have to be
 * read again.
 */
const WAIT_WITH_SLOT_MS = 10_000

/** How long the slots of a dead process stay taken. */
const SLOT_LEASE_MS = 10_000

/** The quotas of ad platforms, shared by all workers. */
export function platformLimiter(
  db: Db,
  sleep: (ms: number) => Promise<void>,
  { lease_ms = SLOT_LEASE_MS }: { lease_ms?: number } = {},
): PlatformLimiter {
  const limiterWith = (own: HeldSlots, patience_ms: number): Required<Limiter> => ({
    async acquire(quota) {
      if (quota.at_once !== undefined) await waitForSlot(quota, own, patience_ms)
      try {
        await waitForPermit(quota, quota.at_once === undefined ? SHORT_WAIT_MS : WAIT_WITH_SLOT_MS)
      } catch (error) {
        if (quota.at_once !== undefined) await own.release(slotsOf(quota))
        throw error
      }
    },
    async report(quota, { used_percent, pause_ms, is_guess = false }) {
      const slowMs = used_percent >= SLOW_FROM_PERCENT ? 1000 : 0
      if (is_guess && pause_ms > 0) await guessPause(db, keyOf(quota), pause_ms)
      else if (Math.max(pause_ms, slowMs) > 0) await pauseQuota(db, keyOf(quota), Math.max(pause_ms, slowMs))
    },
    release: async quota => {
      if (quota.at_once !== undefined) await own.release(slotsOf(quota))
    },
  })

  /** No slot is taken while the quota is paused: a waiting holder would keep out those who come later. */
  async function waitForSlot(quota: QuotaKey, own: HeldSlots, patience_ms: number) {
    const slots = slotsOf(quota)
    if (!own.isHeld(slots) && (await pauseLeft(db, keyOf(quota))) > SHORT_WAIT_MS)
      throw await notBefore(quota)
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const wait_ms = await own.acquire(slots)
      if (wait_ms === 0) return
      if (waitedMs >= patience_ms) throw new PlatformFailure('quota_exhausted', { retry_after_ms: wait_ms })
      await sleep(POLL_MS)
    }
  }

  async function waitForPermit(quota: QuotaKey, patience_ms: number) {
    const key = keyOf(quota)
    const rate = rateOf(quota)
    for (let leftMs = patience_ms; ;) {
      const { is_booked, wait_ms } = await bookPermit(db, key, { rate, patience_ms: leftMs })
      if (!is_booked) throw await notBefore(quota)
      if (wait_ms === 0) return
      await sleep(wait_ms)
      leftMs -= wait_ms
      // It may have been paused meanwhile.
      if ((await pauseLeft(db, key)) === 0) return
    }
  }

  const notBefore = async (quota: QuotaKey) =>
    new PlatformFailure('quota_exhausted', {
      retry_after_ms: await reserveRetry(db, keyOf(quota), rateOf(quota)),
    })

  const inPlace = openSlots(db, { holder: null, held_by: randomUUID(), is_urgent: true, lease_ms })
  return {
    ...limiterWith(inPlace, WAIT_WITH_SLOT_MS),
    forRun({ id, is_urgent }, wake) {
      const own = openSlots(db, { holder: id, held_by: randomUUID(), is_urgent, lease_ms, wake })
      return { ...limiterWith(own, 0), close: own.close }
    },
  }
}

const POLL_MS = 500

const keyOf = ({ platform, kind, id }: QuotaKey) => `${platform} ${kind} ${id}`
const rateOf = ({ rate, kind }: QuotaKey) => rate ?? USUAL_RATES[kind]
const slotsOf = (quota: QuotaKey) => ({ key: keyOf(quota), most: quota.at_once ?? Infinity })
