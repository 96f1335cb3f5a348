import { calculatedIds, type Meanings } from '#shared/block-catalogue.ts'
import { comparedRange } from '#shared/comparison.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { Db } from '#server/db/connect.ts'
import { readAgreements } from '#server/resources/advertisers/fee-agreement-queries.ts'
import type { MoneyFacts } from '#server/table/plan-money.ts'
import type { AccountFacts, TableFields } from '#server/table/plan.ts'
import { billingCurrencies, readMeanings } from './meaning-queries.ts'
import { baseCurrency, readRates } from './rate-queries.ts'
import { ratesOf } from './rates.ts'

type ReportFields = Pick<TableFields, 'channels' | 'blends' | 'currency' | 'comparison'>

interface ReportFacts {
  accounts: readonly AccountFacts[]
  /** null: nothing is chosen, or all of it is still to come. */
  range: DayRange | null
  today: string
}

/** What a report's numbers mean today: as far as its blocks name it, or their accounts' advertisers do. */
export async function meaningsOf(
  db: Db,
  { channels }: Pick<TableFields, 'channels'>,
  accounts: readonly AccountFacts[],
): Promise<Meanings> {
  return await readMeanings(db, {
    advertisers: advertisersOf(accounts),
    metrics: calculatedIds(channels.flatMap(({ metrics }) => metrics)),
    conversions: channels.flatMap(({ conversion }) => conversion ?? []),
  })
}

/** The rates and fees that a report's money is multiplied by; nothing is read where it is not. */
export async function moneyOf(
  db: Db,
  report: ReportFields,
  { meanings, accounts, range, today }: ReportFacts & { meanings: Meanings },
): Promise<MoneyFacts> {
  const last = range?.end.slice(0, 7) ?? today.slice(0, 7)
  const rates = (report.currency ?? null) === null ? [] : await readRates(db, last)
  const base = rates.length > 0 ? await baseCurrency(db) : (report.currency ?? '')
  const fees = await feesOf(db, report, { meanings, accounts, range, today })
  return { ratesOf: month => ratesOf(rates, { month, today, base }), feesOf: fees }
}

async function feesOf(
  db: Db,
  report: ReportFields,
  { meanings, accounts, range, today }: ReportFacts & { meanings: Meanings },
): Promise<MoneyFacts['feesOf']> {
  const nothing = { billing_currency: null, agreements: [] }
  if (!namesClientCost(report, meanings)) return () => nothing
  const advertisers = advertisersOf(accounts)
  const days = range ?? { start: today, end: today }
  const from = report.comparison ? comparedRange(days, report.comparison).start : days.start
  const agreements = Map.groupBy(
    await readAgreements(db, { from: from.slice(0, 7), to: days.end.slice(0, 7), advertisers }),
    ({ advertiser }) => advertiser,
  )
  const currencies = await billingCurrencies(db, advertisers)
  return advertiser =>
    advertiser === null
      ? nothing
      : {
          billing_currency: currencies.get(advertiser) ?? null,
          agreements: agreements.get(advertiser) ?? [],
        }
}

/** Whether any column of a report may be worked out of the cost with the service fee. */
const namesClientCost = ({ channels, blends = [] }: ReportFields, { metrics }: Meanings): boolean =>
  [
    ...channels.flatMap(block => block.metrics),
    ...blends.map(({ formula }) => formula),
    ...metrics.map(({ formula }) => formula),
  ].some(text => text.includes('client_cost'))

const advertisersOf = (accounts: readonly AccountFacts[]): number[] => [
  ...new Set(accounts.flatMap(({ advertiser }) => advertiser ?? [])),
]
