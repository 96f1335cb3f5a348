import { memo, useMemo } from 'react'
import { rangeOfRun } from '#shared/date-range.ts'
import { limits } from '#shared/limits.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { TargetFields } from '#web/pages/reports/target/target-fields.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { DatesSection } from './dates-section.tsx'
import { DimensionsSection } from './dimensions-section.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { ScheduleSection } from './schedule-section.tsx'
import { Section, SectionBelow } from './section.tsx'
import { TableSection } from './table-section.tsx'
import type { Editing, Editor } from './use-editor.ts'
import type { EditorLanding } from './use-landing.ts'
import { useRangeFacts } from './use-range-facts.ts'
import { zeroBuckets } from './zero-buckets.ts'

/**
 * Each section gets what it shows and no more, so that a letter typed in one leaves the others alone. What
 * follows from other sections comes from the settled draft, a moment later.
 */
export function Sections({ editor, landing }: { editor: Editor; landing: EditorLanding }) {
  const { draft, settled, known, base, current, editing, today } = editor
  const { update_frequency, update_day_of_week, update_day_of_month, update_time, timezone } = draft
  const schedule = useMemo(
    () => ({ update_frequency, update_day_of_week, update_day_of_month, update_time, timezone }),
    [update_frequency, update_day_of_week, update_day_of_month, update_time, timezone],
  )
  const { sort, limit, dimensions, channels, arrangement } = draft
  const sorted = useMemo(
    () => ({ sort, limit, dimensions, channels, arrangement }),
    [sort, limit, dimensions, channels, arrangement],
  )
  const facts = useRangeFacts(editor)
  const range = useMemo(() => rangeOfRun(settled.date_range, today), [settled.date_range, today])
  return (
    <div className={styles.sections}>
      <NameSection name={draft.name} editing={editing} />
      <ChannelsSection
        channels={draft.channels}
        header_language={draft.header_language}
        dimensions={settled.dimensions}
        known={known}
        current={current}
        editing={editing}
      />
      <DimensionsSection
        dimensions={draft.dimensions}
        channels={settled.channels}
        known={known}
        editing={editing}
      />
      <SectionBelow name="table">
        <TableSection
          several={draft.channels.length > 1}
          arrangement={draft.arrangement}
          fill_zero={draft.fill_zero}
          format_table={draft.format_table}
          header_language={draft.header_language}
          buckets={zeroBuckets(settled, range)}
          sorted={sorted}
          currency={draft.currency}
          comparison={draft.comparison}
          note={draft.note}
          blends={draft.blends}
          range={range}
          known={known}
          editing={editing}
        />
      </SectionBelow>
      <SectionBelow name="dates">
        <DatesSection
          id={base?.id ?? null}
          date_range={draft.date_range}
          facts={facts}
          scheduled={update_frequency !== 0}
          editing={editing}
        />
      </SectionBelow>
      <SectionBelow name="schedule">
        <ScheduleSection
          schedule={schedule}
          date_range={draft.date_range}
          facts={facts}
          now={editor.now}
          has_gaps={current !== null && current.gaps.length > 0}
          editing={editing}
        />
      </SectionBelow>
      <SectionBelow name="spreadsheet">
        <TargetSection draft={draft} editing={editing} landing={landing} />
      </SectionBelow>
    </div>
  )
}

const NameSection = memo(function NameSection({ name, editing }: { name: string; editing: Editing }) {
  const { t } = useTranslation('editor')
  const { change, errors } = editing
  return (
    <Section name="name">
      <TextField
        label={t('name')}
        value={name}
        onChange={text => change({ name: text })}
        error={errors.at('name')}
        maxLength={limits.name}
        required
      />
    </Section>
  )
})

interface TargetSectionProps {
  draft: Draft
  editing: Editing
  landing: EditorLanding
}

const TargetSection = memo(
  function TargetSection({ draft, editing, landing }: TargetSectionProps) {
    const { change, errors } = editing
    return (
      <Section name="spreadsheet">
        <TargetFields
          value={draft}
          onChange={change}
          targetCheck={landing.targetCheck}
          size={landing.size}
          report_name={draft.name}
          accounts={draft.channels.flatMap(block => block.accounts)}
          errors={{
            spreadsheet_url: errors.at('spreadsheet_url'),
            sheet_name: errors.at('sheet_name'),
            start_cell: errors.at('start_cell'),
          }}
        />
      </Section>
    )
  },
  (before, after) =>
    before.editing === after.editing &&
    before.landing === after.landing &&
    before.draft.name === after.draft.name &&
    before.draft.channels === after.draft.channels &&
    before.draft.spreadsheet_url === after.draft.spreadsheet_url &&
    before.draft.sheet_name === after.draft.sheet_name &&
    before.draft.start_cell === after.draft.start_cell,
)
