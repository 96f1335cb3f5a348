import { Button, Group, Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { GuardedDialog } from './guarded-dialog.tsx'

interface FormDialogProps extends Pick<ComponentProps<typeof GuardedDialog>, 'size' | 'side' | 'isChanged'> {
  opened: boolean
  title: string
  /** The label of the button; a verb. */
  submit: string
  /** The label of the other button, where it cannot cancel what was sent. */
  close?: string
  /** The request is under way: the form cannot be sent twice. */
  loading: boolean
  /** Nothing can be sent yet. */
  disabled?: boolean
  /** Everything is filled in already: the button has the focus when the dialog opens. */
  isReady?: boolean
  /** Why it was refused, where that is about no single field. */
  problem?: ReactNode
  children: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** A small form over the page. Closing sends nothing. */
export function FormDialog({ size, side, isChanged = false, ...props }: FormDialogProps) {
  const { opened, title, loading, onClose } = props
  const { t } = useTranslation('ui')
  return (
    <GuardedDialog
      {...{ opened, title, loading, isChanged, onClose }}
      {...(size !== undefined && { size })}
      {...(side !== undefined && { side })}
    >
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          // A dialog is a part of the page that opened it, which may be a form of its own.
          event.stopPropagation()
          if (!loading && !props.disabled) props.onSubmit()
        }}
      >
        <Stack gap="md">
          {props.children}
          {props.problem}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={loading}>
              {props.close ?? t('cancel')}
            </Button>
            <Button
              type="submit"
              loading={loading}
              disabled={props.disabled ?? false}
              data-autofocus={props.isReady || undefined}
            >
              {props.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedDialog>
  )
}
