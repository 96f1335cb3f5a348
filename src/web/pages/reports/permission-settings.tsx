import { useSearch } from '@tanstack/react-router'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useReport } from './editor/data.ts'
import { ReportMissing } from './report-missing.tsx'
import { TargetPage } from './target/target-page.tsx'

/** Where a report writes to, and whether it may: the page behind every "permission settings" button. */
export function PermissionSettings() {
  const { id } = useSearch({ from: '/shell/gs-template/setting' })
  const report = useReport(id)
  if (id === undefined) return <ReportMissing page="permission_settings" />
  if (report.error && !report.data)
    return (
      <Problem
        code={report.error.code}
        request_id={report.error.request_id}
        onRetry={() => void report.refetch()}
      />
    )
  if (!report.data) return <PageLoading />
  return <TargetPage key={id} report={report.data} />
}
