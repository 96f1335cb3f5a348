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

interface Place {
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
  const lines = new Map<string, Place[]>()
  let working = 0

  return {
    async run({ network, signal }, work) {
      await turn(network, signal)
      try {
        return await work()
      } finally {
        working -= 1
        callNext()
      }
    },
  }

  async function turn(network: string, signal: AbortSignal) {
    if (signal.aborted) throw tooMany()
    if (working < at_once) {
      working += 1
      return
    }
    let leave = () => {}
    try {
      await new Promise<void>((begin, reject) => {
        const place = { begin, giveUp: () => reject(tooMany()) }
        join(network, place)
        leave = () => {
          remove(network, place)
          place.giveUp()
        }
        signal.addEventListener('abort', leave)
        if (countWaiting() > most_waiting) lines.get(longest(network))?.pop()?.giveUp()
      })
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  function callNext() {
    for (const [network, [first, ...others]] of lines) {
      lines.delete(network)
      if (others.length > 0) lines.set(network, others)
      if (!first) continue
      working += 1
      first.begin()
      return
    }
  }

  function join(network: string, place: Place) {
    const line = lines.get(network)
    if (line) line.push(place)
    else lines.set(network, [place])
  }

  function remove(network: string, place: Place) {
    const left = (lines.get(network) ?? []).filter(each => each !== place)
    if (left.length > 0) lines.set(network, left)
    else lines.delete(network)
  }

  function waiting(network: string) {
    return lines.get(network)?.length ?? 0
  }

  function countWaiting() {
    return [...lines.keys()].reduce((sum, network) => sum + waiting(network), 0)
  }

  /** Of several that are equally long the newcomer's, so that those who wait already stay. */
  function longest(newcomer: string) {
    return [...lines.keys()].reduce(
      (most, network) => (waiting(network) > waiting(most) ? network : most),
      newcomer,
    )
  }
}

const tooMany = () => refuse('rate_limited', { retry_after_s: RETRY_AFTER_S })
