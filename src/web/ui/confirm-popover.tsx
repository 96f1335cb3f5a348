import { Button, Group, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './confirm-dialog.module.css'

interface ConfirmPopoverProps {
  /** The button that asks; given what opens the popover. */
  target: (open: () => void) => ReactNode
  title: string
  detail?: ReactNode
  confirm: string
  tone?: 'normal' | 'danger'
  /** The deed; the popover shows that it is under way, closes when it is done and stays when it fails. */
  onConfirm: () => Promise<unknown>
  /** Further fields, such as a checkbox. */
  children?: ReactNode
}

/** Asks beside the button that was pressed. Closing never does the deed. */
export function ConfirmPopover({ tone = 'normal', ...props }: ConfirmPopoverProps) {
  const { t } = useTranslation('ui')
  const [opened, setOpened] = useState(false)
  const [loading, setLoading] = useState(false)

  async function confirm() {
    setLoading(true)
    try {
      await props.onConfirm()
      setOpened(false)
    } catch {
      // The page has told what went wrong; the question stays open.
    } finally {
      setLoading(false)
    }
  }

  return (
    <Popover opened={opened} onChange={open => !loading && setOpened(open)} width={300} trapFocus withRoles>
      <Popover.Target>
        <span>{props.target(() => setOpened(true))}</span>
      </Popover.Target>
      <Popover.Dropdown>
        <strong>{props.title}</strong>
        {props.detail && <p className={styles.detail}>{props.detail}</p>}
        {props.children}
        <Group justify="flex-end" gap="xs" mt="sm">
          <Button size="xs" variant="default" disabled={loading} onClick={() => setOpened(false)}>
            {t('cancel')}
          </Button>
          <Button
            size="xs"
            {...(tone === 'danger' && { color: 'red' })}
            loading={loading}
            onClick={() => void confirm()}
          >
            {props.confirm}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
