/**
 * A poll that is about to be sent. Requests of one source that wait for jobs at the same time, as a table and
 * its account's total do, go together: each poll counts for the platform's quota.
 */
export interface PollRound {
  ids: Set<string>
  states: Promise<ReadonlyMap<string, string>>
}

/** By what is polled, such as the jobs of an account. */
export type PollRounds = Map<string, PollRound>

interface Poll {
  key: string
  ids: readonly string[]
  /** Until the round is sent, if this is the first request for it. */
  pause: () => Promise<void>
  send: (ids: string[]) => Promise<ReadonlyMap<string, string>>
}

/** The states of at least these ids. */
export function pollTogether(rounds: PollRounds, { key, ids, pause, send }: Poll): PollRound['states'] {
  const joined = rounds.get(key)
  if (joined) {
    for (const id of ids) joined.ids.add(id)
    return joined.states
  }
  const all = new Set(ids)
  const states = pause()
    .finally(() => rounds.delete(key))
    .then(() => send([...all]))
  rounds.set(key, { ids: all, states })
  return states
}
