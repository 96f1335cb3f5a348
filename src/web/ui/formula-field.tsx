import { Input } from '@mantine/core'
import { useId, useRef, type ReactNode, type RefObject } from 'react'
import { FORMULA_LENGTH } from '#shared/formula.ts'
import styles from './formula-field.module.css'

interface FormulaFieldProps {
  label: string
  value: string
  onChange: (formula: string) => void
  /** The place at which it stops being a formula. */
  fault: { at: number; length: number } | null
  error?: ReactNode
  placeholder?: string
  field: RefObject<HTMLTextAreaElement | null>
}

/** A formula with the place underlined at which it stops being one. */
export function FormulaField({ value, onChange, fault, field, ...props }: FormulaFieldProps) {
  const id = useId()
  const copy = useRef<HTMLDivElement>(null)
  const { label, error, placeholder } = props
  return (
    <Input.Wrapper id={id} label={label} withAsterisk {...(error && { error })}>
      <div className={styles.frame} data-error={Boolean(error) || undefined}>
        {/* The same text in the same place, since a field cannot underline a part of its own. */}
        <div ref={copy} className={styles.copy} aria-hidden>
          {fault ? <Marked text={value} {...fault} /> : value}
        </div>
        <textarea
          ref={field}
          id={id}
          className={styles.input}
          value={value}
          rows={2}
          maxLength={FORMULA_LENGTH}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          placeholder={placeholder}
          aria-required
          aria-invalid={Boolean(error)}
          {...(error && { 'aria-describedby': `${id}-error` })}
          onChange={event => onChange(event.currentTarget.value)}
          onScroll={event => copy.current?.scrollTo({ top: event.currentTarget.scrollTop })}
        />
      </div>
    </Input.Wrapper>
  )
}

function Marked({ text, at, length }: { text: string; at: number; length: number }) {
  return (
    <>
      {text.slice(0, at)}
      {/* At the end nothing is there to be underlined. */}
      <mark>{text.slice(at, at + length) || '\u00A0'}</mark>
      {text.slice(at + length)}
    </>
  )
}

/** Writes at the cursor, with a space to what is beside it, and leaves the cursor behind it. */
export function insertInto(
  field: HTMLTextAreaElement | null,
  text: string,
  { value, onChange }: Pick<FormulaFieldProps, 'value' | 'onChange'>,
): void {
  const from = field?.selectionStart ?? value.length
  const [before, after] = [value.slice(0, from), value.slice(field?.selectionEnd ?? from)]
  const written = `${/[^\s(]$/.test(before) ? ' ' : ''}${text}${/^[^\s)]/.test(after) ? ' ' : ''}`
  if (before.length + written.length + after.length > FORMULA_LENGTH) return
  onChange(before + written + after)
  // Once the field has the new text.
  requestAnimationFrame(() => {
    field?.focus()
    field?.setSelectionRange(before.length + written.length, before.length + written.length)
  })
}
