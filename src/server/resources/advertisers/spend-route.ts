import { AdvertiserSpend } from '#shared/api/advertisers.ts'
import { IdPath } from '#shared/api/list.ts'
import { todayIn } from '#shared/date-range.ts'
import { route } from '#server/http/route.ts'
import { sumSpendMonths, type SpendOfMonth } from './figure-queries.ts'
import { visibleAdvertiser } from './visible.ts'

/** This month, and the twelve before it for the same month a year ago. */
const MONTHS = 13

export const spendRoute = route('GET', '/api/advertiser/:id/spend/', {
  summary:
    'Get what the ad accounts of an advertiser have cost in the last 13 months, by channel and currency.',
  level: 'staff',
  params: IdPath,
  reply: AdvertiserSpend,
  async run({ params: { id }, user, db, now, effects: { settings } }) {
    await visibleAdvertiser(db, user, id)
    const months = monthsTo(todayIn(settings.time_zone, now).slice(0, 7))
    const rows = await sumSpendMonths(db, id, `${months[0]}-01`)
    return { months, series: seriesOf(rows, months), as_of: oldestOf(rows)?.toISOString() ?? null }
  },
})

function monthsTo(last: string): string[] {
  const month = Temporal.PlainYearMonth.from(last)
  return Array.from({ length: MONTHS }, (_, at) => month.subtract({ months: MONTHS - 1 - at }).toString())
}

function seriesOf(rows: readonly SpendOfMonth[], months: readonly string[]): AdvertiserSpend['series'] {
  const groups = Map.groupBy(rows, ({ channel, currency }) => `${channel} ${currency}`)
  return [...groups.values()].flatMap(of => {
    const [first] = of
    if (!first) return []
    const at = new Map(of.map(row => [row.month.slice(0, 7), row]))
    return [
      {
        channel: first.channel,
        currency: first.currency,
        cost: months.map(month => costOf(at.get(month))),
        known: months.map(month => knownOf(at.get(month))),
      },
    ]
  })
}

const costOf = (row: SpendOfMonth | undefined) => (row?.cost == null ? null : Number(row.cost))

function knownOf(row: SpendOfMonth | undefined): 'full' | 'partial' | 'none' {
  if (row?.cost == null) return 'none'
  return row.full === row.accounts ? 'full' : 'partial'
}

/** How old the oldest of the newest figures is. */
function oldestOf(rows: readonly SpendOfMonth[]): Date | undefined {
  const last = Map.groupBy(rows, ({ channel, currency }) => `${channel} ${currency}`)
  const newest = [...last.values()].flatMap(of => of.at(-1)?.as_of ?? [])
  return newest.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
