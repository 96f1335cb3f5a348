import { quotaExceeded } from './errors.ts'

const WINDOW_MS = 100_000
const DAY_MS = 86_400_000
const MOST_AT_ONCE = 10
const USUAL = { per_user: 100, per_view: 10_000 }

/** Requests of a login in 100 seconds, about a view in a day, and about a view at once. */
export function createQuota() {
  let sizes = { ...USUAL }
  const users = new Map<string, number[]>()
  const views = new Map<string, { day: number; count: number }>()
  const running = new Map<string, number>()
  return {
    /** Refuses what is beyond the limit; refused requests count, too. */
    count({ user, view, now }: { user: string; view: string | null; now: number }) {
      const recent = (users.get(user) ?? []).filter(at => at > now - WINDOW_MS)
      users.set(user, [...recent, now])
      if (recent.length >= sizes.per_user) throw quotaExceeded('USER-100s')
      if (view === null) return
      const day = Math.floor(now / DAY_MS)
      const ofView = views.get(view)
      const count = ofView?.day === day ? ofView.count : 0
      views.set(view, { day, count: count + 1 })
      if (count >= sizes.per_view) throw quotaExceeded('Requests per day per view')
    },
    /** Admits a request, and returns a function that releases it; null when too many are under way. */
    enter(view: string | null): (() => void) | null {
      const name = view ?? ''
      const inside = running.get(name) ?? 0
      if (view !== null && inside >= MOST_AT_ONCE) return null
      running.set(name, inside + 1)
      return () => void running.set(name, (running.get(name) ?? 1) - 1)
    },
    sizes: () => ({ ...sizes }),
    resize(values: typeof USUAL) {
      sizes = { ...values }
    },
    reset() {
      sizes = { ...USUAL }
      users.clear()
      views.clear()
    },
  }
}
