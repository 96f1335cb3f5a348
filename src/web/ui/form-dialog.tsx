import { Button, Group, Modal, Stack } from '@mantine/core'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

interface FormDialogProps {
  opened: boolean
  title: string
  /** What the button says; a verb. */
  submit: string
  /** The answer is under way: the form cannot be sent twice. */
  loading: boolean
  /** Why it was refused, where that is about no single field. */
  problem?: ReactNode
  children: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** A small form over the page. Closing sends nothing. */
export function FormDialog({ opened, title, loading, onClose, ...props }: FormDialogProps) {
  const { t } = useTranslation('ui')
  return (
    <Modal
      opened={opened}
      onClose={() => {
        if (!loading) onClose()
      }}
      title={title}
      centered
      size={440}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          // A dialog is a part of the page that opened it, which may be a form of its own.
          event.stopPropagation()
          if (!loading) props.onSubmit()
        }}
      >
        <Stack gap="md">
          {props.children}
          {props.problem}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={loading}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={loading}>
              {props.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
