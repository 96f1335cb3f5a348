import { Button } from '@mantine/core'
import type { DateRange } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import type { Editing } from './use-editor.ts'

interface EndedNoticeProps {
  date_range: DateRange
  /** The end date that restarts it; null: none does. */
  extended_end: string | null
  editing: Editing
}

/** The schedule has ended by itself; a later end date restarts it, with one click where possible. */
export function EndedNotice({ date_range, extended_end, editing: { change } }: EndedNoticeProps) {
  const { t } = useTranslation('editor')
  return (
    <InlineAlert
      severity="warning"
      action={
        extended_end !== null && (
          <Button
            size="xs"
            variant="default"
            onClick={() => change({ date_range: { ...date_range, end: extended_end } })}
          >
            {t('dates.extend', { day: extended_end })}
          </Button>
        )
      }
    >
      {t('dates.ended')}
    </InlineAlert>
  )
}
