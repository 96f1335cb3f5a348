import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  detail?: ReactNode
  /** The label of the button; a verb. */
  confirm: string
  /** The label of the other button, where it is not "Cancel". */
  cancel?: string
  /** danger: the action destroys something. */
  tone?: 'normal' | 'danger'
  /** The action is under way: the dialog stays and cannot be sent twice. */
  loading?: boolean
  /** It cannot be confirmed yet. */
  disabled?: boolean
  /** Why the action failed. */
  problem?: ReactNode
  /** Further fields, such as a checkbox. */
  children?: ReactNode
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation. Closing the dialog never confirms. */
export function ConfirmDialog({
  tone = 'normal',
  loading = false,
  disabled = false,
  ...props
}: ConfirmDialogProps) {
  const { t } = useTranslation('ui')
  return (
    <Dialog opened={props.opened} loading={loading} onClose={props.onClose} title={props.title}>
      {props.detail && <p className={styles.detail}>{props.detail}</p>}
      {props.children}
      {props.problem && (
        <p className={styles.problem} role="alert">
          {props.problem}
        </p>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={props.onClose} disabled={loading}>
          {props.cancel ?? t('cancel')}
        </Button>
        <Button
          {...(tone === 'danger' && { color: 'red' })}
          loading={loading}
          disabled={disabled}
          onClick={props.onConfirm}
          data-autofocus={tone === 'normal' || undefined}
        >
          {props.confirm}
        </Button>
      </Group>
    </Dialog>
  )
}
