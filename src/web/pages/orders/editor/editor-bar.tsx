import { Button } from '@mantine/core'
import { IconDeviceFloppy, IconEye, IconSend } from '@tabler/icons-react'
import type { QuotationSums } from '#shared/billing/quotation.ts'
import { watchBottomBar } from '#web/client/bottom-bar.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatMoney } from '#web/ui/money.ts'
import styles from './editor.module.css'

interface EditorBarProps {
  sums: QuotationSums
  currency: string
  isNew: boolean
  isDirty: boolean
  isSaving: boolean
  /** How many fields prevent saving or were refused. */
  faults: number
  onJump: () => void
  onPdf: () => void
  onSave: () => void
  onSend: () => void
}

/** The sums, always in sight, and what can be done with the draft. */
export function EditorBar({ sums, currency, isSaving, faults, ...props }: EditorBarProps) {
  const { t, language } = useTranslation('quotation')
  const { t: tOrders } = useTranslation('orders')
  const state = isSaving ? 'saving' : props.isNew ? 'new' : props.isDirty ? 'dirty' : 'saved'
  const names = ['subtotal', 'service_fee', 'tax_amount', 'total'] as const
  return (
    <div ref={watchBottomBar} className={styles.bar}>
      <dl className={styles.barSums} aria-label={t('sums.title')}>
        {names.map(name => (
          <div key={name}>
            <dt>{tOrders(`sum.${name}`)}</dt>
            <dd data-total={name === 'total' || undefined}>{formatMoney(sums[name], currency, language)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.barButtons}>
        {faults > 0 && !isSaving ? (
          <span className={styles.state} data-state="faults" role="alert">
            <button type="button" className={styles.jump} onClick={props.onJump}>
              {t('bar.errors', { count: faults })}
            </button>
          </span>
        ) : (
          <output className={styles.state} data-state={state}>
            {t(`bar.${state}`)}
          </output>
        )}
        <Button
          variant="subtle"
          leftSection={<IconEye size={16} stroke={1.7} aria-hidden />}
          disabled={isSaving}
          onClick={props.onPdf}
        >
          {t('bar.pdf')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDeviceFloppy size={16} stroke={1.7} aria-hidden />}
          loading={isSaving}
          disabled={!props.isNew && !props.isDirty}
          onClick={props.onSave}
        >
          {t('bar.save')}
        </Button>
        <Button
          leftSection={<IconSend size={16} stroke={1.7} aria-hidden />}
          disabled={isSaving}
          onClick={props.onSend}
        >
          {t('bar.send')}
        </Button>
      </div>
    </div>
  )
}
