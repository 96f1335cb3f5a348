import { VisuallyHidden } from '@mantine/core'
import type { Language } from '#shared/language.ts'
import { currencyDecimals, MILLIONTHS } from '#shared/money.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatAmount } from '#web/ui/money.ts'
import styles from './month.module.css'

interface MoneyProps {
  /** null: it is not known. */
  amount: number | null
  currency: string
  /** A plus sign before what is above 0. */
  signed?: boolean
  /** As a platform reports it: with all its decimals, below one another. */
  reported?: boolean
  /** Why it is not known. */
  why?: string
}

/** An amount whose currency is said beside it. */
export function Money({ amount, currency, signed = false, reported = false, why }: MoneyProps) {
  const { t, language } = useTranslation('closing')
  if (amount === null) {
    const gap = why ?? t('unknown')
    return (
      <span className={styles.gap} title={gap}>
        <span aria-hidden>—</span>
        <VisuallyHidden>{gap}</VisuallyHidden>
      </span>
    )
  }
  const text = reported ? reportedText(amount, currency, language) : formatAmount(amount, currency, language)
  return <span className={styles.money}>{signed && amount > 0 ? `+${text}` : text}</span>
}

const REPORTED_DECIMALS = 2

const reportedText = (amount: number, currency: string, language: Language) =>
  (amount / MILLIONTHS).toLocaleString(language, {
    minimumFractionDigits: currencyDecimals(currency),
    maximumFractionDigits: REPORTED_DECIMALS,
  })
