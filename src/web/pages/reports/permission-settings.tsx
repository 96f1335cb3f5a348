import { Navigate, useSearch } from '@tanstack/react-router'
import { mayDo } from '#shared/access.ts'
import { OfReport } from './of-report.tsx'
import { ReportMissing } from './report-missing.tsx'
import { TargetPage } from './target/target-page.tsx'

/**
 * Where a report writes to, and whether it may: the page behind every "permission settings" button. Who may
 * only view the report gets its table instead, as in the editor.
 */
export function PermissionSettings() {
  const { id } = useSearch({ from: '/shell/gs-template/setting' })
  return (
    <OfReport id={id} missing={<ReportMissing page="permission_settings" />}>
      {report =>
        mayDo(report.access, 'change') ? (
          <TargetPage key={id} report={report} />
        ) : (
          <Navigate to="/gs-template/template" search={{ id: report.id }} replace />
        )
      }
    </OfReport>
  )
}
