import { PlatformFailure, type Jobs, type World } from './connector.ts'

/** What can be reached of the platforms outside a run. */
type PlatformsAtHand = Pick<World, 'fetch' | 'hosts' | 'tokens' | 'quota'>

/** A question that somebody waits for: it ends with its time (platform_timeout), whatever the platform or its quota is busy with. */
export async function withPatience<T>(
  patience_ms: number,
  world: PlatformsAtHand & { jobs: Jobs; stopping?: AbortSignal } & Partial<Pick<World, 'now' | 'sleep'>>,
  ask: (world: World) => Promise<T>,
): Promise<T> {
  const { stopping, ...at_hand } = world
  const time = AbortSignal.timeout(patience_ms)
  const signal = stopping ? AbortSignal.any([time, stopping]) : time
  const over = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => over.reject(new PlatformFailure('platform_timeout')), { once: true })
  const asked = ask({
    now: () => new Date(),
    sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
    ...at_hand,
    signal,
    note: () => undefined,
  })
  // What it still says after its time nobody hears.
  asked.catch(() => undefined)
  return await Promise.race([asked, over.promise])
}
