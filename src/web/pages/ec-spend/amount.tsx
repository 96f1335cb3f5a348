import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatAmount, formatMoney } from '#web/ui/money.ts'
import styles from './ec-spend.module.css'
import type { Cell } from './lines.ts'

interface AmountProps {
  cell: Cell | undefined
  currency: string
  /** The currency is written with it, where no heading says it. */
  withCurrency?: boolean
}

/** An amount as far as it is known; what is not is never 0, and says why. */
export function Amount({ cell, currency, withCurrency = false }: AmountProps) {
  const { t, language } = useTranslation('spending')
  if (!cell) return null
  const write = withCurrency ? formatMoney : formatAmount
  const gap = cell.gap && t(`gap.${cell.amount === null ? cell.gap : 'partly'}`)
  return (
    <span className={styles.amount} {...(gap && { title: gap, 'data-gap': true })}>
      {cell.amount === null ? '—' : write(cell.amount, currency, language)}
      {cell.amount !== null && gap && <span aria-hidden>*</span>}
      {gap && <VisuallyHidden> {gap}</VisuallyHidden>}
    </span>
  )
}

/** By how much something has changed, in an arrow and per cent. */
export function Change({ share }: { share: number | null }) {
  const { t, language } = useTranslation('spending')
  if (share === null) return <span className={styles.quiet}>{t('change.unknown')}</span>
  const rounded = Math.round(share * 1000)
  const text = (Math.abs(rounded) / 1000).toLocaleString(language, {
    style: 'percent',
    maximumFractionDigits: 1,
  })
  const way = rounded === 0 ? 'same' : rounded < 0 ? 'less' : 'more'
  return (
    <span className={styles.share}>
      <span aria-hidden>
        {{ same: '=', less: '↓', more: '↑' }[way]} {text}
      </span>
      <VisuallyHidden>{t(`change.${way}`, { share: text })}</VisuallyHidden>
    </span>
  )
}
