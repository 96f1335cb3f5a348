import { Select } from '@mantine/core'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

export interface Option<Value extends string> {
  value: Value
  label: string
  disabled?: boolean
}

interface SelectFieldProps<Value extends string> {
  /** Left out: give an aria-label. */
  label?: ReactNode
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  /** Type to find an option. */
  searchable?: boolean
  placeholder?: string
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
  /** What the list says when the search finds nothing. */
  nothing_found?: string
  'aria-label'?: string
}

/** One of several. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { t } = useTranslation('ui')
  const { options, onChange, hint, required, nothing_found, ...rest } = props
  return (
    <Select
      {...rest}
      {...(hint !== undefined && { description: hint })}
      {...(required && { withAsterisk: true, 'aria-required': true })}
      data={options.map(option => ({ ...option }))}
      onChange={chosen => {
        const option = options.find(({ value }) => value === chosen)
        if (option) onChange(option.value)
      }}
      allowDeselect={false}
      // 14 rem
      maxDropdownHeight={224}
      nothingFoundMessage={nothing_found ?? t('nothing_found')}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
    />
  )
}
