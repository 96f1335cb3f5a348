import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { MAX_DOCUMENT, stepOf } from '#shared/billing/step.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import {
  formatAmount,
  formatMoney,
  parseMoney,
  stepDecimals,
  type AmountFault,
  type TypedAmount,
} from './money.ts'
import styles from './money-input.module.css'

interface MoneyInputProps {
  /** Left out: give an aria-label. */
  label?: ReactNode
  'aria-label'?: string
  /** Millionths; null: nothing is typed. */
  value: TypedAmount
  onChange: (value: TypedAmount) => void
  currency: string
  /** Amounts below zero may be typed. */
  signed?: boolean
  /** It is a price: only what it amounts to is billed, in steps of the currency. */
  offStep?: boolean
  /** What the field shows at first, where that was no amount. */
  unread?: string | undefined
  /** What is wrong with the amount for other reasons. */
  error?: ReactNode
  hint?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
  /** Without the currency beside it, where a column or another field says it. */
  withoutCurrency?: boolean
  focusedFirst?: boolean
  onBlur?: () => void
}

/**
 * An amount, typed in units of its currency. It is written with separators once the field is left; what is
 * wrong with it is said then, too, and goes when it is mended.
 */
export function MoneyInput(props: MoneyInputProps) {
  const { value, onChange, currency, withoutCurrency = false, error, hint, onBlur } = props
  const { signed = false, offStep = false, unread = '' } = props
  const { language } = useTranslation('money')
  const written = (amount: TypedAmount) =>
    typeof amount === 'number' ? formatAmount(amount, currency, language) : ''
  const [text, setText] = useState(() => (value === 'invalid' ? unread : written(value)))
  const [isTyping, setIsTyping] = useState(false)
  const { amount, fault } = parseMoney(text, currency, { signed, offStep })
  const [known, setKnown] = useState(value)
  // The amount has changed elsewhere: a row was moved, the form was reset.
  if (known !== value) {
    setKnown(value)
    if (value !== 'invalid' && value !== amount) setText(written(value))
  }
  const problem = fault !== null && !isTyping ? <AmountProblem fault={fault} currency={currency} /> : error
  function type(next: string) {
    setText(next)
    const parsed = parseMoney(next, currency, { signed, offStep })
    onChange(parsed.fault === null ? parsed.amount : 'invalid')
  }
  return (
    <TextInput
      label={props.label}
      {...(props['aria-label'] !== undefined && { 'aria-label': props['aria-label'] })}
      {...(hint !== undefined && { description: hint })}
      {...(props.placeholder !== undefined && { placeholder: props.placeholder })}
      {...(props.required && { withAsterisk: true, 'aria-required': true })}
      {...(props.focusedFirst && { 'data-autofocus': true })}
      disabled={props.disabled ?? false}
      error={problem}
      inputMode={signed ? 'text' : 'decimal'}
      autoComplete="off"
      maxLength={40}
      classNames={{ input: styles.figures ?? '' }}
      {...(!withoutCurrency && {
        rightSection: <span className={styles.currency}>{currency}</span>,
        rightSectionWidth: 48,
        rightSectionPointerEvents: 'none' as const,
      })}
      value={text}
      onChange={event => type(event.currentTarget.value)}
      onFocus={() => setIsTyping(true)}
      onBlur={() => {
        setIsTyping(false)
        if (fault === null) setText(written(amount))
        onBlur?.()
      }}
    />
  )
}

function AmountProblem({ fault, currency }: { fault: AmountFault; currency: string }) {
  const { t, language } = useTranslation('money')
  switch (fault) {
    case 'not_an_amount':
      return t('amount.not_an_amount', { example: formatAmount(1_234_000_000, currency, language) })
    case 'negative':
      return t('amount.negative')
    case 'too_large':
      return t('amount.too_large', { most: formatMoney(MAX_DOCUMENT, currency, language) })
    case 'off_step':
      return stepDecimals(currency) === 0
        ? t('amount.whole', { currency })
        : t('amount.step', { step: formatMoney(stepOf(currency), currency, language) })
  }
}
