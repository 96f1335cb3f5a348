import { IconCalendarExclamation } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { useReportActions } from './use-report-actions.ts'

/**
 * What can be done with many reports at once: the changes of all reports that the list shows, and the way to
 * those that end soon.
 */
export function BulkChangesMenu() {
  const { t } = useTranslation('bulk_changes')
  const navigate = useNavigate()
  const actions = useReportActions()
  const ending = {
    key: 'ending',
    label: t('menu.ending'),
    icon: IconCalendarExclamation,
    onClick: () => void navigate({ to: '/gs-template/care', search: { do: 'ending' } }),
  }
  return <ActionMenu label={t('menu.label')} actions={[...actions, ending]} />
}
