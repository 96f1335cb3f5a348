import { GroupsQuery, MOST_GROUPS, OverviewGroups, type OverviewGroup } from '#shared/api/overview-groups.ts'
import { isTimeZone } from '#shared/zone-names.ts'
import type { Db } from '#server/db/connect.ts'
import { route } from '#server/http/route.ts'
import { dayIn, FAILURES_MS } from './rules.ts'
import {
  advertiserNames,
  countGroups,
  spendOfGroups,
  type GroupCounts,
  type GroupSpend,
} from './groups-queries.ts'

const readGroups = route('GET', '/api/overview/groups/', {
  summary:
    'Get the counts of reports by team or by client: of one’s own department for managers, else of all.',
  level: 'manager',
  // Counts reports that the person does not see; what it says of them is their number.
  rows: 'every',
  kind: 'search',
  query: GroupsQuery,
  reply: OverviewGroups,
  async run({ query, user, db, now, effects: { settings } }) {
    const { by, timezone = settings.time_zone } = query
    const { day, ...today } = dayIn(isTimeZone(timezone) ? timezone : settings.time_zone, now)
    const since = new Date(now.getTime() - FAILURES_MS)
    const counts = await countGroups(db, { by, person: user, now, since, today })
    const yesterday = Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
    const spend = await spendOfGroups(db, { by, person: user, yesterday })
    const groups = await joined(db, { by, counts, spend, home: settings.currency })
    return {
      count: groups.length,
      groups: groups.slice(0, MOST_GROUPS),
      home_currency: settings.currency,
    }
  },
})

/** The counts with what was spent, the group that needs most attention first. */
async function joined(
  db: Db,
  facts: { by: 'team' | 'client'; counts: GroupCounts[]; spend: GroupSpend[]; home: string },
): Promise<OverviewGroup[]> {
  const { by, counts, spend, home } = facts
  const ids = [...new Set([...counts, ...spend].map(({ id }) => id))]
  const known = ids.filter(id => id !== null)
  const names = by === 'client' ? await advertiserNames(db, known) : new Map<number, string>()
  const first = (currency: string) => (currency === home ? 0 : 1)
  const countsOf = new Map(counts.map(({ id, ...numbers }) => [id, numbers]))
  const spendOf = Map.groupBy(
    spend.filter(({ cost }) => cost > 0),
    ({ id }) => id,
  )
  return ids
    .map(id => {
      return {
        id,
        name: id === null ? null : (names.get(id) ?? null),
        ...(countsOf.get(id) ?? nothing),
        spend: (spendOf.get(id) ?? [])
          .map(({ currency, cost }) => ({ currency, cost }))
          .toSorted((a, b) => first(a.currency) - first(b.currency) || b.cost - a.cost),
      }
    })
    .toSorted((a, b) => b.attention - a.attention || b.failed - a.failed || b.reports - a.reports)
}

const nothing = { reports: 0, ran_today: 0, failed: 0, ending: 0, attention: 0 }

export const overviewGroupRoutes = [readGroups]
