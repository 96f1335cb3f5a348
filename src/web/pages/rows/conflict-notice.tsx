import { Button, Group } from '@mantine/core'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'

interface ConflictNoticeProps {
  /** The names of what somebody else has changed. */
  fields: readonly string[]
  onMerge: () => void
  onTakeTheirs: () => void
}

/** Somebody else has saved meanwhile: go on with both, or with theirs alone. Nothing is saved by either. */
export function ConflictNotice({ fields, onMerge, onTakeTheirs }: ConflictNoticeProps) {
  const { t, language } = useTranslation('customers')
  return (
    <InlineAlert severity="warning" title={t('conflict.title')}>
      <p>
        {fields.length === 0
          ? t('conflict.elsewhere')
          : t('conflict.detail', { fields: listText(fields, language) })}
      </p>
      <Group gap="xs" mt="xs">
        <Button size="xs" onClick={onMerge}>
          {t('conflict.merge')}
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          {t('conflict.take_theirs')}
        </Button>
      </Group>
    </InlineAlert>
  )
}
