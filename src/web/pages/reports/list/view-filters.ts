import type { ReportView, ViewFilters } from '#shared/api/report-views.ts'
import { reportListSearch, type ReportListSearch } from '#web/pages/reports/search.ts'

/** What the list shows, as a view stores it. */
export function filtersIn({ p, ...view }: ReportListSearch): ViewFilters {
  const { search, ordering, status, channel, gap, scope, favourite } = view
  return {
    ...(p > 0 && { folder: p }),
    ...(search !== '' && { search }),
    ...(isOrdering(ordering) && { ordering }),
    ...(status !== undefined && { status }),
    ...(channel && { channel }),
    ...(gap && { gap }),
    ...(scope && { scope }),
    ...(favourite && { favourite }),
  }
}

// The address has only orderings that the list knows.
const isOrdering = (ordering: string | undefined): ordering is NonNullable<ViewFilters['ordering']> =>
  ordering !== undefined

/** The list that a view stands for. */
export const searchOf = ({ id, filters: { folder = 0, ...filters } }: ReportView): ReportListSearch =>
  reportListSearch({ ...filters, p: folder, view: id })

/** Whether the list shows something else than the view has saved. */
export const isChanged = (view: ReportListSearch, saved: ReportView): boolean =>
  JSON.stringify(filtersIn(view)) !== JSON.stringify(filtersIn(searchOf(saved)))
