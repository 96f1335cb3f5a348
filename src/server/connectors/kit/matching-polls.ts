const FIRST_MS = 30_000
const LAST_MS = 30 * 60_000

/** When to look again at what has been matching since then: matching takes a minute or two days. */
export const nextPollMs = (since: Date, now: Date): number =>
  Math.min(LAST_MS, Math.max(FIRST_MS, (now.getTime() - since.getTime()) / 10))
