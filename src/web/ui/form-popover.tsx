import { Button, Group, Popover, Stack } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { useId, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './form-popover.module.css'

interface FormPopoverProps {
  opened: boolean
  /** What it is about and hangs from. */
  target: ReactNode
  title: string
  /** What the button says; a verb. */
  submit: string
  /** danger: the deed destroys something. */
  tone?: 'normal' | 'danger'
  /** The answer is under way: it stays and cannot be sent twice. */
  loading: boolean
  /** Why it was refused. */
  problem?: ReactNode
  children: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** A small question beside the thing that it is about. Closing it, by whichever way, sends nothing. */
export function FormPopover({ opened, target, loading, onClose, ...props }: FormPopoverProps) {
  const { t } = useTranslation('ui')
  const id = useId()
  const close = () => {
    if (!loading) onClose()
  }
  return (
    <Popover
      opened={opened}
      onChange={wanted => {
        if (!wanted) close()
      }}
      position="bottom-start"
      width={290}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <div>{target}</div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-labelledby={id}>
        <form
          noValidate
          onSubmit={event => {
            event.preventDefault()
            // It is drawn as a part of what opened it, which may be a form of its own.
            event.stopPropagation()
            if (!loading) props.onSubmit()
          }}
        >
          <Stack gap="sm">
            <strong id={id}>{props.title}</strong>
            {props.children}
            {props.problem && (
              <p className={styles.problem} role="alert">
                {props.problem}
              </p>
            )}
            <Group justify="flex-end" gap="xs">
              <Button size="xs" variant="default" onClick={close} disabled={loading}>
                {t('cancel')}
              </Button>
              <Button
                size="xs"
                type="submit"
                loading={loading}
                {...(props.tone === 'danger' && { color: 'red' })}
              >
                {props.submit}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
