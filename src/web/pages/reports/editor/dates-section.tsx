import { rangeOfRun } from '#shared/date-range.ts'
import { archiveMonths, earliestStart } from '#shared/report-rules.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DateRangeField } from '#web/ui/date-range-field.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import styles from './editor.module.css'
import { hasEndedBy } from './errors.ts'
import { Section } from './section.tsx'
import type { Editor } from './use-editor.ts'

/** Which days: two dates, or a range that moves along; what it means today is said as dates. */
export function DatesSection({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const { draft, change, today, may_change, saved, history_extended } = editor
  const { date_range } = draft
  const range = rangeOfRun(date_range, today)
  // A range that is already saved stays in reach, however old it has become.
  const minimum = [earliestStart({ report: draft, today, history_extended }), saved?.date_range.start]
    .filter(day => typeof day === 'string')
    .toSorted()[0]
  // Nobody needs to be asked for days of an archive.
  const isArchive = archiveMonths({ report: draft }) !== null
  const error = editor.errorAt('date_range.start') ?? editor.errorAt('date_range.end')
  const is_unset = date_range.dynamic_range === 0 && (date_range.start === null || date_range.end === null)
  return (
    <Section name="dates">
      <DateRangeField
        label={t('dates.range')}
        value={date_range}
        onChange={chosen => change({ date_range: chosen })}
        today={today}
        minimum={minimum ?? null}
        echo={range}
        {...(!isArchive && { hint: t('dates.longer') })}
        required
        disabled={!may_change}
        error={is_unset ? t('dates.no_dates') : error}
      />
      {!is_unset && (
        <p className={styles.echo} aria-live="polite">
          {range
            ? t('dates.echo', { start: range.start, end: range.end, days: daysOf(range) })
            : t('dates.echo_none')}
        </p>
      )}
      {hasEndedBy(draft, today) ? (
        <InlineAlert severity="warning">{t('dates.ended')}</InlineAlert>
      ) : (
        date_range.dynamic_range === 0 &&
        draft.update_frequency !== 0 && <p className={styles.quiet}>{t('dates.ends')}</p>
      )}
    </Section>
  )
}

const daysOf = ({ start, end }: { start: string; end: string }) =>
  Temporal.PlainDate.from(start).until(end, { largestUnit: 'day' }).days + 1
