import { checkCodes, type Check } from '#shared/api/ec-spend.ts'
import { sizeOf } from '#shared/billing/step.ts'
import { plusMonths } from '#shared/month.ts'
import type { AccountMonth } from './account-queries.ts'
import type { LiveStatement } from './live.ts'
import { monthsBetween } from './months.ts'
import type { MonthRates } from '#server/resources/insight-settings/rates.ts'

export interface ChecksInput {
  month: string
  /** When it is over in the zone of every account; null: it is. */
  end: Date | null
  /** In their order. */
  locked: readonly string[]
  /** The first month of which anything is known; null: none. */
  first_active: string | null
  /** Billing begins with this month. */
  is_first: boolean
  accounts: readonly AccountMonth[]
  /** Of nobody, too: their names by id. */
  names: ReadonlyMap<number, string>
  waived: ReadonlySet<number>
  statements: readonly LiveStatement[]
  rates: MonthRates
}

/** What keeps a month from being locked, and what somebody should look at. */
export function checksOf(input: ChecksInput): Check[] {
  const { month, end } = input
  const checks = [
    ...(end ? [checkOf('month_not_over', month, { until: end.toISOString() })] : []),
    ...orderChecks(input),
    ...input.accounts.flatMap(account => accountChecks(account, input)),
    ...rateChecks(input),
    ...input.statements.flatMap(statement => agreementChecks(statement)),
  ]
  return checks.toSorted((one, other) => checkCodes.indexOf(one.code) - checkCodes.indexOf(other.code))
}

const warnings: readonly Check['code'][] = ['no_agreement', 'invoice_differs']

export const checkOf = (code: Check['code'], month: string, about: Partial<Check> = {}): Check => ({
  code,
  is_blocker: !warnings.includes(code),
  can_waive: false,
  month,
  ad_account: null,
  account_name: null,
  advertiser: null,
  advertiser_name: null,
  channel: null,
  currency: null,
  billing_currency: null,
  until: null,
  ...about,
})

/** Months are locked one after another; an agency begins where it likes. */
function orderChecks({ month, locked, first_active, is_first }: ChecksInput): Check[] {
  const [first, last] = [locked[0], locked.at(-1)]
  if (first !== undefined && last !== undefined) {
    if (month < first) return [checkOf('later_month_locked', first)]
    return monthsBetween(plusMonths(last, 1), plusMonths(month, -1)).map(each =>
      checkOf('earlier_month_open', each),
    )
  }
  if (is_first || first_active === null) return []
  return monthsBetween(first_active, plusMonths(month, -1)).map(each =>
    checkOf('earlier_month_open', each, { can_waive: true }),
  )
}

function accountChecks(account: AccountMonth, { month, names, waived }: ChecksInput): Check[] {
  const { ad_account, account_name, advertiser, channel, currency, reported, invoice, invoice_note } = account
  const of = {
    ad_account,
    account_name,
    advertiser,
    advertiser_name: advertiser === null ? null : (names.get(advertiser) ?? null),
    channel,
    currency,
  }
  const counted = invoice ?? reported
  if (counted === null) return [checkOf('days_unknown', month, { ...of, can_waive: true })]
  const isOfNobody = advertiser === null && counted !== '0' && !waived.has(ad_account)
  return [
    ...(isOfNobody ? [checkOf('spend_of_nobody', month, { ...of, can_waive: true })] : []),
    ...(differs(reported, invoice) && invoice_note === '' ? [checkOf('invoice_differs', month, of)] : []),
  ]
}

/** Whether an invoice is more than half a percent off what is reported. */
export function differs(reported: string | null, invoice: string | null): boolean {
  if (reported === null || invoice === null) return false
  return sizeOf(BigInt(invoice) - BigInt(reported)) * 200n > sizeOf(BigInt(reported))
}

/** Each pair of currencies once. */
function rateChecks({ month, statements, rates: { provisional } }: ChecksInput): Check[] {
  const pairs = new Map(
    statements.flatMap(statement =>
      statement.lines
        .filter(({ currency }) => currency !== statement.currency)
        .map(({ currency, rate }) => {
          const isFinal = !provisional.has(currency) && !provisional.has(statement.currency)
          const about = { currency, billing_currency: statement.currency }
          return [`${currency} ${statement.currency}`, { about, rate, isFinal }] as const
        }),
    ),
  )
  return [...pairs.values()].flatMap(({ about, rate, isFinal }) => {
    if (rate === null) return [checkOf('rate_missing', month, about)]
    return isFinal ? [] : [checkOf('rate_provisional', month, about)]
  })
}

const agreementChecks = ({ month, customer, currency, warnings: own }: LiveStatement): Check[] =>
  own.map(({ channel }) =>
    checkOf('no_agreement', month, {
      advertiser: customer.id,
      advertiser_name: customer.name,
      channel,
      billing_currency: currency,
    }),
  )
