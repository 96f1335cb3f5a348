import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import type { ReportVersion } from '#shared/api/report-versions.ts'
import { useIsInternal } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { instantText } from '#web/ui/times.ts'
import { useRestoreVersion } from './data.ts'

interface RestoreVersionProps {
  report: Report
  version: ReportVersion
  /** Whether the button says which one it is. */
  isNamed?: boolean
  /** The version that is in use, to come back to. */
  current: number | undefined
}

/** Brings the settings of a version back; that can be undone, since it is a save like any other. */
export function RestoreVersion({ report, version, isNamed = false, current }: RestoreVersionProps) {
  const { t, language } = useTranslation('versions')
  const [isOpen, setOpen] = useState(false)
  const restore = useRestoreVersion()
  if (!mayDo(report.access, 'change') || version.is_current) return null

  const undo = (from: Report) => {
    if (current !== undefined)
      restore.mutate(
        { from, version: current },
        {
          onSuccess: () => showToast({ severity: 'success', message: t('restore.undone') }),
          onError: () => showToast({ severity: 'error', message: t('restore.not_undone') }),
        },
      )
  }

  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconArrowBackUp size={15} stroke={1.7} />}
        aria-label={t('restore.of', { version: version.version })}
        onClick={() => {
          restore.reset()
          setOpen(true)
        }}
      >
        {isNamed ? t('restore.of', { version: version.version }) : t('restore.button')}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={t('restore.title', { version: version.version })}
        detail={t('restore.detail', { when: instantText(version.saved_at, language) })}
        confirm={t('restore.button')}
        loading={restore.isPending}
        problem={restore.error && <Refusal problem={restore.error} />}
        onClose={() => setOpen(false)}
        onConfirm={() =>
          restore.mutate(
            { from: report, version: version.version },
            {
              onSuccess: restored => {
                setOpen(false)
                showToast({
                  severity: 'success',
                  message: t('restore.done', { version: version.version }),
                  action: { label: t('restore.undo'), onClick: () => undo(restored) },
                })
              },
            },
          )
        }
      />
    </>
  )
}

/** Why it may not be saved today: an account, a date or a metric that is no longer available. */
function Refusal({ problem }: { problem: Problem }) {
  const internal = useIsInternal()
  const codes = [...new Set(Object.values(problem.fields).flat())]
  return (codes.length > 0 ? codes : [problem.code]).map(code => (
    <span key={code}>
      <ProblemText code={code} audience={internal ? 'internal' : 'external'} />{' '}
    </span>
  ))
}
