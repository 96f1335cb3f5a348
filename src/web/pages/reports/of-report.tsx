import type { ReactNode } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useReport } from './editor/data.ts'

interface OfReportProps {
  id: number | undefined
  /** In place of it when no report is named. */
  missing: ReactNode
  children: (report: Report) => ReactNode
}

/** A page about one report: failed, loading, or there. */
export function OfReport({ id, missing, children }: OfReportProps) {
  const { data, error, refetch } = useReport(id)
  if (id === undefined) return missing
  if (error && !data)
    return <Problem code={error.code} request_id={error.request_id} onRetry={() => void refetch()} />
  if (!data) return <PageLoading />
  return children(data)
}
