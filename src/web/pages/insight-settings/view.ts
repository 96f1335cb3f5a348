import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { insightSearch, type InsightSearch, type Tab } from './search.ts'

/** What the page shows, all of it in the URL. A change goes back to the first page unless it opens a row. */
export function useInsightView() {
  const view = useSearch({ from: '/shell/insight-setting' })
  const navigate = useNavigate({ from: '/insight-setting' })
  const change = (changed: Change<InsightSearch>) =>
    void navigate({
      search: current => insightSearch({ ...current, ...(!opensRow(changed) && { page: 1 }), ...changed }),
      replace: 'search' in changed,
      resetScroll: false,
    })
  return { view, change }
}

const opensRow = (changed: Change<InsightSearch>) => 'metric' in changed || 'conversion' in changed

export const tabOf = ({ tab }: InsightSearch): Tab => tab ?? 'metrics'

/** Leaves everything but the tab. */
export const NO_FILTERS = { search: '', advertiser: undefined, is_active: undefined } as const

export const isFiltered = ({ search, advertiser, is_active: active }: InsightSearch) =>
  search !== '' || advertiser !== undefined || active !== undefined
