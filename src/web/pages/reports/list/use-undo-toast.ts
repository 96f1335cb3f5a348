import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** Long enough to read the message, find the button and think about it. */
const UNDO_MS = 10_000

/** Shows that something was done, with a button that undoes it. */
export function useUndoToast() {
  const { t } = useTranslation('actions')
  const failureText = useFailureText()
  const reload = useReload('folders', 'reports', 'shares')
  return (message: string, undo: () => Promise<unknown>) => {
    const takeBack = async () => {
      try {
        await undo()
        showToast({ severity: 'success', message: t('undone') })
      } catch (error) {
        showToast({ severity: 'error', message: failureText(error) ?? t('undo_failed') })
      } finally {
        void reload()
      }
    }
    showToast({
      severity: 'success',
      message,
      duration: UNDO_MS,
      action: { label: t('undo'), onClick: () => void takeBack() },
    })
  }
}
