import { refuse } from './refusal.ts'

/**
 * What one process works on at once: four times its 20 sessions with the database, so that as soon as one is
 * free the next request is there, and whoever is let in waits for three others at most. Beyond, working on
 * more at once would make each of them later and none of them sooner.
 */
export const MOST_AT_ONCE = 80

/**
 * A socket and what Node keeps for it are some 15 KB: so many idle ones, or slow ones within their 30
 * seconds, are 150 MB. Live events hold one for each page that is looked at.
 */
export const MOST_CONNECTIONS = 10_000

export interface Capacity {
  /** Throws `overloaded` when no slot is free. */
  refuseWhenFull(): void
  /** For a request that has just come; not taken yet. */
  openSlot(): RequestSlot
  counts(): { under_way: number; shed: number }
}

/**
 * Of one request, from the moment its body is complete and it is the next of its person, until its response
 * is made.
 */
export interface RequestSlot {
  refuseWhenFull(): void
  /** Always granted: whoever has waited for it (request-limits.ts) is not sent away then. */
  take(): void
  /** What goes on for as long as a client likes keeps no slot. */
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
