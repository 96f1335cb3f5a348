import { Chip, Group, Input } from '@mantine/core'
import '@mantine/core/styles/Chip.layer.css'
import { useId, type ReactNode } from 'react'

interface ChipsFieldProps<Value extends string> {
  label: string
  options: readonly { value: Value; label: string }[]
  value: readonly Value[]
  onChange: (value: Value[]) => void
  hint?: ReactNode
  error?: ReactNode
}

/** Any of a few, all in view. They stay in the order of the options. */
export function ChipsField<Value extends string>(props: ChipsFieldProps<Value>) {
  const { label, options, value, onChange, hint, error } = props
  const id = useId()
  return (
    <Input.Wrapper
      labelElement="div"
      label={label}
      labelProps={{ id }}
      {...(hint !== undefined && { description: hint })}
      {...(error !== undefined && { error })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <Group gap={6} mt={4} mb={4} role="group" aria-labelledby={id}>
        {options.map(option => (
          <Chip
            key={option.value}
            size="sm"
            variant="light"
            checked={value.includes(option.value)}
            onChange={checked =>
              onChange(
                options
                  .map(({ value: each }) => each)
                  .filter(each => (each === option.value ? checked : value.includes(each))),
              )
            }
          >
            {option.label}
          </Chip>
        ))}
      </Group>
    </Input.Wrapper>
  )
}
