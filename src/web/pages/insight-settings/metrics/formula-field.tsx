import { Input } from '@mantine/core'
import { useId, useRef, type ReactNode, type RefObject } from 'react'
import { FORMULA_LENGTH } from '#shared/formula.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './metrics.module.css'
import type { FormulaFault } from './operands.ts'

interface FormulaFieldProps {
  value: string
  onChange: (formula: string) => void
  fault: FormulaFault | null
  /** What the server says, or that it is missing. */
  error?: ReactNode
  field: RefObject<HTMLTextAreaElement | null>
}

const EXAMPLE = 'cost / (purchases + leads)'
const operators = ['+', '−', '×', '÷', '(', ')'] as const

/** A formula with the place underlined at which it stops being one. */
export function FormulaField({ value, onChange, fault, error, field }: FormulaFieldProps) {
  const { t } = useTranslation('insight')
  const id = useId()
  const copy = useRef<HTMLDivElement>(null)
  const message = fault && <FaultText why={fault.why} />
  const insert = useInsert({ value, onChange, field })
  return (
    <Input.Wrapper id={id} label={t('field.formula')} withAsterisk {...(error && { error })}>
      <div className={styles.editor} data-error={Boolean(fault ?? error) || undefined}>
        {/* The same text in the same place, since a field cannot underline a part of its own. */}
        <div ref={copy} className={styles.copy} aria-hidden>
          {fault ? <Marked text={value} fault={fault} /> : value}
        </div>
        <textarea
          ref={field}
          id={id}
          className={styles.input}
          value={value}
          rows={3}
          maxLength={FORMULA_LENGTH}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          placeholder={EXAMPLE}
          aria-required
          aria-invalid={fault !== null || Boolean(error)}
          aria-describedby={`${id}-fault`}
          onChange={event => onChange(event.currentTarget.value)}
          onScroll={event => copy.current?.scrollTo({ top: event.currentTarget.scrollTop })}
        />
      </div>
      <div className={styles.operators} role="group" aria-label={t('formula.operators')}>
        {operators.map(operator => (
          <button
            key={operator}
            type="button"
            aria-label={t(`formula.operator.${operator}`)}
            onClick={() => insert(operator)}
          >
            {operator}
          </button>
        ))}
      </div>
      <p id={`${id}-fault`} className={styles.fault} aria-live="polite">
        {message}
      </p>
    </Input.Wrapper>
  )
}

/** Writes at the cursor, with a space to what is beside it, and leaves the cursor behind it. */
export function useInsert({
  value,
  onChange,
  field,
}: Pick<FormulaFieldProps, 'value' | 'onChange' | 'field'>) {
  return (text: string) => {
    const from = field.current?.selectionStart ?? value.length
    const to = field.current?.selectionEnd ?? value.length
    const before = value.slice(0, from)
    const after = value.slice(to)
    const written = `${/[^\s(]$/.test(before) && text !== ')' ? ' ' : ''}${text}${/^[^\s)]/.test(after) ? ' ' : ''}`
    if (before.length + written.length + after.length > FORMULA_LENGTH) return
    onChange(before + written + after)
    const cursor = before.length + written.length
    // Once the field has the new text.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(cursor, cursor)
    })
  }
}

function Marked({ text, fault: { at, length } }: { text: string; fault: FormulaFault }) {
  return (
    <>
      {text.slice(0, at)}
      {/* At the end nothing is there to be underlined. */}
      <mark>{text.slice(at, at + length) || '\u00A0'}</mark>
      {text.slice(at + length)}
    </>
  )
}

function FaultText({ why }: Pick<FormulaFault, 'why'>) {
  const { t } = useTranslation('insight')
  switch (why.kind) {
    case 'syntax':
      return t('fault.syntax', { place: why.place, found: why.found })
    case 'unknown':
      return t('fault.unknown', { metric: why.metric })
    case 'apart':
      return t('fault.apart', { metric: why.metric })
    case 'unfinished':
    case 'mixed':
    case 'no_money':
      return t(`fault.${why.kind}`)
  }
}
