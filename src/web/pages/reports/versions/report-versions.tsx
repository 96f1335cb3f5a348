import { IconHistoryToggle } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Report } from '#shared/api/reports.ts'
import { limits } from '#shared/limits.ts'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OfReport } from '#web/pages/reports/of-report.tsx'
import { ReportMissing } from '#web/pages/reports/report-missing.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useVersions } from './data.ts'
import { VersionComparison } from './version-comparison.tsx'
import { VersionList } from './version-list.tsx'
import styles from './versions.module.css'

/** The saves of a report's settings, compared and restored. */
export function ReportVersions() {
  const { id } = useSearch({ from: '/shell/gs-template/versions' })
  return (
    <OfReport id={id} missing={<ReportMissing page="report_versions" />}>
      {report => <Versions report={report} />}
    </OfReport>
  )
}

function Versions({ report }: { report: Report }) {
  const { t } = useTranslation('versions')
  const { t: tRuns } = useTranslation('runs')
  usePageTitle(`${t('title')} · ${report.name}`)
  return (
    <>
      <PageHeader
        title={report.name}
        detail={t('title')}
        actions={
          <LinkButton to="/gs-template/template" search={{ id: report.id }} variant="default">
            {tRuns('history.edit')}
          </LinkButton>
        }
      />
      <VersionCards report={report} />
    </>
  )
}

function VersionCards({ report }: { report: Report }) {
  const { t } = useTranslation('versions')
  const { older, newer } = useSearch({ from: '/shell/gs-template/versions' })
  const navigate = useNavigate({ from: '/gs-template/versions' })
  const { data: versions, error, refetch } = useVersions(report.id)
  const compare = (chosen: { older?: number; newer?: number }) =>
    void navigate({ search: { id: report.id, ...chosen }, replace: older !== undefined })
  if (error && !versions) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (!versions) return <TableLoading rows={5} />
  if (versions.length === 0)
    return (
      <Card>
        <EmptyState icon={IconHistoryToggle} title={t('empty.title')} detail={t('empty.detail')} />
      </Card>
    )

  /** With the one before it; the earliest one with the one that is in use. */
  function compareWithPrevious(version: number) {
    const at = (versions ?? []).findIndex(each => each.version === version)
    const before = versions?.[at + 1]?.version
    const [latest] = versions ?? []
    compare(
      before === undefined
        ? { older: version, newer: latest?.version ?? version }
        : { older: before, newer: version },
    )
  }

  return (
    <div className={styles.page}>
      {older !== undefined && newer !== undefined && (
        <VersionComparison
          {...{ report, versions, older, newer }}
          onChoose={compare}
          onClose={() => compare({})}
        />
      )}
      <Card padding="flush">
        <VersionList report={report} versions={versions} onCompare={compareWithPrevious} />
      </Card>
      <p className={styles.quiet}>{t('kept', { count: limits.versions })}</p>
    </div>
  )
}
