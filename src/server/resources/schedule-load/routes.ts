import { isInternal } from '#shared/access.ts'
import { isTimeZone } from '#shared/zone-names.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { levelsOf, loadOf } from './rules.ts'
import { countDue } from './queries.ts'
import { LoadQuery, ScheduleLoad } from '#shared/api/schedule-load.ts'

const read = route('GET', '/api/schedule/load/', {
  summary: 'Get how many reports start in each quarter hour of a day; clients get levels only.',
  // Counts the reports of all people; clients get levels.
  rows: 'every',
  level: 'external_user',
  query: LoadQuery,
  reply: ScheduleLoad,
  async run({ query, user, db }) {
    if (!isTimeZone(query.timezone)) throw refuse('invalid', { fields: { timezone: ['field_invalid'] } })
    const { update_day_of_week = null, update_day_of_month = null } = query
    const counts = loadOf(await countDue(db), { ...query, update_day_of_week, update_day_of_month })
    const levels = levelsOf(counts)
    const isCounted = isInternal(user)
    return {
      quarters: counts.map((reports, quarter) => ({
        reports: isCounted ? reports : null,
        level: levels[quarter] ?? 0,
      })),
    }
  },
})

export const scheduleLoadRoutes = [read]
