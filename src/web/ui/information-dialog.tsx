import { Button, Group } from '@mantine/core'
import type { RichText } from '#web/i18n/rich-text.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from './inline-alert.tsx'
import { Rich } from './rich-text.tsx'
import { Dialog } from './dialog.tsx'

interface InformationDialogProps {
  opened: boolean
  severity: 'info' | 'success' | 'warning' | 'error'
  message: RichText
  onClose: () => void
}

/** What came of a change, where it must be read before going on: one message, one button. */
export function InformationDialog({ opened, severity, message, onClose }: InformationDialogProps) {
  const { t } = useTranslation('ui')
  return (
    <Dialog opened={opened} layer="above" onClose={onClose} title={t(`severity.${severity}`)}>
      <InlineAlert severity={severity}>
        <Rich>{message}</Rich>
      </InlineAlert>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {t('understood')}
        </Button>
      </Group>
    </Dialog>
  )
}
