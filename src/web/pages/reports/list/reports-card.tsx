import { Suspense, useState } from 'react'
import { ListCard } from '#web/pages/list-card.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { filtersOf, REPORTS, useReports } from './data.ts'
import { EmptyList } from './empty-list.tsx'
import { Filters } from './filters.tsx'
import styles from './filters.module.css'
import type { ReportAction } from './report-action.tsx'
import { ReportTable } from './report-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useSelection } from './use-selection.ts'
import { PAGE_SIZE, useListView } from './view.ts'

interface ReportsCardProps {
  running: boolean
  onRun: (ids: readonly number[]) => void
  onImport: () => void
}

/** Search, filters, the table and its pages. */
export function ReportsCard({ running, onRun, onImport }: ReportsCardProps) {
  const { view, change } = useListView()
  const reports = useReports(view)
  const page = reports.data?.results ?? []
  const count = reports.data?.count ?? 0
  const selection = useSelection(page)
  const [action, setAction] = useState<ReportAction | null>(null)
  return (
    <>
      <ListCard
        toolbar={<Filters />}
        toolbarClass={styles.filters}
        above={
          <SelectionBar
            selection={selection}
            page={page}
            count={count}
            running={running}
            onRun={onRun}
            onAction={setAction}
          />
        }
        list={reports}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={to => change({ page: to })}
        empty={<EmptyList onImport={onImport} />}
        csv={{ path: REPORTS, filters: filtersOf(view) }}
      >
        {(rows, stale) => (
          <ReportTable
            reports={rows}
            stale={stale}
            selection={selection}
            onRun={onRun}
            onAction={setAction}
          />
        )}
      </ListCard>
      {action && (
        <Suspense>
          <ReportActionDialog
            action={action}
            onDone={() => {
              setAction(null)
              selection.clear()
            }}
            onClose={() => setAction(null)}
          />
        </Suspense>
      )}
    </>
  )
}

const ReportActionDialog = lazy(async () => ({
  default: (await import('./report-action.tsx')).ReportActionDialog,
}))
