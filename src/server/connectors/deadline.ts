import { PlatformFailure, type Jobs, type ConnectorContext } from './connector.ts'

/** What can be reached of the platforms outside a run. */
type PlatformAccess = Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'limiter'>

/**
 * Work for a person who is waiting: it ends at its deadline (platform_timeout), however long the platform or
 * its quota would take.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  context: PlatformAccess & { jobs: Jobs; stopping?: AbortSignal } & Partial<
      Pick<ConnectorContext, 'now' | 'sleep'>
    >,
  work: (context: ConnectorContext) => Promise<T>,
): Promise<T> {
  const { stopping, ...at_hand } = context
  const time = AbortSignal.timeout(timeoutMs)
  const signal = stopping ? AbortSignal.any([time, stopping]) : time
  const over = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => over.reject(new PlatformFailure('platform_timeout')), { once: true })
  const result = work({
    now: () => new Date(),
    sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
    ...at_hand,
    signal,
    note: () => undefined,
  })
  // A failure after the deadline is ignored.
  result.catch(() => undefined)
  return await Promise.race([result, over.promise])
}
