import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { mayDo } from '#shared/access.ts'
import type { RunDetail } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { instantText } from '#web/ui/times.ts'
import { useWriteBack } from './data.ts'
import { NextRunText } from './next-run-text.tsx'
import styles from './run-details.module.css'

interface UndoButtonProps {
  report: Report
  run: RunDetail
  onStarted: (run: string) => void
}

/** Restores an older table: for the run that wrote last the table before it, for an older run its own. */
export function UndoButton({ report, run, onStarted }: UndoButtonProps) {
  const { t, language } = useTranslation('history')
  const [isOpen, setOpen] = useState(false)
  const writeBack = useWriteBack(report.id)
  const table = restorableTable(run)
  if (!mayDo(report.access, 'change')) return null
  if (run.table === 'elsewhere') return <p className={styles.untouched}>{t('undo.elsewhere')}</p>
  if (table === null) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={16} stroke={1.7} />}
        disabled={report.gaps.length > 0 || report.task !== null}
        onClick={() => {
          writeBack.reset()
          setOpen(true)
        }}
      >
        {t(run.table === 'current' ? 'undo.undo' : 'undo.write_back')}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={t('undo.title', { when: instantText(table.at, language) })}
        detail={t('undo.detail')}
        confirm={t('undo.write_back')}
        loading={writeBack.isPending}
        problem={writeBack.error && <ProblemText code={writeBack.error.code} />}
        onClose={() => setOpen(false)}
        onConfirm={() =>
          writeBack.mutate(table.run, {
            onSuccess: ({ reports: [started] }) => {
              setOpen(false)
              if (started) onStarted(started.run)
            },
          })
        }
      >
        <p className={styles.untouched}>
          <NextRunText report={report} />
        </p>
      </ConfirmDialog>
    </>
  )
}

function restorableTable({ id, table, undo_to, restores, finished_at }: RunDetail) {
  if (table === 'current') return undo_to
  if (table !== 'kept' || finished_at === null) return null
  return { run: id, at: restores?.at ?? finished_at }
}
