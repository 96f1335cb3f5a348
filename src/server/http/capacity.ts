import { refuse } from './refusal.ts'

/**
 * Requests that one process works on at once: four times its 20 database sessions, so that the next request
 * is there as soon as one is free, and an admitted one waits for three others at most. Working on more at
 * once would make each of them later and none of them sooner.
 */
export const MOST_AT_ONCE = 80

/**
 * A socket and Node's state for it are some 15 KB: so many idle ones, or slow ones within their 30 seconds,
 * are 150 MB. Live events hold one for each open page.
 */
export const MOST_CONNECTIONS = 10_000

export interface Capacity {
  /** Throws `overloaded` when no slot is free. */
  refuseWhenFull(): void
  /** For a request that has just arrived; not taken yet. */
  openSlot(): RequestSlot
  counts(): { under_way: number; shed: number }
}

/**
 * For one request, from the moment its body is complete and it is the next of its person, until its response
 * is made.
 */
export interface RequestSlot {
  refuseWhenFull(): void
  /** Always granted: a request that has waited for it (request-limits.ts) is not refused then. */
  take(): void
  /** A response that lasts as long as the client likes holds no slot. */
  release(): void
}

export function openCapacity(most: number): Capacity {
  let under_way = 0
  let shed = 0

  function refuseWhenFull() {
    if (under_way < most) return
    shed += 1
    throw refuse('overloaded')
  }

  return {
    refuseWhenFull,
    openSlot() {
      let isTaken = false
      return {
        refuseWhenFull,
        take() {
          if (!isTaken) under_way += 1
          isTaken = true
        },
        release() {
          if (isTaken) under_way -= 1
          isTaken = false
        },
      }
    },
    counts: () => ({ under_way, shed }),
  }
}
