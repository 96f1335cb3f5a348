import { isId, textOf, type Change, type Raw } from '#web/client/search.ts'

/**
 * The URL parameters of the overview; left out: its usual state. Texts are checked by the parts that read
 * them, which load later.
 */
export interface OverviewSearch {
  /** The page of all reports that need attention, from 1; left out: the first few. */
  attention?: number
  /** The days whose spend is shown. */
  period?: string
  currency?: string
  /** director and superuser: `teams` or `clients` instead of their own reports. */
  view?: string
}

export const overviewSearch = ({ attention, period, currency, view }: Raw): OverviewSearch => ({
  ...(isId(attention) && { attention }),
  ...(textOf(period) && { period: textOf(period) }),
  ...(textOf(currency) && { currency: textOf(currency) }),
  ...(textOf(view) && { view: textOf(view) }),
})

export const withChange = (search: OverviewSearch, change: Change<OverviewSearch>): OverviewSearch =>
  overviewSearch({ ...search, ...change })
