import { Modal } from '@mantine/core'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useEscape } from './escape.ts'
import { useReturnFocus } from './return-focus.ts'
import styles from './dialog.module.css'

interface DialogProps {
  opened: boolean
  title: ReactNode
  /** Width in pixels. */
  size?: number
  /** above: over a popover, which is over other dialogs. */
  layer?: 'normal' | 'above'
  /** As large as the window, whatever its size. */
  fullScreen?: boolean
  /** At the end of the window and as high as it, beside what it is about. */
  side?: boolean
  /** The action is under way: the dialog stays until it is over. */
  loading?: boolean
  onClose: () => void
  children: ReactNode
}

/** What must be dealt with before the page goes on. */
export function Dialog(props: DialogProps) {
  const { opened, title, size = 440, fullScreen = false, side = false, layer, loading = false } = props
  const { onClose, children } = props
  const { t } = useTranslation('ui')
  useReturnFocus(opened)
  const close = () => {
    if (!loading) onClose()
  }
  useEscape(opened, close)
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      centered={!side}
      {...(side && { classNames: { inner: styles.sideInner ?? '', content: styles.side ?? '' } })}
      size={size}
      {...(layer === 'above' && { zIndex: 400 })}
      fullScreen={fullScreen}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('close'), disabled: loading }}
    >
      {children}
    </Modal>
  )
}
