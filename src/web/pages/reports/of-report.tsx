import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import type { Problem as RequestProblem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MessagePage } from '#web/ui/message-page.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { reportQuery } from './report-query.ts'

interface OfReportProps {
  id: number | undefined
  /** In place of it when no report is named. */
  missing: ReactNode
  children: (report: Report) => ReactNode
}

/** A page about one report: failed, loading, or there. */
export function OfReport({ id, missing, children }: OfReportProps) {
  const { data, error, refetch } = useQuery(reportQuery(id))
  if (id === undefined) return missing
  if (error?.code === 'not_found' && !data) return <ReportGone />
  if (error && !data) return <ReportProblem problem={error} onRetry={() => void refetch()} />
  if (!data) return <PageLoading />
  return (
    <>
      {children(data)}
      <ScrollToHash />
    </>
  )
}

/** A link to a part of the page, followed before the report was there, for example from an e-mail. */
export function ScrollToHash() {
  useEffect(() => {
    const id = location.hash.slice(1)
    if (id !== '') document.getElementById(id)?.scrollIntoView()
  }, [])
  return null
}

/** Neither the title nor the breadcrumb names a page that is not there. */
function ReportProblem({ problem, onRetry }: { problem: RequestProblem; onRetry: () => void }) {
  const { t } = useTranslation('app')
  usePageTitle(t('crash.title'), true)
  return <Problem code={problem.code} request_id={problem.request_id} onRetry={onRetry} />
}

/** Deleted, not shared with the reader, or never there: nobody learns which. */
function ReportGone() {
  const { t } = useTranslation('reports')
  const { t: tRuns } = useTranslation('runs')
  usePageTitle(t('gone.title'), true)
  return (
    <MessagePage
      title={t('gone.title')}
      detail={t('gone.detail')}
      action={
        <LinkButton to="/gs-template" search={{ p: 0, search: '', page: 1 }}>
          {tRuns('history.to_list')}
        </LinkButton>
      }
    />
  )
}
