import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { useFolders } from './data.ts'
import { folderOptions } from './folder-options.ts'
import { useDialogAction, type ActionDialogProps } from './use-dialog-action.tsx'

/** The open action on one report or on many. */
export interface ReportAction {
  kind: 'delete' | 'leave' | 'copy' | 'move' | 'restore' | 'share' | 'send' | 'transfer'
  reports: readonly Report[]
}

// Those that involve another person are seldom opened.
const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }))
const SendDialog = lazy(async () => ({ default: (await import('./send-dialog.tsx')).SendDialog }))
const TransferDialog = lazy(async () => ({
  default: (await import('./transfer-dialog.tsx')).TransferDialog,
}))

const dialogs: Record<ReportAction['kind'], (props: ActionDialogProps) => React.ReactNode> = {
  delete: props => <DeleteDialog {...props} />,
  leave: props => <LeaveDialog {...props} />,
  copy: props => <CopyDialog {...props} />,
  move: props => <MoveDialog {...props} />,
  restore: props => <RestoreDialog {...props} />,
  share: props => <ShareDialog {...props} />,
  send: props => <SendDialog {...props} />,
  transfer: props => <TransferDialog {...props} />,
}

/** Asks for confirmation; stays open with the message when the server refuses. */
export function ReportActionDialog({
  action,
  ...props
}: Omit<ActionDialogProps, 'reports'> & { action: ReportAction }) {
  return <Suspense>{dialogs[action.kind]({ reports: action.reports, ...props })}</Suspense>
}

function DeleteDialog({ reports, onDone, onClose }: ActionDialogProps) {
  const { t } = useTranslation('reports')
  const bulk = useDialogAction(reports, onDone)
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
      onConfirm={() => void bulk.act({ action: 'delete' }, done => t('delete.done', { count: done }))}
      onClose={onClose}
    />
  )
}

/** A report of somebody else stays with them; only its share ends. */
function LeaveDialog({ reports, onDone, onClose }: ActionDialogProps) {
  const { t } = useTranslation('actions')
  const me = useMe()
  const bulk = useDialogAction(reports, onDone)
  const count = reports.length
  const [first] = reports
  return (
    <ConfirmDialog
      opened
      title={t('leave.title', { count })}
      detail={
        count === 1 && first
          ? t('leave.detail_single', { name: first.name, owner: first.owner_name })
          : t('leave.detail_many')
      }
      confirm={t('leave.confirm')}
      tone="danger"
      {...bulk.state}
      onConfirm={() =>
        void bulk.act({ action: 'unshare', user: me.user_id }, done => t('leave.done', { count: done }))
      }
      onClose={onClose}
    />
  )
}

function RestoreDialog({ reports, onDone, onClose }: ActionDialogProps) {
  const { t } = useTranslation('reports')
  const bulk = useDialogAction(reports, onDone)
  const count = reports.length
  return (
    <ConfirmDialog
      opened
      title={t('deleted.question', { count })}
      detail={t('deleted.detail')}
      confirm={t('deleted.restore')}
      {...bulk.state}
      onConfirm={() => void bulk.act({ action: 'restore' }, done => t('deleted.done', { count: done }))}
      onClose={onClose}
    />
  )
}

function CopyDialog({ reports, onDone, onClose }: ActionDialogProps) {
  const { t } = useTranslation('reports')
  const navigate = useNavigate()
  const bulk = useDialogAction(reports, onDone)
  const count = reports.length

  async function confirm() {
    const done = (made: number) => t('copy.done', { count: made })
    if (count > 1) return void (await bulk.act({ action: 'copy' }, done))
    // A single copy is most likely made to be edited; a toast shown before opening it would be closed by the
    // change of route.
    const results = await bulk.act({ action: 'copy' }, null)
    const made = results?.[0]?.copy
    if (!made) return undefined
    await navigate({ to: '/gs-template/template', search: { id: made } })
    return showToast({ severity: 'success', message: done(1) })
  }

  return (
    <ConfirmDialog
      opened
      title={t('copy.title', { count })}
      detail={t('copy.detail')}
      confirm={t('action.copy')}
      {...bulk.state}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  )
}

const ROOT = '0'

function MoveDialog({ reports, onDone, onClose }: ActionDialogProps) {
  const { t, language } = useTranslation('reports')
  const folders = useFolders().data ?? []
  const bulk = useDialogAction(reports, onDone)
  const count = reports.length
  const [to, setTo] = useState(String(reports[0]?.folder ?? ROOT))
  return (
    <ConfirmDialog
      opened
      title={t('move.title', { count })}
      confirm={t('move.confirm')}
      {...bulk.state}
      onConfirm={() => {
        const folder = to === ROOT ? null : Number(to)
        void bulk.act({ action: 'move', folder }, done => t('move.done', { count: done }))
      }}
      onClose={onClose}
    >
      <SelectField
        label={t('move.to')}
        value={to}
        options={[{ value: ROOT, label: t('folders.root') }, ...folderOptions(folders, language)]}
        onChange={setTo}
        searchable
      />
    </ConfirmDialog>
  )
}
