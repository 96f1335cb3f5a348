import { memo } from 'react'
import type { DayRange } from '#shared/date-range.ts'
import { languageNames, languages } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { BlendsFields } from './blends-fields.tsx'
import { ComparisonFields } from './comparison-fields.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import type { KnownHere } from './known.ts'
import { ReportCurrency } from './report-currency.tsx'
import { Section } from './section.tsx'
import { SortFields, type SortedDraft } from './sort-fields.tsx'
import type { Editing } from './use-editor.ts'

interface TableSectionProps {
  /** Only several channels have to be arranged. */
  several: boolean
  arrangement: Draft['arrangement']
  fill_zero: boolean
  format_table: boolean
  header_language: Draft['header_language']
  /** Into how many rows filling with 0 makes each combination; null: it fills only what is empty. */
  buckets: number | null
  /** What decides the order of rows. */
  sorted: SortedDraft
  currency: Draft['currency']
  comparison: Draft['comparison']
  note: boolean
  blends: Draft['blends']
  /** The days of a run today; null: none. */
  range: DayRange | null
  known: KnownHere
  editing: Editing
}

/** How the table is laid out. */
export const TableSection = memo(function TableSection(props: TableSectionProps) {
  const { several, arrangement, fill_zero, format_table, header_language, buckets, sorted, editing } = props
  const { known, note, blends } = props
  const { change } = editing
  const { t } = useTranslation('editor')
  return (
    <Section name="table">
      {several && (
        <SegmentedField
          label={t('table.arrangement')}
          value={arrangement}
          options={[
            { value: 'joined', label: t('table.joined') },
            { value: 'stacked', label: t('table.stacked') },
          ]}
          hint={t(`table.${arrangement}_hint`)}
          onChange={chosen => change({ arrangement: chosen })}
        />
      )}
      <div className={styles.pair}>
        <SwitchField
          label={t('table.fill_zero')}
          hint={buckets === null ? t('table.fill_zero_cheap') : t('table.fill_zero_cost', { count: buckets })}
          checked={fill_zero}
          onChange={chosen => change({ fill_zero: chosen })}
        />
        <SwitchField
          label={t('table.format_table')}
          hint={t('table.format_table_hint')}
          checked={format_table}
          onChange={chosen => change({ format_table: chosen })}
        />
        <SelectField
          label={t('table.header_language')}
          value={header_language}
          options={languages.map(language => ({ value: language, label: languageNames[language] }))}
          onChange={chosen => change({ header_language: chosen })}
        />
      </div>
      <SortFields draft={sorted} known={known} editing={editing} />
      <div className={styles.pair}>
        <ReportCurrency currency={props.currency} known={known} editing={editing} />
        <SwitchField
          label={t('table.note')}
          hint={t('table.note_hint')}
          checked={note}
          onChange={chosen => change({ note: chosen })}
        />
      </div>
      <ComparisonFields
        comparison={props.comparison}
        dimensions={sorted.dimensions}
        range={props.range}
        editing={editing}
      />
      {((several && arrangement === 'joined') || blends.length > 0) && (
        <BlendsFields
          blends={blends}
          channels={sorted.channels}
          isStacked={arrangement === 'stacked'}
          known={known}
          editing={editing}
        />
      )}
    </Section>
  )
})
