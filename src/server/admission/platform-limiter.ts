import { randomUUID } from 'node:crypto'
import { PlatformFailure, type Limiter, type QuotaKey } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { openSlots, type OwnSlots } from './held-slots.ts'
import { bookTurn, guessPause, pauseLeft, pauseScope, takePlaceAfterPause, type Pace } from './rate.ts'

/** For whoever has no run: previews, lists of accounts, the spend of charts. They wait where they are, and not for long. */
export interface PlatformGate extends Limiter {
  /** For one attempt at a run. It is in a scope from its first request there until it closes; where there is no room it stands in line. */
  forRun(run: { id: string; is_urgent: boolean }, callIn: CallIn): QuotaSession
}

export interface QuotaSession extends Limiter {
  /** Lets everything go; whoever is next is called in. For good: the run will not come back to what it has stood in line for. */
  close(how?: 'for good'): Promise<void>
}

/** The turn of these runs has come. */
export type CallIn = (run_ids: string[]) => Promise<void>

// Where a platform documents no pace: this only keeps one account from being asked in a rush.
const USUAL_PACES: Record<QuotaKey['kind'], Pace> = {
  app: { per_minute: 6000, burst: 200 },
  credential: { per_minute: 6000, burst: 200 },
  account: { per_minute: 1200, burst: 50 },
}
/** From this share of a quota on, one request a second. */
const SLOW_FROM_PERCENT = 75

/** A worker sits this out; for a longer wait the run gives it back. */
const SHORT_WAIT_MS = 2000
/** As long as this when the run is one of the few that are in: its turn comes soon, and what it has read would have to be read again. */
const WAIT_INSIDE_MS = 10_000

/** How long a dead process keeps others out. */
const SLOT_LEASE_MS = 10_000

/** The quotas of ad platforms, kept by all workers together. */
export function platformGate(
  db: Db,
  sleep: (ms: number) => Promise<void>,
  { lease_ms = SLOT_LEASE_MS }: { lease_ms?: number } = {},
): PlatformGate {
  const gateWith = (own: OwnSlots, patience_ms: number): Required<Limiter> => ({
    async before(scope) {
      if (scope.at_once !== undefined) await room(scope, own, patience_ms)
      try {
        await turn(scope, scope.at_once === undefined ? SHORT_WAIT_MS : WAIT_INSIDE_MS)
      } catch (error) {
        if (scope.at_once !== undefined) await own.done(slotsOf(scope))
        throw error
      }
    },
    async after(scope, { used_percent, pause_ms, is_guess = false }) {
      const slow_ms = used_percent >= SLOW_FROM_PERCENT ? 1000 : 0
      if (is_guess && pause_ms > 0) await guessPause(db, nameOf(scope), pause_ms)
      else if (Math.max(pause_ms, slow_ms) > 0)
        await pauseScope(db, nameOf(scope), Math.max(pause_ms, slow_ms))
    },
    done: async scope => {
      if (scope.at_once !== undefined) await own.done(slotsOf(scope))
    },
  })

  /** Nobody goes in while the scope is closed: those who wait inside would keep out whoever comes after the pause. */
  async function room(scope: QuotaKey, own: OwnSlots, patience_ms: number) {
    const slots = slotsOf(scope)
    if (!own.isIn(slots) && (await pauseLeft(db, nameOf(scope))) > SHORT_WAIT_MS) throw await later(scope)
    for (let waited_ms = 0; ; waited_ms += AGAIN_MS) {
      const wait_ms = await own.take(slots)
      if (wait_ms === 0) return
      if (waited_ms >= patience_ms) throw new PlatformFailure('quota_exhausted', { retry_after_ms: wait_ms })
      await sleep(AGAIN_MS)
    }
  }

  async function turn(scope: QuotaKey, patience_ms: number) {
    const name = nameOf(scope)
    const pace = paceOf(scope)
    for (let left_ms = patience_ms; ;) {
      const { is_booked, wait_ms } = await bookTurn(db, name, { pace, patience_ms: left_ms })
      if (!is_booked) throw await later(scope)
      if (wait_ms === 0) return
      await sleep(wait_ms)
      left_ms -= wait_ms
      // It may have been closed meanwhile.
      if ((await pauseLeft(db, name)) === 0) return
    }
  }

  const later = async (scope: QuotaKey) =>
    new PlatformFailure('quota_exhausted', {
      retry_after_ms: await takePlaceAfterPause(db, nameOf(scope), paceOf(scope)),
    })

  const waitHere = openSlots(db, { holder: null, held_by: randomUUID(), is_urgent: true, lease_ms })
  return {
    ...gateWith(waitHere, WAIT_INSIDE_MS),
    forRun({ id, is_urgent }, callIn) {
      const own = openSlots(db, { holder: id, held_by: randomUUID(), is_urgent, lease_ms, callIn })
      return { ...gateWith(own, 0), close: own.close }
    },
  }
}

const AGAIN_MS = 500

const nameOf = ({ platform, kind, id }: QuotaKey) => `${platform} ${kind} ${id}`
const paceOf = ({ rate, kind }: QuotaKey) => rate ?? USUAL_PACES[kind]
const slotsOf = (scope: QuotaKey) => ({ scope: nameOf(scope), most: scope.at_once ?? Infinity })
