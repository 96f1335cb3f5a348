import { IconArrowsExchange, IconUsersGroup } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Action } from '#web/ui/action-menu.tsx'

/** The actions on the selected reports, or on all. */
export function useReportActions(reports: readonly number[] = []): Action[] {
  const { t } = useTranslation('bulk_changes')
  const navigate = useNavigate()
  const isInternal = useIsInternal()
  const to = (kind: 'replace' | 'clone') => () =>
    void navigate({
      to: '/gs-template/care',
      search: { do: kind, ...(reports.length > 0 && { reports: [...reports] }) },
    })
  return [
    { key: 'replace', label: t('menu.replace'), icon: IconArrowsExchange, onClick: to('replace') },
    // A client has no second client to clone for.
    ...(isInternal
      ? [{ key: 'clone', label: t('menu.clone'), icon: IconUsersGroup, onClick: to('clone') }]
      : []),
  ]
}
