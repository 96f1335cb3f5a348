import { useQuery } from '@tanstack/react-query'
import { ReportActionDialog } from '#web/pages/reports/list/report-action.tsx'
import { reportQuery } from '#web/pages/reports/report-query.ts'
import { LazyProblem } from '#web/ui/lazy-problem.tsx'

/** Lets somebody else see a report that is known by its id. */
export function ShareReport({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery(reportQuery(id))
  if (data)
    return (
      <ReportActionDialog action={{ kind: 'share', reports: [data] }} onDone={onClose} onClose={onClose} />
    )
  return error && <LazyProblem code={error.code} onRetry={() => void refetch()} />
}
