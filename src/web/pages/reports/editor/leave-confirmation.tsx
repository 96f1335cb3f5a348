import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks for confirmation before unsaved settings are lost, by a link as well as by closing the tab. */
export function LeaveConfirmation({ unsaved }: { unsaved: boolean }) {
  const { t } = useTranslation('editor')
  const blocker = useBlocker({
    // The same report with other URL parameters, such as the open run, does not leave the page.
    shouldBlockFn: ({ current, next }) =>
      unsaved && (current.pathname !== next.pathname || idOf(current.search) !== idOf(next.search)),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      opened
      title={t('leave.title')}
      detail={t('leave.detail')}
      confirm={t('leave.confirm')}
      tone="danger"
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  )
}

const idOf = (search: object) => ('id' in search ? search.id : undefined)
