import { Spend, SpendQuery, type SpendSeries } from '#shared/api/spend.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { accountsWithSpend, sumSpend, type SpendAccountRow, type SpendSum } from './queries.ts'
import { completeDays, spendMetrics } from './rules.ts'

const read = route('GET', '/api/ad/metrics/', {
  summary: 'Get cost, impressions, clicks and conversions of ad accounts by day, for charts.',
  level: 'external_user',
  query: SpendQuery,
  reply: Spend,
  async run({ query, user, db, effects: { settings } }) {
    const accounts = await accountsWithSpend(db, user, query.accounts)
    // An account that the person may not use is treated like one that does not exist.
    if (query.accounts && accounts.length < query.accounts.length) throw refuse('not_found')
    const ids = accounts.map(({ id }) => id)
    const days = daysOf(query)
    const refreshed = accounts.flatMap(({ refreshed_at }) => refreshed_at ?? [])
    return {
      days,
      series: seriesOf(accounts, await sumSpend(db, ids, query), { days, group: query.group }),
      accounts: accounts.length,
      waiting: accounts.filter(({ refreshed_at, code }) => refreshed_at === null && code === null).length,
      failing: accounts.filter(({ code }) => code !== null).length,
      complete: completeDays(accounts),
      home_currency: settings.currency,
      as_of: refreshed.toSorted((a, b) => a.getTime() - b.getTime())[0]?.toISOString() ?? null,
    }
  },
})

/** One series for each group and currency of which any day is known. */
function seriesOf(
  accounts: readonly SpendAccountRow[],
  sums: readonly SpendSum[],
  { days, group }: { days: readonly string[]; group: SpendQuery['group'] },
): SpendSeries[] {
  const keyOf = (of: { currency: string; channel: string | null; account: number | null }) =>
    JSON.stringify([of.currency, of.channel, of.account])
  const sumAt = new Map(sums.map(sum => [`${keyOf(sum)} ${sum.day}`, sum]))
  const groups = Map.groupBy(accounts, account => keyOf(groupOf(account, group)))
  return [...groups].flatMap(([key, members]) => {
    const [first] = members
    if (!first) return []
    // A day without a row is 0 where it was fetched.
    const isKnown = days.map(day => members.some(member => knows(member, day)))
    const column = (metric: (typeof spendMetrics)[number]) =>
      days.map((day, at) => sumAt.get(`${key} ${day}`)?.[metric] ?? (isKnown[at] ? 0 : null))
    const [cost, impressions, clicks, conversions] = spendMetrics.map(column)
    if (!isKnown.includes(true) || !cost || !impressions || !clicks || !conversions) return []
    const account_name = group === 'account' ? first.name : null
    return [
      {
        ...groupOf(first, group),
        account_name,
        accounts: members.length,
        cost,
        impressions,
        clicks,
        conversions,
      },
    ]
  })
}

const groupOf = ({ id, currency, channel }: SpendAccountRow, group: SpendQuery['group']) => ({
  currency,
  channel: group === 'total' ? null : channel,
  account: group === 'account' ? id : null,
})

const knows = ({ known_from, known_to }: SpendAccountRow, day: string) =>
  known_from !== null && known_to !== null && known_from <= day && day <= known_to

function daysOf({ start, end }: SpendQuery): string[] {
  const first = Temporal.PlainDate.from(start)
  const count = first.until(end).days + 1
  return Array.from({ length: count }, (_, days) => first.add({ days }).toString())
}

export const spendRoutes = [read]
