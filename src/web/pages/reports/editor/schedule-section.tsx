import { memo, useMemo } from 'react'
import { frequency, nextOccurrences } from '#shared/schedule.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TimeOfDayField } from '#web/ui/time-of-day-field.tsx'
import { instantText } from '#web/ui/times.ts'
import { zoneSuffix } from '#web/ui/zone-text.ts'
import { QuieterTime } from '#web/pages/reports/schedule-load/quieter-time.tsx'
import { scheduleText, weekdays } from '#web/pages/reports/schedule-text.ts'
import styles from './editor.module.css'
import type { Draft } from './draft.ts'
import { EndedNotice } from './ended-notice.tsx'
import { changeFrequency, chooseCycle, cycleLength } from './schedule-change.ts'
import { Section } from './section.tsx'
import type { Editing } from './use-editor.ts'
import type { RangeFacts } from './use-range-facts.ts'
import { zoneOptions } from './zone-options.ts'

const offered = ['off', 'daily', 'weekly', 'monthly'] as const
const values = {
  off: frequency.none,
  daily: frequency.daily,
  weekly: frequency.weekly,
  monthly: frequency.monthly,
}

type Schedule = Pick<
  Draft,
  'update_frequency' | 'update_day_of_week' | 'update_day_of_month' | 'update_time' | 'timezone'
>

interface ScheduleSectionProps {
  schedule: Schedule
  date_range: Draft['date_range']
  facts: RangeFacts
  now: Date
  /** Something is still to be set up. */
  has_gaps: boolean
  editing: Editing
}

/** When the report updates by itself. */
export const ScheduleSection = memo(function ScheduleSection(props: ScheduleSectionProps) {
  const { schedule, editing, now } = props
  const { change, errors } = editing
  const { t, language } = useTranslation('editing')
  const chosen = offered.find(name => values[name] === schedule.update_frequency)
  const zones = useMemo(
    () => zoneOptions(schedule.timezone, { now, language }),
    [schedule.timezone, now, language],
  )
  const isOff = schedule.update_frequency === frequency.none
  return (
    <Section name="schedule">
      <SegmentedField
        label={t('schedule.frequency')}
        value={chosen ?? ''}
        options={offered.map(name => ({ value: name, label: t(`schedule.${name}`) }))}
        onChange={name => change(changeFrequency(values[name]))}
      />
      {!isOff && (
        <div className={styles.schedule}>
          <CycleField schedule={schedule} editing={editing} />
          <TimeOfDayField
            label={t('schedule.time')}
            value={schedule.update_time}
            onChange={update_time => change({ update_time })}
          />
          <SelectField
            label={t('schedule.timezone')}
            value={schedule.timezone}
            options={zones}
            onChange={timezone => change({ timezone })}
            searchable
            error={errors.at('timezone')}
          />
        </div>
      )}
      <Echo {...props} />
      {!isOff && <QuieterTime schedule={schedule} onTake={update_time => change({ update_time })} />}
    </Section>
  )
})

/** Seven options for a week, 31 for a month; for daily there is nothing to choose. */
function CycleField({ schedule, editing: { change } }: Pick<ScheduleSectionProps, 'schedule' | 'editing'>) {
  const { t } = useTranslation('editing')
  const { t: tReports } = useTranslation('reports')
  const { update_frequency } = schedule
  const days = Array.from({ length: cycleLength(update_frequency) }, (_, index) => index + 1)
  const isWeekly = update_frequency === frequency.weekly
  const day = isWeekly ? schedule.update_day_of_week : schedule.update_day_of_month
  const nameOf = (number: number) => {
    const weekday = isWeekly && weekdays.find(known => known === number)
    return weekday ? tReports(`weekday.day_${weekday}`) : t('schedule.day_of_month', { day: number })
  }
  return (
    <SelectField
      label={t('schedule.cycle')}
      value={day === null ? null : String(day)}
      options={days.map(number => ({ value: String(number), label: nameOf(number) }))}
      placeholder={t('schedule.every_day')}
      onChange={value => change(chooseCycle(update_frequency, Number(value) - 1))}
      disabled={days.length === 0}
    />
  )
}

/** The schedule in words, with its next three dates; or that there is none, or none any more. */
function Echo({ schedule, date_range, facts, now, has_gaps, editing }: ScheduleSectionProps) {
  const { t, language } = useTranslation('editing')
  const { t: tReports } = useTranslation('reports')
  if (schedule.update_frequency === frequency.none)
    return <p className={styles.quiet}>{t('schedule.off_hint')}</p>
  if (facts.ended)
    return <EndedNotice date_range={date_range} extended_end={facts.extended_end} editing={editing} />
  const next = nextOccurrences(schedule, now, 3)
  return (
    <div className={styles.echo} aria-live="polite">
      <strong>{scheduleText(tReports, schedule, language)}</strong>
      <span className={styles.next} data-tabular>
        {t('schedule.next')}
        {next.map(at => (
          <time key={at.getTime()} dateTime={at.toISOString()}>
            {instantText(at.toISOString(), language, schedule.timezone)}
            {zoneSuffix(schedule.timezone, language)}
          </time>
        ))}
      </span>
      {(schedule.update_day_of_month ?? 0) > 28 && <span>{t('schedule.short_months')}</span>}
      {has_gaps && <span>{t('schedule.gaps_hint')}</span>}
    </div>
  )
}
