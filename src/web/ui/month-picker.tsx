import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { monthsBetween, monthText } from './month.ts'
import { SelectField } from './select-field.tsx'

interface MonthPickerProps {
  /** Left out: give an aria-label. */
  label?: ReactNode
  'aria-label'?: string
  /** yyyy-MM */
  value: string | null
  onChange: (month: string | null) => void
  /** The months that can be chosen: yyyy-MM, both included. */
  from: string
  to: string
  /** What the choice of no month is called; left out: one must be chosen. */
  none?: string
  /** The latest month is the first in the list. */
  latestFirst?: boolean
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
}

const NONE = 'none'

/** One month, chosen from a list that is searched by typing its name or "2026-11". */
export function MonthPicker(props: MonthPickerProps) {
  const { value, onChange, from, to, none, latestFirst = false, ...rest } = props
  const { t, language } = useTranslation('money')
  const inRange = monthsBetween(from, to)
  // One that was chosen earlier stays, although it could not be chosen now.
  const months = value === null || inRange.includes(value) ? inRange : [...inRange, value].toSorted()
  return (
    <SelectField
      {...rest}
      searchable
      placeholder={t('month.choose')}
      value={value ?? (none === undefined ? null : NONE)}
      options={[
        ...(none === undefined ? [] : [{ value: NONE, label: none }]),
        ...(latestFirst ? months.toReversed() : months).map(month => ({
          value: month,
          label: monthText(month, language),
          keywords: month,
        })),
      ]}
      onChange={chosen => onChange(chosen === NONE ? null : chosen)}
    />
  )
}
