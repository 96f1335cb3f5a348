import type { Jobs } from './connector.ts'

/** Jobs remembered by this process alone, for requests that are no part of a run. */
export const jobsInMemory = (known = new Map<string, string>()): Jobs => ({
  find: async key => known.get(key) ?? null,
  async startOnce(key, begin) {
    const job = known.get(key) ?? (await begin())
    known.set(key, job)
    return job
  },
  forget: async key => void known.delete(key),
})
