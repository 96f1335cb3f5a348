/** How many requests are under way about each thing. */
export interface Running {
  /** Admits a request, and returns a function that releases it; null when this many are under way. */
  enter(name: string, most: number): (() => void) | null
  count(name: string): number
}

export function createRunning(): Running {
  const running = new Map<string, number>()
  const count = (name: string) => running.get(name) ?? 0
  return {
    count,
    enter(name, most) {
      if (count(name) >= most) return null
      running.set(name, count(name) + 1)
      return () => void running.set(name, count(name) - 1)
    },
  }
}
