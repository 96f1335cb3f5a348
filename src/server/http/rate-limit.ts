export interface RateLimit {
  /**
   * Takes this many tokens; when there are not enough it takes none and returns the seconds until there are.
   */
  take(person: number, amount: number): number | null
  refund(person: number, amount: number): void
}

export interface RateLimitOptions {
  per_minute: number
  /** Tokens of a full bucket. */
  burst: number
  /** Milliseconds of a clock that never goes back. */
  now: () => number
}

interface Bucket {
  amount: number
  at: number
}

/**
 * A token bucket for each person. A request for more than a bucket holds is granted when the bucket is full.
 */
export function createRateLimit({ per_minute, burst, now }: RateLimitOptions): RateLimit {
  const people = new Map<number, Bucket>()
  const perMs = per_minute / 60_000
  const bucketOf = (person: number) => {
    const at = now()
    const known = people.get(person)
    return { at, amount: known ? Math.min(burst, known.amount + (at - known.at) * perMs) : burst }
  }
  /**
   * Insertion order is the order of use: the first bucket is the least recently used one, which is full
   * again, or nearly.
   */
  const store = (person: number, bucket: Bucket) => {
    people.delete(person)
    people.set(person, bucket)
    if (people.size > MOST_PEOPLE) people.delete(people.keys().next().value ?? person)
  }
  return {
    take(person, amount) {
      const bucket = bucketOf(person)
      const needed = Math.min(amount, burst)
      if (bucket.amount < needed) return (needed - bucket.amount) / perMs / 1000
      store(person, { ...bucket, amount: bucket.amount - needed })
      return null
    },
    refund(person, amount) {
      const bucket = bucketOf(person)
      store(person, { ...bucket, amount: Math.min(burst, bucket.amount + Math.min(amount, burst)) })
    },
  }
}

/** About a megabyte. */
const MOST_PEOPLE = 10_000
