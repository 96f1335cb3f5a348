import { isId, textOf, type Raw } from '#web/client/search.ts'

export const groups = ['advertiser', 'channel', 'account'] as const
export const measures = ['billed', 'fee', 'total'] as const
/** The channels that have a cost of their own. */
export const channels = ['fb', 'aw', 'yg', 'tt', 'ln'] as const

/** The URL parameters of spending by month. */
export interface EcSpendSearch {
  /** yyyy-MM; left out: the twelve months up to `to`. */
  from?: string
  /** Left out: the running month. */
  to?: string
  advertiser?: number
  industry?: number
  channel?: (typeof channels)[number]
  /** What a line of the table is; left out: an advertiser. */
  group?: (typeof groups)[number]
  /** Everything in the base currency. */
  convert?: true
  /** The one that is shown; left out: the first. */
  currency?: string
  /** Left out: the media. */
  measure?: (typeof measures)[number]
  /** The months that are compared. */
  a?: string
  b?: string
  /** The one that a phone shows. */
  month?: string
}

export const isMonth = (value: unknown): value is string =>
  typeof value === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(value)

export function ecSpendSearch(raw: Raw): EcSpendSearch {
  const { from, to, advertiser, industry, a, b, month } = raw
  const channel = channels.find(known => known === raw.channel)
  const group = groups.find(known => known === raw.group)
  const measure = measures.find(known => known === raw.measure)
  const currency = textOf(raw.currency)
  return {
    ...(isMonth(from) && { from }),
    ...(isMonth(to) && { to }),
    ...(isId(advertiser) && { advertiser }),
    ...(isId(industry) && { industry }),
    ...(channel && { channel }),
    ...(group && group !== 'advertiser' && { group }),
    ...(raw.convert === true && { convert: true }),
    ...(/^[A-Z]{3}$/.test(currency) && { currency }),
    ...(measure && measure !== 'billed' && { measure }),
    ...(isMonth(a) && isMonth(b) && { a, b }),
    ...(isMonth(month) && { month }),
  }
}

export const tabs = ['checks', 'statements', 'reconciliation', 'adjustments', 'drift'] as const
export type Tab = (typeof tabs)[number]

/** Left out: what is to be done next with the month. */
export interface EcMonthSearch {
  tab?: Tab
}

export function ecMonthSearch({ tab }: Raw): EcMonthSearch {
  const known = tabs.find(name => name === tab)
  return known ? { tab: known } : {}
}
