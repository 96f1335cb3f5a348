import type { Limiter, QuotaKey } from '#server/connectors/connector.ts'

/**
 * Sends one request once every quota that it counts for permits it. What its response says of them is passed
 * on by `report`.
 */
export async function withPermits<HttpResponse>(
  limiter: Limiter,
  keys: readonly QuotaKey[],
  request: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const under_way: QuotaKey[] = []
  try {
    for (const key of keys) {
      await limiter.acquire(key)
      under_way.push(key)
    }
    return await request()
  } finally {
    for (const key of under_way) await limiter.release?.(key)
  }
}
