import { TextInput } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './code-field.module.css'

interface CodeFieldProps {
  label: ReactNode
  /** app: six digits that a phone shows. recovery: letters and digits that the person has saved. */
  kind: 'app' | 'recovery'
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
  /** It takes the focus when it appears. */
  focusedFirst?: boolean
}

/** A code that is good once: typed, pasted, or filled in by the browser. */
export function CodeField({ kind, onChange, hint, focusedFirst = false, ...props }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusedFirst) input.current?.focus()
  }, [focusedFirst])
  return (
    <TextInput
      {...props}
      {...kinds[kind]}
      {...(hint !== undefined && { description: hint })}
      {...(focusedFirst && { 'data-autofocus': true })}
      ref={input}
      classNames={{ input: styles.input ?? '' }}
      spellCheck={false}
      autoCapitalize="none"
      onChange={event => onChange(clean[kind](event.currentTarget.value))}
    />
  )
}

const kinds = {
  app: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  recovery: { inputMode: 'text', autoComplete: 'off', maxLength: 100 },
} as const

const clean = {
  // Apps show and copy 123 456.
  app: (text: string) => text.replaceAll(/\D/g, '').slice(0, 6),
  recovery: (text: string) => text,
}
