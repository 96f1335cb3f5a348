import { refuse } from '#server/http/refusal.ts'

/** Previews that are made at once: for one person, and by this process. */
const OF_ONE = 2
const OF_ALL = 6
const RETRY_AFTER_S = 2

export interface Slots {
  /** Runs `work` when there is a place, else refuses at once: whoever types asks again anyway. */
  within<T>(person: number, work: () => Promise<T>): Promise<T>
}

export function openSlots({ of_one = OF_ONE, of_all = OF_ALL } = {}): Slots {
  const taken = new Map<number, number>()
  let all = 0
  return {
    async within(person, work) {
      const own = taken.get(person) ?? 0
      if (own >= of_one) throw refuse('rate_limited', { retry_after_s: RETRY_AFTER_S })
      if (all >= of_all) throw refuse('overloaded', { retry_after_s: RETRY_AFTER_S })
      taken.set(person, own + 1)
      all += 1
      try {
        return await work()
      } finally {
        const left = (taken.get(person) ?? 1) - 1
        if (left === 0) taken.delete(person)
        else taken.set(person, left)
        all -= 1
      }
    },
  }
}
