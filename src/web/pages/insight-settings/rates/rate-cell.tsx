import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ExchangeRate } from '#shared/api/insight-settings.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { monthText } from '#web/ui/month.ts'
import type { RateCell } from './rate-grid.ts'
import { RateForm } from './rate-form.tsx'
import styles from './rates.module.css'

interface RateValueProps {
  month: string
  currency: string
  cell: RateCell
  mayChange: boolean
}

/** One rate, which becomes a form where it may be changed; that of a locked month stays. */
export function RateValue({ month, currency, cell, mayChange }: RateValueProps) {
  const { t, language } = useTranslation('rates')
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const rate = cell.kind === 'known' ? cell.rate : null
  if (isOpen)
    return (
      <RateForm
        month={month}
        currency={currency}
        rate={rate}
        onClose={() => {
          setIsOpen(false)
          requestAnimationFrame(() => opener.current?.focus())
        }}
      />
    )
  if (!mayChange || rate?.is_locked) return <RateText cell={cell} />
  return (
    <UnstyledButton
      ref={opener}
      className={styles.open ?? ''}
      onClick={() => setIsOpen(true)}
      title={t(rate ? 'edit' : 'enter')}
    >
      <RateText cell={cell} />
      <VisuallyHidden>
        {t(rate ? 'edit_of' : 'enter_of', { month: monthText(month, language), currency })}
      </VisuallyHidden>
    </UnstyledButton>
  )
}

function RateText({ cell }: { cell: RateCell }) {
  const { t } = useTranslation('rates')
  if (cell.kind === 'missing')
    return (
      <span className={styles.missing}>
        <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
        {t('missing')}
      </span>
    )
  if (cell.kind === 'carried')
    return (
      <span className={styles.rate} data-provisional title={t('carried_detail')}>
        {cell.rate.rate}
        <small>{t('carried')}</small>
      </span>
    )
  return <KnownRate rate={cell.rate} />
}

function KnownRate({ rate: { rate, kind, source, is_locked: locked } }: { rate: ExchangeRate }) {
  const { t } = useTranslation('rates')
  return (
    <span
      className={styles.rate}
      data-provisional={kind === 'provisional' || undefined}
      {...(source !== '' && { title: t('source_is', { source }) })}
    >
      {locked && <IconLock size={13} stroke={1.8} role="img" aria-label={t('locked')} />}
      {rate}
      {kind === 'provisional' && <small>{t('kind.provisional')}</small>}
    </span>
  )
}
