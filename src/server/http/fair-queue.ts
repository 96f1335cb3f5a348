import { refuse } from './refusal.ts'

export interface QueueLimits {
  /** In progress at once, of one person and of all in this process. */
  of_one: number
  of_all: number
  /** How many of one person may wait, and of all; any more are refused. */
  waiting: number
  waiting_of_all: number
  /** How long a request may wait. */
  wait_ms: number
  retry_after_s: number
}

export interface FairQueue {
  /**
   * Runs `work` as soon as there is a slot. Throws `rate_limited` when too many of this person wait already,
   * or for too long, and `overloaded` when too many of all people wait and no other person has more of them.
   */
  within<T>(person: Person, work: () => Promise<T>, disconnected?: AbortSignal): Promise<T>
}

/** An id; or an address, of somebody who is not signed in. */
type Person = number | string

interface PersonQueue {
  active: number
  waiting: Waiter[]
}

interface Waiter {
  begin: () => void
  leave: (code?: 'rate_limited' | 'overloaded') => void
}

/**
 * Slots for a kind of work, shared by person: the person with the fewest in progress is next, and among
 * equals the one served longest ago. So a person who sends twenty requests is served as often as one who
 * sends one, and only those twenty wait for each other. When too many wait, the last one of the person with
 * the most is dropped.
 */
export function openFairQueue({
  of_one,
  of_all,
  waiting,
  waiting_of_all,
  wait_ms,
  retry_after_s,
}: QueueLimits): FairQueue {
  // Only people with something in progress or waiting; the one served last comes last.
  const people = new Map<Person, PersonQueue>()
  let active = 0

  function beginNext() {
    while (active < of_all) {
      const next = nextPerson()
      if (!next) return
      const [person, queue] = next
      active += 1
      queue.active += 1
      people.delete(person)
      people.set(person, queue)
      queue.waiting.shift()?.begin()
    }
  }

  function nextPerson() {
    let least: [Person, PersonQueue] | null = null
    for (const entry of people) {
      const [, queue] = entry
      if (queue.waiting.length === 0 || queue.active >= of_one) continue
      if (!least || queue.active < least[1].active) least = entry
    }
    return least
  }

  function end(person: Person, queue: PersonQueue) {
    active -= 1
    queue.active -= 1
    dropIdle(person, queue)
    beginNext()
  }

  function dropIdle(person: Person, { active: own, waiting: others }: PersonQueue) {
    if (own === 0 && others.length === 0) people.delete(person)
  }

  async function waitForSlot(person: Person, queue: PersonQueue, disconnected?: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave: Waiter['leave'] = (code = 'rate_limited') => {
      const at = queue.waiting.indexOf(one)
      if (at === -1) return
      queue.waiting.splice(at, 1)
      dropIdle(person, queue)
      reject(refuse(code, { retry_after_s }))
    }
    const one: Waiter = { begin: resolve, leave }
    queue.waiting.push(one)
    beginNext()
    const index = queue.waiting.indexOf(one)
    if (index === -1) return
    if (index >= waiting) leave()
    else if (countWaiting() > waiting_of_all) dropLast(queue)
    const giveUp = () => leave()
    const timer = Number.isFinite(wait_ms) ? setTimeout(giveUp, wait_ms) : undefined
    disconnected?.addEventListener('abort', giveUp, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      disconnected?.removeEventListener('abort', giveUp)
    }
  }

  const countWaiting = () => [...people.values()].reduce((sum, each) => sum + each.waiting.length, 0)

  /** Of several with equally many the newcomer, so that those who wait already stay. */
  function dropLast(newcomer: PersonQueue) {
    const longest = [...people.values()].reduce(
      (most, each) => (each.waiting.length > most.waiting.length ? each : most),
      newcomer,
    )
    longest.waiting.at(-1)?.leave(longest.waiting.length > 1 ? 'rate_limited' : 'overloaded')
  }

  return {
    async within(person, work, disconnected) {
      const queue = people.get(person) ?? { active: 0, waiting: [] }
      people.set(person, queue)
      await waitForSlot(person, queue, disconnected)
      try {
        return await work()
      } finally {
        end(person, queue)
      }
    },
  }
}
