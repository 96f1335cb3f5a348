import { Modal } from '@mantine/core'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useReturnFocus } from './return-focus.ts'

interface DialogProps {
  opened: boolean
  title: ReactNode
  /** Width in pixels. */
  size?: number
  /** The action is under way: the dialog stays until it is over. */
  loading?: boolean
  onClose: () => void
  children: ReactNode
}

/** What must be dealt with before the page goes on. */
export function Dialog({ opened, title, size = 440, loading = false, onClose, children }: DialogProps) {
  const { t } = useTranslation('ui')
  useReturnFocus(opened)
  return (
    <Modal
      opened={opened}
      onClose={() => {
        if (!loading) onClose()
      }}
      title={title}
      centered
      size={size}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  )
}
