import type { QuotaGate, QuotaScope } from './connector.ts'

/** One request, sent when every quota that it counts for has room. What its answer says of them is told by `after`. */
export async function paced<Reply>(
  quota: QuotaGate,
  scopes: readonly QuotaScope[],
  request: () => Promise<Reply>,
): Promise<Reply> {
  const under_way: QuotaScope[] = []
  try {
    for (const scope of scopes) {
      await quota.before(scope)
      under_way.push(scope)
    }
    return await request()
  } finally {
    for (const scope of under_way) await quota.done?.(scope)
  }
}
