import { IconFileExport, IconPlaylistX, IconSend, IconUserShare, IconUserUp } from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useReportActions } from '#web/pages/reports/bulk-changes/use-report-actions.ts'
import { ActionMenu, type Action } from '#web/ui/action-menu.tsx'
import type { ReportAction } from './report-action.tsx'
import { useExport } from './use-export.ts'

interface SelectionMenuProps {
  reports: readonly Report[]
  onAction: (action: ReportAction) => void
}

/** The less frequent actions on the selected reports. */
export function SelectionMenu(props: SelectionMenuProps) {
  const { t } = useTranslation('actions')
  const actions = [...useSeldomActions(props), ...useReportActions(props.reports.map(({ id }) => id))]
  return <ActionMenu label={t('more')} size="sm" actions={actions} />
}

/** Sharing and export: the same for one report and for many. */
export function useSeldomActions({ reports, onAction }: SelectionMenuProps): Action[] {
  const { t } = useTranslation('actions')
  const me = useMe()
  const exportAsFile = useExport()
  const share = reports.every(({ access }) => mayDo(access, 'share'))
  return [
    {
      key: 'share',
      label: t('action.share'),
      icon: IconUserShare,
      disabled: !share,
      onClick: () => onAction({ kind: 'share', reports }),
    },
    {
      key: 'send',
      label: t('action.send'),
      icon: IconSend,
      onClick: () => onAction({ kind: 'send', reports }),
    },
    ...(me.identity === 'superuser'
      ? [
          {
            key: 'transfer',
            label: t('action.transfer'),
            icon: IconUserUp,
            onClick: () => onAction({ kind: 'transfer', reports }),
          },
        ]
      : []),
    {
      key: 'export',
      label: t('action.export'),
      icon: IconFileExport,
      onClick: () => void exportAsFile(reports.map(({ id }) => id)),
    },
    ...(reports.every(({ access }) => mayDo(access, 'file'))
      ? [
          {
            key: 'leave',
            label: t('action.leave'),
            icon: IconPlaylistX,
            tone: 'danger' as const,
            onClick: () => onAction({ kind: 'leave', reports }),
          },
        ]
      : []),
  ]
}
