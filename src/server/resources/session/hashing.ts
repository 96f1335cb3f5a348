import type { Hashing } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'

/**
 * Argon2id uses one processor and 19 MiB for about 30 ms; libuv's four threads also read files and resolve
 * names.
 */
const AT_ONCE = 2
/** About a third of a second of work. */
const MOST_WAITING = 20
const RETRY_AFTER_S = 2

interface Waiter {
  begin: () => void
  giveUp: () => void
}

/**
 * A short queue that serves the networks in turn, so that a single request waits for at most one piece of
 * work of each other network. When it is full, the last one of the network with the most is dropped: many
 * requests from one address displace no others.
 */
export function createHashing({ at_once = AT_ONCE, most_waiting = MOST_WAITING } = {}): Hashing {
  /** In the order in which they are served. */
  const queues = new Map<string, Waiter[]>()
  let working = 0

  return {
    async run({ network, signal }, work) {
      await waitForSlot(network, signal)
      try {
        return await work()
      } finally {
        working -= 1
        callNext()
      }
    },
  }

  async function waitForSlot(network: string, signal: AbortSignal) {
    if (signal.aborted) throw tooMany()
    if (working < at_once) {
      working += 1
      return
    }
    let leave = () => {}
    try {
      await new Promise<void>((begin, reject) => {
        const waiter = { begin, giveUp: () => reject(tooMany()) }
        join(network, waiter)
        leave = () => {
          remove(network, waiter)
          waiter.giveUp()
        }
        signal.addEventListener('abort', leave)
        if (countWaiting() > most_waiting) queues.get(longest(network))?.pop()?.giveUp()
      })
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  function callNext() {
    for (const [network, [first, ...others]] of queues) {
      queues.delete(network)
      if (others.length > 0) queues.set(network, others)
      if (!first) continue
      working += 1
      first.begin()
      return
    }
  }

  function join(network: string, waiter: Waiter) {
    const queue = queues.get(network)
    if (queue) queue.push(waiter)
    else queues.set(network, [waiter])
  }

  function remove(network: string, waiter: Waiter) {
    const left = (queues.get(network) ?? []).filter(each => each !== waiter)
    if (left.length > 0) queues.set(network, left)
    else queues.delete(network)
  }

  function waiting(network: string) {
    return queues.get(network)?.length ?? 0
  }

  function countWaiting() {
    return [...queues.keys()].reduce((sum, network) => sum + waiting(network), 0)
  }

  /** Of several that are equally long the newcomer's, so that those who wait already stay. */
  function longest(newcomer: string) {
    return [...queues.keys()].reduce(
      (most, network) => (waiting(network) > waiting(most) ? network : most),
      newcomer,
    )
  }
}

const tooMany = () => refuse('rate_limited', { retry_after_s: RETRY_AFTER_S })
