import { useNavigate, useSearch } from '@tanstack/react-router'
import { MAX_EC_MONTHS } from '#shared/api/ec-spend.ts'
import type { Change } from '#web/client/search.ts'
import { useToday } from '#web/pages/today.ts'
import { monthsBetween, monthsLater } from '#web/ui/month.ts'
import { ecSpendSearch, type EcSpendSearch } from './search.ts'

const USUAL_MONTHS = 12

/** In the organisation's zone. */
export const useRunningMonth = (): string => useToday().slice(0, 7)

/** With what the URL leaves out. */
export interface View extends EcSpendSearch {
  from: string
  to: string
  months: readonly string[]
  group: NonNullable<EcSpendSearch['group']>
  measure: NonNullable<EcSpendSearch['measure']>
}

/** What the page shows, all of it in the URL. */
export function useView() {
  const search = useSearch({ from: '/shell/ec-spend/' })
  const running = useRunningMonth()
  const navigate = useNavigate({ from: '/ec-spend' })
  const change = (changed: Change<EcSpendSearch>) =>
    void navigate({
      search: current => ecSpendSearch({ ...current, ...changed }),
      replace: true,
      resetScroll: false,
    })
  return { view: viewOf(search, running), change }
}

function viewOf(search: EcSpendSearch, running: string): View {
  const { from, to } = rangeOf({ ...search, to: search.to ?? running })
  const { group = 'advertiser', measure = 'billed' } = search
  return { ...search, from, to, months: monthsBetween(from, to), group, measure }
}

/** At most 36 months, whatever the URL says. */
function rangeOf({ from, to }: EcSpendSearch & { to: string }) {
  const least = monthsLater(to, 1 - MAX_EC_MONTHS)
  const requested = from ?? monthsLater(to, 1 - USUAL_MONTHS)
  return { from: requested > to ? to : requested < least ? least : requested, to }
}

export const isFiltered = ({ advertiser, industry, channel }: View) =>
  advertiser !== undefined || industry !== undefined || channel !== undefined

export const NO_FILTERS = { advertiser: undefined, industry: undefined, channel: undefined } as const

/** Accounts are listed of one advertiser, or of one month. */
export const listsAccounts = ({ advertiser, from, to }: Pick<View, 'advertiser' | 'from' | 'to'>) =>
  advertiser !== undefined || from === to
