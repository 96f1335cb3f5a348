import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useGoToGap } from '#web/pages/reports/use-go-to-gap.ts'
import { useStart } from './data.ts'

interface RunButtonProps {
  report: Report
  /** With the run that has begun, or that was under way. */
  onStarted: (run: string) => void
}

/** Runs a report from a page about it. */
export function RunButton({ report, onStarted }: RunButtonProps) {
  const { t } = useTranslation('runs')
  const { t: tReports } = useTranslation('reports')
  const goToGap = useGoToGap()
  const failureText = useFailureText()
  const start = useStart()
  const isIncomplete = report.gaps.length > 0 && !mayDo(report.access, 'change')
  return (
    <Button
      leftSection={<IconPlayerPlay size={16} stroke={1.7} />}
      disabled={isIncomplete || report.task !== null}
      loading={start.isPending}
      onClick={() =>
        start.mutate(
          { reports: [report.id] },
          {
            onSuccess: ({ reports: [started] }) => {
              if (started) onStarted(started.run)
            },
            onError: problem => {
              if (!goToGap(report.id, problem))
                showToast({ severity: 'error', message: failureText(problem) ?? tReports('failed') })
            },
          },
        )
      }
    >
      {t('history.run')}
    </Button>
  )
}
