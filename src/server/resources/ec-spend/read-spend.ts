import type { EcSpendQuery, EcSpendRow } from '#shared/api/ec-spend.ts'
import { todayIn } from '#shared/date-range.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import { baseCurrency, readRates } from '#server/resources/insight-settings/rate-queries.ts'
import { accountsByMonth, costGroups, zonesOfAccounts, type AccountScope } from './account-queries.ts'
import { splitByAccount } from './account-rows.ts'
import { liveStatements, type CostGroup, type LiveStatement } from './live.ts'
import { lockedAccounts, lockedRows, type RowFilter } from './locked-queries.ts'
import { firstMonthFetched, runningMonths } from './months.ts'
import { readAgreements } from '#server/resources/advertisers/fee-agreement-queries.ts'
import { adjustmentGroups, readCustomers } from './queries.ts'
import { ratesOf, type MonthRates } from '#server/resources/insight-settings/rates.ts'
import { byAdvertiser, inBaseCurrency, rowsOf, rowsOfNobody } from './rows.ts'

/** When, and in which zone the agency is. */
export interface Moment {
  now: Date
  time_zone: string
}

/** Locked and open months, customers and costs as of one moment, or a month could be in neither. */
export const asOfOneMoment = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inTransaction(db, work, { isolation: 'repeatable read' })

/** Which accounts take part in some months as things stand. */
export async function scopeOf(
  db: Db,
  { now }: Moment,
  scope: Pick<AccountScope, 'months' | 'advertiser' | 'waived'>,
): Promise<AccountScope> {
  const running = runningMonths(await zonesOfAccounts(db), now)
  return { ...scope, running, first_month: firstMonthFetched(now) }
}

export interface Live {
  groups: CostGroup[]
  statements: LiveStatement[]
  rates: ReadonlyMap<string, MonthRates>
}

/** The statements of months as they would be now, and the costs that they come from. */
export async function readLive(
  db: Db,
  moment: Moment,
  filter: Pick<AccountScope, 'months' | 'advertiser' | 'waived'> & { industry?: number | undefined },
): Promise<Live> {
  const { months, advertiser } = filter
  const [from = '', to = ''] = [months[0], months.at(-1)]
  if (months.length === 0) return { groups: [], statements: [], rates: new Map() }
  const groups = await costGroups(db, await scopeOf(db, moment, filter))
  const rates = await monthRates(db, moment, months)
  const statements = liveStatements({
    months,
    groups,
    adjustments: await adjustmentGroups(db, { months, advertiser }),
    agreements: await readAgreements(db, { from, to }),
    customers: await readCustomers(db, filter),
    rates,
  })
  return { groups, statements, rates }
}

export async function monthRates(
  db: Db,
  { now, time_zone }: Moment,
  months: readonly string[],
): Promise<ReadonlyMap<string, MonthRates>> {
  const base = await baseCurrency(db)
  const rows = await readRates(db, months.at(-1) ?? '')
  const today = todayIn(time_zone, now)
  return new Map(months.map(month => [month, ratesOf(rows, { month, today, base })]))
}

/** The rows of months of which some are locked, in the order of months, names and channels. */
export async function readRows(
  db: Db,
  moment: Moment,
  {
    months,
    locked,
    ...query
  }: Omit<EcSpendQuery, 'from' | 'to'> & { months: string[]; locked: readonly string[] },
): Promise<EcSpendRow[]> {
  const { group } = query
  const open = months.filter(month => !locked.includes(month))
  const of = { ...query, locked, open }
  const rows =
    group === 'account' ? await accountRows(db, moment, of) : await sumRows(db, moment, { ...of, group })
  if (!query.convert) return rows
  const base = await baseCurrency(db)
  const rates = await monthRates(db, moment, months)
  return rows.map(row => {
    const ofMonth = rates.get(row.month)
    return ofMonth ? inBaseCurrency(row, ofMonth, base) : row
  })
}

export interface RowsRequest extends RowFilter {
  locked: readonly string[]
  open: readonly string[]
}

async function sumRows(
  db: Db,
  moment: Moment,
  { open, locked, group, ...filter }: RowsRequest & { group: 'channel' | 'advertiser' },
): Promise<EcSpendRow[]> {
  const live = await readLive(db, moment, { ...filter, months: open })
  const ofLocked = Map.groupBy(
    await lockedRows(db, { ...filter, months: locked, group }),
    ({ month }) => month,
  )
  const ofOpen = Map.groupBy(liveRows(live, filter), ({ month }) => month)
  return [...ofLocked.keys(), ...ofOpen.keys()].toSorted().flatMap(month => {
    const rows = ofOpen.get(month)
    if (!rows) return ofLocked.get(month) ?? []
    return group === 'advertiser' ? byAdvertiser(rows) : rows
  })
}

async function accountRows(db: Db, moment: Moment, request: RowsRequest): Promise<EcSpendRow[]> {
  const { open, locked, advertiser } = request
  const rows = await sumRows(db, moment, { ...request, group: 'channel' })
  const live = await accountsByMonth(db, await scopeOf(db, moment, { months: open, advertiser }))
  return splitByAccount(rows, [...(await lockedAccounts(db, { months: locked, advertiser })), ...live])
}

/** Fee and tax of a channel depend on the others, so they are left out only now. */
function liveRows({ statements, groups }: Live, { advertiser, industry, channel }: RowFilter): EcSpendRow[] {
  const isOfNobody = advertiser === undefined && industry === undefined
  const rows = [...statements.flatMap(rowsOf), ...(isOfNobody ? rowsOfNobody(groups) : [])]
  return channel === undefined ? rows : rows.filter(row => row.channel === channel)
}
