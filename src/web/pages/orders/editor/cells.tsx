import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { TypedAmount } from '#web/ui/money.ts'
import type { LineField } from './draft.ts'
import styles from './lines.module.css'
import { parseQuantity } from './quantity.ts'

// Native controls: a quotation of a hundred lines has more than a thousand cells.

interface CellProps {
  /** With the line, for screen readers. */
  label: string
  /** What the column is called; shown on a phone, where there is no row of headers. */
  name: string
  field: LineField
  error: ReactNode
}

/** A cell whose control is drawn by others and says itself what is wrong. */
export function Cell({ name, field, children }: CellProps & { children: ReactNode }) {
  return (
    <div className={styles.cell} data-field={field}>
      <span className={styles.name} aria-hidden>
        {name}
      </span>
      {children}
    </div>
  )
}

interface TextCellProps extends CellProps {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'date'
  min?: string
  maxLength?: number
  inputMode?: 'numeric'
  onFocus?: () => void
  onBlur?: () => void
}

export function TextCell({ label, name, field, error, value, onChange, ...input }: TextCellProps) {
  const id = useId()
  return (
    <div className={styles.cell} data-field={field}>
      <span className={styles.name} aria-hidden>
        {name}
      </span>
      <input
        {...input}
        className={styles.input}
        aria-label={label}
        autoComplete="off"
        {...(input.type !== 'date' && { placeholder: name })}
        {...(Boolean(error) && { 'aria-invalid': true, 'aria-describedby': id })}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <Fault id={id} error={error} />
    </div>
  )
}

interface ChoiceCellProps<Value extends string> extends CellProps {
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

export function ChoiceCell<Value extends string>(props: ChoiceCellProps<Value>) {
  const { label, name, field, error, value, options, onChange } = props
  const id = useId()
  return (
    <div className={styles.cell} data-field={field}>
      <span className={styles.name} aria-hidden>
        {name}
      </span>
      <select
        className={styles.input}
        aria-label={label}
        {...(Boolean(error) && { 'aria-invalid': true, 'aria-describedby': id })}
        value={value}
        onChange={event => {
          const chosen = options.find(option => option.value === event.currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Fault id={id} error={error} />
    </div>
  )
}

interface QuantityCellProps {
  label: string
  value: TypedAmount
  /** What was pasted and is no number. */
  unread: string | undefined
  error: ReactNode
  onChange: (quantity: TypedAmount) => void
}

/** A whole number, written with separators once the field is left. */
export function QuantityCell({ label, value, unread = '', error, onChange }: QuantityCellProps) {
  const { language } = useTranslation('quotation')
  const id = useId()
  const written = typeof value === 'number' ? value.toLocaleString(language) : unread
  const [text, setText] = useState<string | null>(null)
  return (
    <>
      <input
        className={styles.input}
        data-figures
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        maxLength={20}
        {...((Boolean(error) || (value === 'invalid' && text === null)) && {
          'aria-invalid': true,
          'aria-describedby': id,
        })}
        value={text ?? written}
        onFocus={() => setText(text ?? written)}
        onBlur={() => {
          if (value !== 'invalid') setText(null)
        }}
        onChange={event => {
          setText(event.currentTarget.value)
          onChange(parseQuantity(event.currentTarget.value))
        }}
      />
      <Fault id={id} error={error} />
    </>
  )
}

function Fault({ id, error }: { id: string; error: ReactNode }) {
  return (
    Boolean(error) && (
      <span className={styles.fault} id={id}>
        {error}
      </span>
    )
  )
}
