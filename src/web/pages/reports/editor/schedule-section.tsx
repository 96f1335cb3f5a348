import { frequency, nextOccurrences } from '#shared/schedule.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TimeOfDayField } from '#web/ui/time-of-day-field.tsx'
import { instantText } from '#web/ui/times.ts'
import { scheduleText, weekdays } from '../schedule-text.ts'
import styles from './editor.module.css'
import { hasEndedBy } from './errors.ts'
import { changeFrequency, chooseCycle, cycleLength } from './schedule-change.ts'
import { Section } from './section.tsx'
import type { Editor } from './use-editor.ts'

const offered = ['off', 'daily', 'weekly', 'monthly'] as const
const values = {
  off: frequency.none,
  daily: frequency.daily,
  weekly: frequency.weekly,
  monthly: frequency.monthly,
}

/** When the report updates by itself. */
export function ScheduleSection({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const { draft, change, may_change } = editor
  const chosen = offered.find(name => values[name] === draft.update_frequency)
  const is_off = draft.update_frequency === frequency.none
  return (
    <Section name="schedule">
      <SegmentedField
        label={t('schedule.frequency')}
        value={chosen ?? ''}
        options={offered.map(name => ({ value: name, label: t(`schedule.${name}`) }))}
        onChange={name => change(changeFrequency(values[name]))}
        disabled={!may_change}
      />
      {!is_off && (
        <div className={styles.schedule}>
          <CycleField editor={editor} />
          <TimeOfDayField
            label={t('schedule.time')}
            value={draft.update_time}
            onChange={update_time => change({ update_time })}
            disabled={!may_change}
          />
          <SelectField
            label={t('schedule.timezone')}
            value={draft.timezone}
            options={zones(draft.timezone).map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
            onChange={timezone => change({ timezone })}
            searchable
            disabled={!may_change}
            error={editor.errorAt('timezone')}
          />
        </div>
      )}
      <Echo editor={editor} />
    </Section>
  )
}

/** Seven options for a week, 31 for a month; for daily there is nothing to choose. */
function CycleField({ editor: { draft, change, may_change } }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const reports = useTranslation('reports')
  const { update_frequency } = draft
  const days = Array.from({ length: cycleLength(update_frequency) }, (_, index) => index + 1)
  const is_weekly = update_frequency === frequency.weekly
  const day = is_weekly ? draft.update_day_of_week : draft.update_day_of_month
  const nameOf = (number: number) => {
    const weekday = is_weekly && weekdays.find(known => known === number)
    return weekday ? reports.t(`weekday.day_${weekday}`) : t('schedule.day_of_month', { day: number })
  }
  return (
    <SelectField
      label={t('schedule.cycle')}
      value={day === null ? null : String(day)}
      options={days.map(number => ({ value: String(number), label: nameOf(number) }))}
      placeholder={t('schedule.every_day')}
      onChange={value => change(chooseCycle(update_frequency, Number(value) - 1))}
      disabled={!may_change || days.length === 0}
    />
  )
}

/** The schedule in words, with its next three dates. */
function Echo({ editor: { draft, now, today, current } }: { editor: Editor }) {
  const { t, language } = useTranslation('editor')
  const reports = useTranslation('reports')
  if (draft.update_frequency === frequency.none)
    return <p className={styles.quiet}>{t('schedule.off_hint')}</p>
  const next = hasEndedBy(draft, today) ? [] : nextOccurrences(draft, now, 3)
  return (
    <div className={styles.echo} aria-live="polite">
      <strong>{scheduleText(reports.t, draft, language)}</strong>
      {next.length > 0 && (
        <span className={styles.next} data-tabular>
          {t('schedule.next')}
          {next.map(at => (
            <time key={at.getTime()} dateTime={at.toISOString()}>
              {instantText(at.toISOString(), language, draft.timezone)}
            </time>
          ))}
        </span>
      )}
      {(draft.update_day_of_month ?? 0) > 28 && <span>{t('schedule.short_months')}</span>}
      {current && current.gaps.length > 0 && <span>{t('schedule.gaps_hint')}</span>}
    </div>
  )
}

/** The browser's zones, and the report's own where the browser calls it otherwise. */
const zones = (own: string) => [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own])]
