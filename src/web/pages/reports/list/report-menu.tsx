import {
  IconCopy,
  IconEye,
  IconFolderSymlink,
  IconHistory,
  IconPencil,
  IconPlayerPlay,
  IconShieldCheck,
  IconStar,
  IconStarOff,
  IconTable,
  IconTrash,
  IconVersions,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { spreadsheetLink } from '#web/pages/reports/spreadsheet-link.ts'
import type { ReportAction } from './report-action.tsx'
import { useSeldomActions } from './selection-menu.tsx'
import { useFavourite } from './use-favourite.ts'

interface ReportMenuProps {
  report: Report
  onRun: (ids: readonly number[]) => void
  onAction: (action: ReportAction) => void
}

/** The actions of this person on a report. */
export function ReportMenu({ report, onRun, onAction }: ReportMenuProps) {
  const { t } = useTranslation('reports')
  const navigate = useNavigate()
  const { id, access } = report
  const link = spreadsheetLink(report.spreadsheet_url, report.sheet_id)
  const change = mayDo(access, 'change')
  const toggleFavourite = useFavourite(report)
  const seldom = useSeldomActions({ reports: [report], onAction })
  const action = (kind: ReportAction['kind']) => () => onAction({ kind, reports: [report] })

  function open() {
    if (link === null) return
    if ('built_in' in link)
      void navigate({
        to: '/sheets/$id',
        params: { id: link.built_in },
        search: link.gid === null ? {} : { gid: link.gid },
      })
    else window.open(link.href, '_blank', 'noreferrer')
  }

  return (
    <ActionMenu
      label={t('actions_of', { name: report.name })}
      actions={[
        {
          key: 'edit',
          label: t(change ? 'action.edit' : 'action.view'),
          icon: change ? IconPencil : IconEye,
          onClick: () => void navigate({ to: '/gs-template/template', search: { id } }),
        },
        {
          key: 'run',
          label: t('action.run'),
          icon: IconPlayerPlay,
          // With gaps it goes to the first of them, for people who can close it.
          disabled: (report.gaps.length > 0 && !change) || report.task !== null,
          onClick: () => onRun([id]),
        },
        { key: 'open', label: t('action.open'), icon: IconTable, disabled: link === null, onClick: open },
        {
          key: 'history',
          label: t('action.history'),
          icon: IconHistory,
          onClick: () => void navigate({ to: '/gs-template/history', search: { id } }),
        },
        {
          key: 'versions',
          label: t('action.versions'),
          icon: IconVersions,
          onClick: () => void navigate({ to: '/gs-template/versions', search: { id } }),
        },
        {
          key: 'settings',
          label: t('action.settings'),
          icon: IconShieldCheck,
          disabled: !change,
          onClick: () => void navigate({ to: '/gs-template/setting', search: { id } }),
        },
        {
          key: 'favourite',
          label: t(report.favourite ? 'favourite.remove' : 'favourite.add'),
          icon: report.favourite ? IconStarOff : IconStar,
          onClick: toggleFavourite,
        },
        { key: 'copy', label: t('action.copy'), icon: IconCopy, onClick: action('copy') },
        {
          key: 'move',
          label: t('action.move'),
          icon: IconFolderSymlink,
          disabled: !mayMove(report),
          onClick: action('move'),
        },
        ...seldom,
        ...(mayDo(access, 'delete')
          ? [
              {
                key: 'delete',
                label: t('action.delete'),
                icon: IconTrash,
                tone: 'danger' as const,
                onClick: action('delete'),
              },
            ]
          : []),
      ]}
    />
  )
}

/** A superuser sees no folders of others to move a report into. */
const mayMove = ({ access }: Report) => access === 'owner' || mayDo(access, 'file')
