/**
 * A cache of recent results, for one person and as long as they are fresh; the oldest is evicted when it is
 * full.
 */
export interface Recent<Value> {
  find(scope: number, key: string, now: Date): { value: Value; at: Date } | null
  keep(scope: number, key: string, entry: { value: Value; bytes: number; now: Date }): void
}

export interface RecentLimits {
  fresh_ms: number
  /** Of all people together; one scope has at most a quarter of it. */
  bytes: number
}

interface Entry<Value> {
  scope: number
  value: Value
  bytes: number
  at: Date
}

export function openRecent<Value>({ fresh_ms, bytes: most }: RecentLimits): Recent<Value> {
  const entries = new Map<string, Entry<Value>>()
  const nameOf = (scope: number, key: string) => `${scope} ${key}`
  const sizeOf = (scope: number | null) =>
    entries
      .values()
      .filter(entry => scope === null || entry.scope === scope)
      .reduce((sum, { bytes }) => sum + bytes, 0)
  /** Insertion order is age: what is stored again is inserted anew. */
  const dropUntil = (has_room: () => boolean, scope: number | null) => {
    for (const [name, entry] of entries) {
      if (has_room()) return
      if (scope === null || entry.scope === scope) entries.delete(name)
    }
  }
  return {
    find(scope, key, now) {
      const entry = entries.get(nameOf(scope, key))
      if (!entry || now.getTime() - entry.at.getTime() > fresh_ms) return null
      return { value: entry.value, at: entry.at }
    },
    keep(scope, key, { value, bytes, now }) {
      for (const [name, { at }] of entries) if (now.getTime() - at.getTime() > fresh_ms) entries.delete(name)
      entries.delete(nameOf(scope, key))
      const own = most / 4
      if (bytes > own) return
      dropUntil(() => sizeOf(scope) + bytes <= own, scope)
      dropUntil(() => sizeOf(null) + bytes <= most, null)
      entries.set(nameOf(scope, key), { scope, value, bytes, at: now })
    },
  }
}
