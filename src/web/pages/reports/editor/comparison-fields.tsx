import { Input } from '@mantine/core'
import { memo } from 'react'
import { comparedParts, comparedRange } from '#shared/comparison.ts'
import type { DayRange } from '#shared/date-range.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { SectionErrors } from './section.tsx'
import type { Editing } from './use-editor.ts'

interface ComparisonFieldsProps {
  comparison: Draft['comparison']
  dimensions: Draft['dimensions']
  /** The days of a run today; null: none. */
  range: DayRange | null
  editing: Editing
}

type Comparison = NonNullable<Draft['comparison']>
const periods = ['off', 'previous_period', 'last_year'] as const

/** Which period stands beside the numbers, and how. */
export const ComparisonFields = memo(function ComparisonFields({
  comparison,
  dimensions,
  range,
  editing,
}: ComparisonFieldsProps) {
  const { t } = useTranslation('editing')
  const set = (changed: Comparison | null) => editing.change({ comparison: changed })
  // Weeks begin on a Monday in both periods.
  const initial = { align: dimensions.includes('week') ? ('weekday' as const) : ('date' as const) }
  return (
    <>
      <SegmentedField
        label={t('compare.label')}
        value={comparison?.to ?? 'off'}
        options={periods.map(value => ({ value, label: t(`compare.${value}`) }))}
        hint={t('compare.hint')}
        onChange={to =>
          set(to === 'off' ? null : { ...initial, show: ['value', 'percent'], ...comparison, to })
        }
      />
      {comparison && (
        <div className={styles.pair}>
          <SegmentedField
            label={t('compare.align')}
            value={comparison.align}
            options={(['date', 'weekday'] as const).map(value => ({
              value,
              label: t(`compare.align_${value}`),
            }))}
            hint={t(`compare.align_${comparison.align}_hint`)}
            onChange={align => set({ ...comparison, align })}
          />
          <Parts comparison={comparison} onChange={set} />
        </div>
      )}
      <SectionErrors paths={['comparison']} editing={editing} />
      {comparison && range && editing.errors.of('comparison').length === 0 && (
        <p className={styles.echo} aria-live="polite">
          {t('compare.echo', { ...comparedRange(range, comparison) })}
        </p>
      )}
    </>
  )
})

function Parts({
  comparison,
  onChange,
}: {
  comparison: Comparison
  onChange: (changed: Comparison) => void
}) {
  const { t } = useTranslation('editing')
  const { show } = comparison
  return (
    <Input.Wrapper labelElement="div" label={t('compare.show')}>
      <div className={styles.checks} role="group" aria-label={t('compare.show')}>
        {comparedParts.map(part => (
          <CheckboxField
            key={part}
            label={t(`compare.show_${part}`)}
            checked={show.includes(part)}
            // Something is shown.
            disabled={show.length === 1 && show.includes(part)}
            onChange={checked =>
              onChange({
                ...comparison,
                show: comparedParts.filter(each => (each === part ? checked : show.includes(each))),
              })
            }
          />
        ))}
      </div>
    </Input.Wrapper>
  )
}
