import { useSearch } from '@tanstack/react-router'
import { OfReport } from './of-report.tsx'
import { ReportMissing } from './report-missing.tsx'
import { TargetPage } from './target/target-page.tsx'

/** Where a report writes to, and whether it may: the page behind every "permission settings" button. */
export function PermissionSettings() {
  const { id } = useSearch({ from: '/shell/gs-template/setting' })
  return (
    <OfReport id={id} missing={<ReportMissing page="permission_settings" />}>
      {report => <TargetPage key={id} report={report} />}
    </OfReport>
  )
}
