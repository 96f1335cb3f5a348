export interface Allowance {
  /** Takes so many; answers the seconds until they are there when they are not, and takes none then. */
  take(person: number, amount: number): number | null
  giveBack(person: number, amount: number): void
}

export interface AllowanceLimits {
  per_minute: number
  /** What somebody who has taken nothing for a while may take at once. */
  burst: number
  /** Milliseconds of a clock that never goes back. */
  now: () => number
}

interface Left {
  amount: number
  at: number
}

/** So much a minute for each person, and somewhat more at first (a token bucket). Whoever asks for more than fits at once gets it when all is there. */
export function openAllowance({ per_minute, burst, now }: AllowanceLimits): Allowance {
  const people = new Map<number, Left>()
  const perMs = per_minute / 60_000
  const leftOf = (person: number) => {
    const at = now()
    const known = people.get(person)
    return { at, amount: known ? Math.min(burst, known.amount + (at - known.at) * perMs) : burst }
  }
  /** Insertion order is the order of use, so that the first one is who has asked for nothing for longest: they have it all again, or nearly. */
  const keep = (person: number, left: Left) => {
    people.delete(person)
    people.set(person, left)
    if (people.size > MOST_PEOPLE) people.delete(people.keys().next().value ?? person)
  }
  return {
    take(person, amount) {
      const left = leftOf(person)
      const needed = Math.min(amount, burst)
      if (left.amount < needed) return (needed - left.amount) / perMs / 1000
      keep(person, { ...left, amount: left.amount - needed })
      return null
    },
    giveBack(person, amount) {
      const left = leftOf(person)
      keep(person, { ...left, amount: Math.min(burst, left.amount + Math.min(amount, burst)) })
    },
  }
}

/** About a megabyte. */
const MOST_PEOPLE = 10_000
