import { TagsInput } from '@mantine/core'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import type { ReactNode } from 'react'

interface TagsFieldProps {
  /** Left out: give an aria-label. */
  label?: ReactNode
  value: readonly string[]
  onChange: (value: string[]) => void
  placeholder?: string
  hint?: ReactNode
  error?: ReactNode
  disabled?: boolean
  /** The most that may be typed. */
  limit?: number
  /** Of each of them. */
  maxLength?: number
  /** What ends a text besides Enter, also within what is pasted; left out: lines and tabs. */
  separators?: readonly string[]
  /** What could be meant, while something is typed. */
  suggestions?: readonly string[]
  onSearch?: (search: string) => void
  onFocus?: () => void
  onBlur?: () => void
  'aria-label'?: string
}

const LINES = ['\n', '\t']

/** Several texts, each typed and ended with Enter; one that was begun counts when the field is left. */
export function TagsField(props: TagsFieldProps) {
  const {
    value,
    onChange,
    placeholder,
    hint,
    limit,
    separators = LINES,
    suggestions,
    onSearch,
    ...rest
  } = props
  return (
    <TagsInput
      {...rest}
      {...(hint !== undefined && { description: hint })}
      {...(placeholder !== undefined && value.length === 0 && { placeholder })}
      {...(suggestions && { data: [...new Set(suggestions)] })}
      {...(onSearch && { onSearchChange: onSearch })}
      {...(limit !== undefined && { maxTags: limit })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={[...value]}
      onChange={onChange}
      splitChars={[...separators]}
      acceptValueOnBlur
      // The list scrolls by itself, 14 rem high: screen readers announce one box, not two.
      withScrollArea={false}
      styles={{ options: { maxHeight: 224, overflowY: 'auto' } }}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
    />
  )
}
