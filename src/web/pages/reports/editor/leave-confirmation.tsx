import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useStore } from '#web/client/store.ts'
import { departure, hasUnsavedChanges } from '#web/client/unsaved-changes.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface LeaveConfirmationProps {
  unsaved: boolean
  /** The person has confirmed it. */
  onLeave?: () => void
}

/**
 * Asks for confirmation before unsaved settings are lost: by a link, by signing out, and by closing the tab.
 */
export function LeaveConfirmation({ unsaved, onLeave }: LeaveConfirmationProps) {
  const { t } = useTranslation('editor')
  const departing = useStore(departure)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      unsaved &&
      // Nobody chooses that the session ends; the changes stay in the browser.
      next.pathname !== '/expired' &&
      // The same report with other URL parameters, such as the open run, does not leave the page.
      (current.pathname !== next.pathname || idOf(current.search) !== idOf(next.search)),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })
  useEffect(() => {
    hasUnsavedChanges.set(unsaved)
    return () => {
      hasUnsavedChanges.set(false)
      departure.set(null)
    }
  }, [unsaved])
  if (blocker.status !== 'blocked' && departing === null) return null
  return (
    <ConfirmDialog
      opened
      title={t('leave.title')}
      detail={t('leave.detail')}
      confirm={t('leave.confirm')}
      tone="danger"
      onConfirm={() => {
        onLeave?.()
        departure.set(null)
        if (departing) departing.proceed()
        else blocker.proceed?.()
      }}
      onClose={() => {
        departure.set(null)
        blocker.reset?.()
      }}
    />
  )
}

const idOf = (search: object) => ('id' in search ? search.id : undefined)
