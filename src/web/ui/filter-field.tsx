import type { ReactNode } from 'react'
import { SelectField } from './select-field.tsx'

interface FilterFieldProps<Value extends string | number> {
  /** Drawn above; left out: give an aria-label. */
  label?: ReactNode
  'aria-label'?: string
  /** The label of the entry that filters nothing. */
  any: string
  options: readonly { value: Value; label: string }[]
  /** undefined: any. */
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}

const ANY = 'any'

/** One of several values that a list is filtered by, or any. */
export function FilterField<Value extends string | number>(props: FilterFieldProps<Value>) {
  const { any, options, value, onChange, ...names } = props
  return (
    <SelectField
      {...names}
      value={String(value ?? ANY)}
      options={[
        { value: ANY, label: any },
        ...options.map(option => ({ value: String(option.value), label: option.label })),
      ]}
      onChange={chosen => onChange(options.find(option => String(option.value) === chosen)?.value)}
    />
  )
}
