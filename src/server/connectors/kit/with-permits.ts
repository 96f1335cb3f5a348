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
  const underWay: QuotaKey[] = []
  try {
    for (const key of keys) {
      await limiter.acquire(key)
      underWay.push(key)
    }
    return await request()
  } finally {
    for (const key of underWay) await limiter.release?.(key)
  }
}
