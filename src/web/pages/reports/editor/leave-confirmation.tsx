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
      // The same report with other URL parameters, such as the open run, does not leave the page; another
      // tab of an advertiser does.
      (current.pathname !== next.pathname || formOf(current.search) !== formOf(next.search)),
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

const formOf = (search: object) =>
  JSON.stringify(['id', 'tab'].map(name => Object.entries(search).find(([key]) => key === name)?.[1]))
