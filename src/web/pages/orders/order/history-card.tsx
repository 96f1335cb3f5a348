import type { Quotation } from '#shared/api/quotations.ts'
import { LinkText } from '#web/client/links.tsx'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './order.module.css'

/** What has happened to the order, the latest first. */
export function HistoryCard({ order }: { order: Quotation }) {
  const { t, language } = useTranslation('orders')
  const me = useMe()
  return (
    <Card title={t('part.history')}>
      <ol className={styles.history}>
        {useHistory(order).map(({ what, at }) => (
          <li key={what}>
            <strong>{what}</strong>
            <span>{at.length > 10 ? instantText(at, language) : at}</span>
          </li>
        ))}
      </ol>
      {me.identity === 'superuser' && (
        <LinkText
          to="/setting/audit"
          search={{ search: '', page: 1, object: 'quotation', object_id: String(order.id) }}
          className={styles.trail}
        >
          {t('action.trail')}
        </LinkText>
      )}
    </Card>
  )
}

function useHistory(order: Quotation): { what: string; at: string }[] {
  const { t } = useTranslation('orders')
  const { status, created_at, sent_at, accepted_on, accepted_by, valid_until, last_modified_at } = order
  const ended =
    status === 'rejected' || status === 'cancelled' || status === 'superseded'
      ? [{ what: t(`happened.${status}`), at: last_modified_at }]
      : status === 'expired' && valid_until !== null
        ? [{ what: t('happened.expired'), at: valid_until }]
        : status === 'draft'
          ? [{ what: t('happened.changed'), at: last_modified_at }]
          : []
  return [
    ...ended,
    ...(accepted_on === null
      ? []
      : [{ what: t('happened.accepted', { name: accepted_by ?? '' }), at: accepted_on }]),
    ...(sent_at === null ? [] : [{ what: t('happened.sent'), at: sent_at }]),
    { what: t('happened.created'), at: created_at },
  ]
}
