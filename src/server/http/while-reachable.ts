import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from './refusal.ts'

const LOOK_MS = 2500

/** The answer; a refusal as soon as it is late and the database does not answer either, since nobody should wait for longer than five seconds for that. */
export async function whileReachable<T>(answer: Promise<T>, isReachable: () => Promise<boolean>): Promise<T> {
  const answered = answer.then(
    () => true,
    () => true,
  )
  for (;;) {
    const waiting = new AbortController()
    const look = async () => {
      await sleep(LOOK_MS, undefined, { signal: waiting.signal, ref: false })
      return await isReachable()
    }
    const mayWait = await Promise.race([answered, look().catch(() => true)])
    waiting.abort()
    if (!mayWait) throw refuse('overloaded')
    if (await isSettled(answered)) return await answer
  }
}

const isSettled = (answered: Promise<boolean>) => Promise.race([answered, Promise.resolve(false)])
