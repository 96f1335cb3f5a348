import { useEffect, useEffectEvent, useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useReports } from './data.ts'
import { EmptyList } from './empty-list.tsx'
import { ReportDeedDialog, type ReportDeed } from './report-deed.tsx'
import { ReportTable } from './report-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { Toolbar } from './toolbar.tsx'
import { PAGE_SIZE, useListView } from './view.ts'

interface ReportsCardProps {
  running: boolean
  onRun: (ids: readonly number[]) => void
}

/** Search, filters, the table and its pages. */
export function ReportsCard({ running, onRun }: ReportsCardProps) {
  const { view, change } = useListView()
  const reports = useReports(view)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [deed, setDeed] = useState<ReportDeed | null>(null)
  // What is no longer in the list is no longer selected.
  const chosen = reports.data?.results.filter(report => selected.has(report.id)) ?? []
  const clear = () => setSelected(new Set())
  return (
    <Card padding="flush">
      <Toolbar />
      <SelectionBar reports={chosen} running={running} onRun={onRun} onDeed={setDeed} onClear={clear} />
      <Body selected={selected} onSelect={setSelected} onRun={onRun} onDeed={setDeed} />
      {reports.data && reports.data.count > 0 && (
        <Pager
          page={view.page}
          page_size={PAGE_SIZE}
          count={reports.data.count}
          onPage={page => change({ page })}
        />
      )}
      {deed && (
        <ReportDeedDialog
          deed={deed}
          onDone={() => {
            setDeed(null)
            clear()
          }}
          onClose={() => setDeed(null)}
        />
      )}
    </Card>
  )
}

type BodyProps = Omit<Parameters<typeof ReportTable>[0], 'reports' | 'stale'>

function Body(props: BodyProps) {
  const { view, change } = useListView()
  const reports = useReports(view)
  const count = reports.data?.count ?? 0
  // The last report of the last page is gone, or an old address names a page too many.
  const isBeyond = count > 0 && reports.data?.results.length === 0
  const toLastPage = useEffectEvent(() => change({ page: Math.ceil(count / PAGE_SIZE) }))
  useEffect(() => {
    if (isBeyond) toLastPage()
  }, [isBeyond])
  if (reports.error)
    return (
      <div style={{ padding: 16 }}>
        <Problem
          code={reports.error.code}
          request_id={reports.error.request_id}
          onRetry={() => void reports.refetch()}
        />
      </div>
    )
  if (!reports.data || isBeyond) return <TableLoading rows={PAGE_SIZE} />
  if (reports.data.results.length === 0) return <EmptyList />
  return <ReportTable reports={reports.data.results} stale={reports.isPlaceholderData} {...props} />
}
