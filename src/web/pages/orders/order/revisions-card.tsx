import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Quotation } from '#shared/api/quotations.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OrderState } from '#web/pages/orders/order-state.tsx'
import { Card } from '#web/ui/card.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './order.module.css'

/** All revisions of the number; each can be compared with this one. */
export function RevisionsCard({ order }: { order: Quotation }) {
  const { t, language } = useTranslation('orders')
  const navigate = useNavigate()
  const { id, revisions, currency } = order
  return (
    <Card title={t('part.revisions')}>
      <ul className={styles.revisions}>
        {revisions.map(each => (
          <li key={each.id} aria-current={each.id === id || undefined}>
            <span className={styles.revision}>
              {each.id === id ? (
                <strong>{t('revision', { revision: each.revision })}</strong>
              ) : (
                <LinkText to="/customer/insertion-order/$id" params={{ id: String(each.id) }}>
                  {t('revision', { revision: each.revision })}
                </LinkText>
              )}
              <OrderState status={each.status} />
            </span>
            <span className={styles.revision}>
              <span data-tabular>{formatMoney(each.total, currency, language)}</span>
              {each.id !== id && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() =>
                    void navigate({
                      to: '/customer/insertion-order/$id',
                      params: { id: String(id) },
                      search: { compare: each.id },
                    })
                  }
                >
                  {t('compare.open')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
