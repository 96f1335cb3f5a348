import { useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { filtersOf } from './data.ts'
import { useListView } from './view.ts'

/** Reports by id, in the order in which they were selected. */
export type Selected = ReadonlyMap<number, Report>
const nothing: Selected = new Map()

/** The selection, over all pages of one list; another folder or another filter clears it. */
export function useSelection(page: readonly Report[]) {
  const { view } = useListView()
  const { ordering: _order, ...filters } = filtersOf(view)
  const list = JSON.stringify(filters)
  const [state, setState] = useState({ list, selected: nothing })
  const known = state.list === list ? state.selected : nothing
  // The selected reports of this page as they are now: one may be running by now, or have been set up.
  const selected: Selected = new Map(
    [...known].map(([id, report]) => [id, page.find(candidate => candidate.id === id) ?? report]),
  )
  const set = (reports: Iterable<Report>) =>
    setState({ list, selected: new Map([...reports].map(report => [report.id, report])) })
  return {
    selected,
    set,
    clear: () => set([]),
    /** The boxes of this page were ticked like this; those of other pages stay. */
    setOnPage: (ids: ReadonlySet<number>) => {
      const elsewhere = [...selected.values()].filter(({ id }) => page.every(report => report.id !== id))
      set([...elsewhere, ...page.filter(({ id }) => ids.has(id))])
    },
  }
}
