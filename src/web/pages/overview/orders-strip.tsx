import { IconCoins } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useOverviewOrders } from './data.ts'
import styles from './orders-strip.module.css'

const ORDERS = '/customer/insertion-order'

/** One line about payments that are overdue, a month to close and orders off pace; nothing without any. */
export function OrdersStrip() {
  const { t } = useTranslation('overview_later')
  const { data } = useOverviewOrders()
  if (!data) return null
  const { overdue, off_pace: offPace, month_to_close: month } = data
  if (overdue + offPace.length === 0 && month === null) return null
  return (
    <section className={styles.strip} aria-label={t('orders.label')}>
      <IconCoins size={18} stroke={1.7} aria-hidden />
      {overdue > 0 && (
        <a href={`${ORDERS}/payments?status=overdue`}>{t('orders.overdue', { count: overdue })}</a>
      )}
      {month !== null && <a href={`/ec-spend/${month}`}>{t('orders.month_to_close', { month })}</a>}
      {offPace.length > 0 && (
        <ul>
          {offPace.map(({ id, label, title, advertiser_name, verdict }) => (
            <li key={id}>
              <a href={`${ORDERS}/${id}`} title={`${label}, ${advertiser_name}`}>
                {title}
              </a>{' '}
              <span>{t(`orders.${verdict}`)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
