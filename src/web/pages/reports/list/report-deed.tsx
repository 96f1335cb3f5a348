import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { notify } from '#web/app/notices.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useBulk, useCopyReport, useFolders } from './data.ts'

/** What is about to be done to one report or to many. */
export interface ReportDeed {
  kind: 'delete' | 'copy' | 'move' | 'restore'
  reports: readonly Report[]
}

interface DialogProps {
  reports: readonly Report[]
  onDone: () => void
  onClose: () => void
}

/** Asks before it is done; stays with the message when the server refuses. */
export function ReportDeedDialog({ deed, ...props }: Omit<DialogProps, 'reports'> & { deed: ReportDeed }) {
  if (deed.kind === 'delete') return <DeleteDialog reports={deed.reports} {...props} />
  if (deed.kind === 'copy') return <CopyDialog reports={deed.reports} {...props} />
  if (deed.kind === 'restore') return <RestoreDialog reports={deed.reports} {...props} />
  return <MoveDialog reports={deed.reports} {...props} />
}

function DeleteDialog({ reports, onDone, onClose }: DialogProps) {
  const { t } = useTranslation('reports')
  const bulk = useBulkDeed(onDone)
  const count = reports.length
  const [first] = reports
  return (
    <ConfirmDialog
      opened
      title={t('delete.title', { count })}
      detail={
        count === 1 && first ? t('delete.detail_single', { name: first.name }) : t('delete.detail_many')
      }
      confirm={t('action.delete')}
      tone="danger"
      {...bulk.state}
      onConfirm={() => bulk.act({ action: 'delete', ids: idsOf(reports) }, t('delete.done', { count }))}
      onClose={onClose}
    />
  )
}

function RestoreDialog({ reports, onDone, onClose }: DialogProps) {
  const { t } = useTranslation('reports')
  const bulk = useBulkDeed(onDone)
  const count = reports.length
  return (
    <ConfirmDialog
      opened
      title={t('deleted.question', { count })}
      detail={t('deleted.detail')}
      confirm={t('deleted.restore')}
      {...bulk.state}
      onConfirm={() => bulk.act({ action: 'restore', ids: idsOf(reports) }, t('deleted.done', { count }))}
      onClose={onClose}
    />
  )
}

function CopyDialog({ reports, onDone, onClose }: DialogProps) {
  const { t } = useTranslation('reports')
  const navigate = useNavigate()
  const copy = useCopyReport()
  const bulk = useBulkDeed(onDone)
  const count = reports.length
  const [first] = reports

  function confirm() {
    const done = t('copy.done', { count })
    if (count > 1 || !first) return bulk.act({ action: 'copy', ids: idsOf(reports) }, done)
    // One copy is most likely wanted for editing.
    return copy.mutate(first.id, {
      onSuccess: made => {
        onDone()
        void navigate({ to: '/gs-template/template', search: { id: made.id } }).then(() =>
          notify({ severity: 'success', message: done, sub_message: made.name }),
        )
      },
    })
  }

  const single = { loading: copy.isPending, problem: copy.error && <ProblemText code={copy.error.code} /> }
  return (
    <ConfirmDialog
      opened
      title={t('copy.title', { count })}
      detail={t('copy.detail')}
      confirm={t('action.copy')}
      {...(count > 1 ? bulk.state : single)}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

const ROOT = '0'

function MoveDialog({ reports, onDone, onClose }: DialogProps) {
  const { t } = useTranslation('reports')
  const folders = useFolders().data ?? []
  const bulk = useBulkDeed(onDone)
  const count = reports.length
  const [to, setTo] = useState(String(reports[0]?.folder ?? ROOT))
  const nameOf = (id: number | null) => folders.find(folder => folder.id === id)?.name
  const options = folders.map(({ id, name, parent }) => ({
    value: String(id),
    label: parent === null ? name : `${nameOf(parent)} / ${name}`,
  }))
  return (
    <ConfirmDialog
      opened
      title={t('move.title', { count })}
      confirm={t('move.confirm')}
      {...bulk.state}
      onConfirm={() => {
        const folder = to === ROOT ? null : Number(to)
        bulk.act({ action: 'move', ids: idsOf(reports), folder }, t('move.done', { count }))
      }}
      onClose={onClose}
    >
      <SelectField
        label={t('move.to')}
        value={to}
        options={[
          { value: ROOT, label: t('folders.root') },
          ...options.toSorted((a, b) => a.label.localeCompare(b.label)),
        ]}
        onChange={setTo}
        searchable
      />
    </ConfirmDialog>
  )
}

const idsOf = (reports: readonly Report[]) => reports.map(report => report.id)

/** A deed on one or many, with what was refused told afterwards. */
function useBulkDeed(onDone: () => void) {
  const { t } = useTranslation('reports')
  const bulk = useBulk()
  const act = (body: Parameters<typeof bulk.mutate>[0], message: string) =>
    bulk.mutate(body, {
      onSuccess: ({ results }) => {
        const refused = results.filter(({ status }) => status === 'refused').length
        if (refused < results.length) notify({ severity: 'success', message })
        if (refused > 0) notify({ severity: 'warning', message: t('some_refused', { count: refused }) })
        onDone()
      },
    })
  const problem = bulk.error && <ProblemText code={bulk.error.code} />
  return { act, state: { loading: bulk.isPending, problem } }
}
