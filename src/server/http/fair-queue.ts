import { refuse } from './refusal.ts'

export interface QueueLimits {
  /** At once, of one person and of all in this process. */
  of_one: number
  of_all: number
  /** So many of one person may wait, and of all; what comes beyond is refused. */
  waiting: number
  waiting_of_all: number
  /** For so long. */
  wait_ms: number
  retry_after_s: number
}

export interface FairQueue {
  /**
   * Runs `work` as soon as there is room. Throws `rate_limited` when too many of this person's wait already, or for too long, and `overloaded` when too
   * many of all people wait and nobody has more of them.
   */
  within<T>(person: number, work: () => Promise<T>, gone?: AbortSignal): Promise<T>
}

interface Standing {
  active: number
  waiting: Waiting[]
}

interface Waiting {
  begin: () => void
  leave: (code?: 'rate_limited' | 'overloaded') => void
}

/**
 * Room for a kind of work, given out person by person: whoever has the least under way is next, and among equals whoever was served longest ago.
 * So somebody who asks twenty times is served as often as somebody who asks once, and only those twenty wait for each other. When too many wait, the
 * last one goes of whoever has the most.
 */
export function openFairQueue({
  of_one,
  of_all,
  waiting,
  waiting_of_all,
  wait_ms,
  retry_after_s,
}: QueueLimits): FairQueue {
  // Only people who have something under way or waiting; the one served last stands last.
  const people = new Map<number, Standing>()
  let active = 0

  function beginNext() {
    while (active < of_all) {
      const next = nextPerson()
      if (!next) return
      const [person, standing] = next
      active += 1
      standing.active += 1
      people.delete(person)
      people.set(person, standing)
      standing.waiting.shift()?.begin()
    }
  }

  function nextPerson() {
    let least: [number, Standing] | null = null
    for (const entry of people) {
      const [, standing] = entry
      if (standing.waiting.length === 0 || standing.active >= of_one) continue
      if (!least || standing.active < least[1].active) least = entry
    }
    return least
  }

  function end(person: number, standing: Standing) {
    active -= 1
    standing.active -= 1
    dropIdle(person, standing)
    beginNext()
  }

  function dropIdle(person: number, { active: own, waiting: others }: Standing) {
    if (own === 0 && others.length === 0) people.delete(person)
  }

  async function begun(person: number, standing: Standing, gone?: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave: Waiting['leave'] = (code = 'rate_limited') => {
      const at = standing.waiting.indexOf(one)
      if (at === -1) return
      standing.waiting.splice(at, 1)
      dropIdle(person, standing)
      reject(refuse(code, { retry_after_s }))
    }
    const one: Waiting = { begin: resolve, leave }
    standing.waiting.push(one)
    beginNext()
    const index = standing.waiting.indexOf(one)
    if (index === -1) return
    if (index >= waiting) leave()
    else if (countWaiting() > waiting_of_all) dropLast(standing)
    const giveUp = () => leave()
    const timer = Number.isFinite(wait_ms) ? setTimeout(giveUp, wait_ms) : undefined
    gone?.addEventListener('abort', giveUp, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      gone?.removeEventListener('abort', giveUp)
    }
  }

  const countWaiting = () => [...people.values()].reduce((sum, each) => sum + each.waiting.length, 0)

  /** Of several who have equally many the newcomer, so that whoever waits already stays. */
  function dropLast(newcomer: Standing) {
    const longest = [...people.values()].reduce(
      (most, each) => (each.waiting.length > most.waiting.length ? each : most),
      newcomer,
    )
    longest.waiting.at(-1)?.leave(longest.waiting.length > 1 ? 'rate_limited' : 'overloaded')
  }

  return {
    async within(person, work, gone) {
      const standing = people.get(person) ?? { active: 0, waiting: [] }
      people.set(person, standing)
      await begun(person, standing, gone)
      try {
        return await work()
      } finally {
        end(person, standing)
      }
    },
  }
}
