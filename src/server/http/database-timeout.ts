import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from './refusal.ts'

const CHECK_MS = 2500

/**
 * The response, or `overloaded` as soon as it is late and the database does not respond either: nobody should
 * wait for longer than five seconds for that.
 */
export async function withDatabaseTimeout<T>(
  response: Promise<T>,
  isReachable: () => Promise<boolean>,
): Promise<T> {
  const settled = response.then(
    () => true,
    () => true,
  )
  for (;;) {
    const waiting = new AbortController()
    const check = async () => {
      await sleep(CHECK_MS, undefined, { signal: waiting.signal, ref: false })
      return await isReachable()
    }
    const mayWait = await Promise.race([settled, check().catch(() => true)])
    waiting.abort()
    if (!mayWait) throw refuse('overloaded')
    if (await isSettled(settled)) return await response
  }
}

const isSettled = (settled: Promise<boolean>) => Promise.race([settled, Promise.resolve(false)])
