import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { BASIS_POINTS } from '#shared/billing/step.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './money-input.module.css'
import { formatPercent, formatRate, parseRate, type TypedRate } from './rate.ts'

interface RateInputProps {
  /** Left out: give an aria-label. */
  label?: ReactNode
  'aria-label'?: string
  /** Basis points: 1500 is 15 %; null: nothing is typed. */
  value: TypedRate
  onChange: (value: TypedRate) => void
  /** The highest rate, in basis points. */
  most?: number
  /** What the field shows at first, where that was no rate. */
  unread?: string | undefined
  placeholder?: string
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** A rate, typed in per cent. What is wrong with it is said when the field is left. */
export function RateInput({ value, onChange, most = Number(BASIS_POINTS), ...props }: RateInputProps) {
  const { error, hint } = props
  const { t, language } = useTranslation('money')
  const written = (rate: TypedRate) => (typeof rate === 'number' ? formatPercent(rate, language) : '')
  const [text, setText] = useState(() => (value === 'invalid' ? (props.unread ?? '') : written(value)))
  const [isTyping, setIsTyping] = useState(false)
  const { rate, fault } = parseRate(text, most)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (value !== 'invalid' && value !== rate) setText(written(value))
  }
  function type(next: string) {
    setText(next)
    const parsed = parseRate(next, most)
    onChange(parsed.fault === null ? parsed.rate : 'invalid')
  }
  return (
    <TextInput
      label={props.label}
      {...(props['aria-label'] !== undefined && { 'aria-label': props['aria-label'] })}
      {...(hint !== undefined && { description: hint })}
      {...(props.required && { withAsterisk: true, 'aria-required': true })}
      {...(props.placeholder !== undefined && { placeholder: props.placeholder })}
      disabled={props.disabled ?? false}
      error={fault !== null && !isTyping ? t(`rate.${fault}`, { most: formatRate(most, language) }) : error}
      inputMode="decimal"
      autoComplete="off"
      maxLength={12}
      classNames={{ input: styles.figures ?? '' }}
      rightSection={<span className={styles.currency}>%</span>}
      rightSectionPointerEvents="none"
      value={text}
      onChange={event => type(event.currentTarget.value)}
      onFocus={() => setIsTyping(true)}
      onBlur={() => {
        setIsTyping(false)
        if (fault === null) setText(written(rate))
      }}
    />
  )
}
