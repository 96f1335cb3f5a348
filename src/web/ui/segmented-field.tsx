import { Input, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useId, type ReactNode } from 'react'
import styles from './segmented-field.module.css'

interface SegmentedFieldProps<Value extends string> {
  label: ReactNode
  /** Where something else says it to who sees the page. */
  labelHidden?: boolean
  options: readonly { value: Value; label: string }[]
  /** One that is not among the options: none is chosen. */
  value: string
  onChange: (value: Value) => void
  hint?: ReactNode
  disabled?: boolean
}

/** One of a few, all in view. */
export function SegmentedField<Value extends string>(props: SegmentedFieldProps<Value>) {
  const { label, labelHidden = false, options, value, onChange, hint, disabled = false } = props
  const id = useId()
  return (
    <Input.Wrapper
      id={id}
      className={styles.wrapper ?? ''}
      labelElement="div"
      label={labelHidden ? undefined : label}
      {...(hint !== undefined && { description: hint })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <div className={styles.field}>
        <SegmentedControl
          data={options.map(option => ({ ...option }))}
          value={value}
          onChange={chosen => {
            const option = options.find(candidate => candidate.value === chosen)
            if (option) onChange(option.value)
          }}
          disabled={disabled}
          transitionDuration={100}
          {...(typeof label === 'string' && { 'aria-label': label })}
        />
      </div>
    </Input.Wrapper>
  )
}
