import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Report } from '#shared/api/reports.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import type { Change } from '#web/client/search.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import {
  outcomeNames,
  runHistorySearch,
  triggerNames,
  type RunHistorySearch,
} from '#web/pages/reports/search.ts'
import { Card } from '#web/ui/card.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { downloadRuns } from './data.ts'
import { HistoryCharts } from './history-charts.tsx'
import styles from './history-list.module.css'
import { RunsCard } from './runs-card.tsx'
import { RestoredNotice } from './restored-notice.tsx'

/** All runs of a report: how they went over time, and each by itself. */
export function HistoryList({ report, onRun }: { report: Report; onRun: (run: string) => void }) {
  const { page = 1, outcome, trigger } = useSearch({ from: '/shell/gs-template/history' })
  const navigate = useNavigate({ from: '/gs-template/history' })
  const change = (next: Change<RunHistorySearch>) =>
    void navigate({
      search: runHistorySearch({ id: report.id, ...filters, ...next }),
      resetScroll: false,
    })
  const filters = { ...(outcome && { outcome }), ...(trigger && { trigger }) }
  const isFiltered = outcome !== undefined || trigger !== undefined
  return (
    <div className={styles.list}>
      <RestoredNotice report={report} />
      <HistoryCharts report={report.id} />
      <Card padding="flush">
        <Bar report={report} filters={filters} onChange={change} />
        <RunsCard
          report={report}
          view={{ page, ...filters }}
          onPage={number => change({ page: number })}
          onRun={onRun}
          {...(isFiltered && { onClear: () => void navigate({ search: { id: report.id } }) })}
        />
      </Card>
    </div>
  )
}

interface BarProps {
  report: Report
  filters: Pick<RunHistorySearch, 'outcome' | 'trigger'>
  onChange: (change: Change<RunHistorySearch>) => void
}

/** Filters, which are in the URL, and the export of what they match. */
function Bar({ report, filters, onChange }: BarProps) {
  const { t } = useTranslation('history')
  const { t: tRuns } = useTranslation('runs')
  const { t: tReports } = useTranslation('reports')
  const failureText = useFailureText()
  const file = useMutation({
    mutationFn: () => downloadRuns(report.id, filters),
    onError: error => showToast({ severity: 'error', message: failureText(error) ?? tReports('failed') }),
  })
  return (
    <div className={styles.bar} role="group" aria-label={t('filters')}>
      <FilterField
        aria-label={t('outcome')}
        any={t('outcome_any')}
        options={outcomeNames.map(name => ({ value: name, label: t(`outcomes.${name}`) }))}
        value={filters.outcome}
        onChange={outcome => onChange({ outcome })}
      />
      <FilterField
        aria-label={tRuns('history.trigger')}
        any={t('trigger_any')}
        options={triggerNames.map(name => ({ value: name, label: tRuns(`trigger.${name}`) }))}
        value={filters.trigger}
        onChange={trigger => onChange({ trigger })}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.6} />}
        loading={file.isPending}
        onClick={() => file.mutate()}
      >
        {t('csv')}
      </Button>
    </div>
  )
}
