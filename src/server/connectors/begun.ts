import type { Jobs } from './connector.ts'

/** Whether this run has begun a job under a key, without beginning one. */
export async function isBegun(jobs: Jobs, key: string): Promise<boolean> {
  const none = new Error('no job')
  try {
    await jobs.begun(key, () => Promise.reject(none))
    return true
  } catch (error) {
    if (error === none) return false
    throw error
  }
}
