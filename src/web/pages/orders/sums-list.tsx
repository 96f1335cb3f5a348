import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatMoney } from '#web/ui/money.ts'
import styles from './sums-list.module.css'

type Amount = number | bigint

export interface Sums {
  subtotal: Amount
  service_fee: Amount
  minimum_fee: Amount
  discount: Amount
  untaxed: Amount
  taxable: Amount
  tax_amount: Amount
  total: Amount
  commission: Amount
}

/** What a quotation amounts to, as its document has it; what is nothing is left out. */
export function SumsList({ sums, currency }: { sums: Sums; currency: string }) {
  const { t, language } = useTranslation('orders')
  const money = (amount: Amount) => formatMoney(amount, currency, language)
  return (
    <dl className={styles.sums}>
      <dt>{t('sum.subtotal')}</dt>
      <dd>{money(sums.subtotal)}</dd>
      <dt>{t('sum.service_fee')}</dt>
      <dd>{money(sums.service_fee)}</dd>
      {BigInt(sums.minimum_fee) > 0n && (
        <>
          <dt data-sub>{t('sum.minimum_fee')}</dt>
          <dd data-sub>{money(sums.minimum_fee)}</dd>
        </>
      )}
      {BigInt(sums.discount) > 0n && (
        <>
          <dt>{t('sum.discount')}</dt>
          <dd>{money(-BigInt(sums.discount))}</dd>
        </>
      )}
      {BigInt(sums.untaxed) > 0n && (
        <>
          <dt data-sub>{t('sum.untaxed')}</dt>
          <dd data-sub>{money(sums.untaxed)}</dd>
        </>
      )}
      <dt data-sub>{t('sum.taxable')}</dt>
      <dd data-sub>{money(sums.taxable)}</dd>
      <dt>{t('sum.tax_amount')}</dt>
      <dd>{money(sums.tax_amount)}</dd>
      <dt data-total>{t('sum.total')}</dt>
      <dd data-total>{money(sums.total)}</dd>
      {BigInt(sums.commission) > 0n && (
        <>
          <dt data-sub>
            {t('sum.commission')} ({t('sum.commission_hint')})
          </dt>
          <dd data-sub>{money(sums.commission)}</dd>
        </>
      )}
    </dl>
  )
}
