import { memo } from 'react'
import type { DateRange } from '#shared/api/reports.ts'
import { maximumDay, rangeOfRun } from '#shared/date-range.ts'
import { reportIssue } from '#web/client/issues.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DateRangeField } from '#web/ui/date-range-field.tsx'
import styles from './editor.module.css'
import { Section } from './section.tsx'
import type { RangeFacts } from './use-range-facts.ts'
import type { Editing } from './use-editor.ts'

interface DatesSectionProps {
  /** null: not saved yet. */
  id: number | null
  date_range: DateRange
  facts: RangeFacts
  scheduled: boolean
  editing: Editing
}

/** Which days: two dates, or a range that moves along; what it means today is said as dates. */
export const DatesSection = memo(function DatesSection(props: DatesSectionProps) {
  const { id, date_range, facts, scheduled, editing } = props
  const { change, errors } = editing
  const { today, minimum, archive, history_extended, ended } = facts
  const { t } = useTranslation('editor')
  const range = rangeOfRun(date_range, today)
  const error = errors.at('date_range.start') ?? errors.at('date_range.end')
  const isUnset = date_range.dynamic_range === 0 && (date_range.start === null || date_range.end === null)
  // Every day of an archive is available without a request to support.
  const hint = (close: () => void) =>
    archive ? null : id === null ? t('dates.longer') : <AskForMore report={id} onAsk={close} />
  return (
    <Section name="dates">
      <DateRangeField
        label={t('dates.range')}
        value={date_range}
        onChange={chosen => change({ date_range: chosen })}
        today={today}
        minimum={minimum}
        latestEnd={start => (archive ? null : maximumDay(start, { history_extended }))}
        echo={range}
        hint={hint}
        required
        error={isUnset ? t('dates.no_dates') : error}
      />
      {!isUnset && (
        <p className={styles.echo} aria-live="polite">
          {range
            ? t('dates.echo', { start: range.start, end: range.end, days: daysOf(range) })
            : t('dates.echo_none')}
        </p>
      )}
      {scheduled && date_range.dynamic_range === 0 && (
        <p className={styles.quiet}>{t(ended ? 'dates.ended' : 'dates.ends')}</p>
      )}
    </Section>
  )
})

function AskForMore({ report, onAsk }: { report: number; onAsk: () => void }) {
  const { t } = useTranslation('editor')
  return (
    <>
      {t('dates.longer_of')}{' '}
      <button
        type="button"
        className={styles.jump}
        onClick={() => {
          onAsk()
          reportIssue(report)
        }}
      >
        {t('dates.ask')}
      </button>
    </>
  )
}

const daysOf = ({ start, end }: { start: string; end: string }) =>
  Temporal.PlainDate.from(start).until(end, { largestUnit: 'day' }).days + 1
