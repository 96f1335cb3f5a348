import { useState, type ComponentProps } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import styles from './dialog.module.css'
import { useEnteredText } from './entered-text.ts'

interface GuardedDialogProps extends ComponentProps<typeof Dialog> {
  /** Whether something else than text would be lost, such as tags and chosen files. */
  isChanged?: boolean
}

/**
 * A dialog in which one writes: Escape, a click beside it and its cross ask first when there is something
 * that would be lost. Its own buttons do what they say.
 */
export function GuardedDialog({ isChanged = false, onClose, children, ...props }: GuardedDialogProps) {
  const { t } = useTranslation('ui')
  const { handlers, hasText } = useEnteredText()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Dialog {...props} onClose={() => (isChanged || hasText() ? setIsAsking(true) : onClose())}>
      <div className={styles.content} {...handlers}>
        {children}
      </div>
      <ConfirmDialog
        opened={isAsking}
        title={t('discard.title')}
        detail={t('discard.detail')}
        confirm={t('discard.confirm')}
        cancel={t('discard.cancel')}
        tone="danger"
        onConfirm={onClose}
        onClose={() => setIsAsking(false)}
      />
    </Dialog>
  )
}
