import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BusinessAccount } from '#shared/api/businesses.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { dayText } from '#web/ui/times.ts'
import { AccountHistory } from './account-history.tsx'
import { AccountUsers } from './account-users.tsx'
import { Advertiser } from './account-table.tsx'
import { Amount } from './amount.tsx'
import styles from './businesses.module.css'
import { CapBar } from './cap-bar.tsx'
import { Standing } from './standing.tsx'

interface AccountDrawerProps {
  account: BusinessAccount
  onRelate?: () => void
  onClose: () => void
}

const WIDTH = 520

/** Everything about an account beside the list. */
export function AccountDrawer({ account, onRelate, onClose }: AccountDrawerProps) {
  const { t } = useTranslation('businesses')
  const isInternal = useIsInternal()
  return (
    <Dialog opened side size={WIDTH} title={account.name} onClose={onClose}>
      <Details account={account} />
      {onRelate && (
        <Button variant="default" size="xs" onClick={onRelate}>
          {t('relate.action')}
        </Button>
      )}
      {isInternal && (
        <section className={styles.section}>
          <h3>{t('users.title')}</h3>
          <AccountUsers id={account.id} />
        </section>
      )}
      <section className={styles.section}>
        <h3>{t('history.title')}</h3>
        <AccountHistory account={account} />
      </section>
    </Dialog>
  )
}

function Details({ account }: { account: BusinessAccount }) {
  const { t } = useTranslation('businesses')
  const isInternal = useIsInternal()
  const { currency, created_at, tasks, is_prepay, tos_accepted, funding } = account
  const truth = (value: boolean | null) => (value === null ? null : t(value ? 'yes' : 'no'))
  return (
    <dl className={styles.details}>
      <Detail name={t('column.status')} value={<Standing account={account} />} />
      <Detail name={t('column.advertiser')} value={<Advertiser account={account} />} />
      <Detail name={t('detail_of.account')} value={account.account} />
      <Detail name={t('filter.relation')} value={t(`relation.${account.relation}`)} />
      <Detail name={t('column.cap')} value={<CapBar account={account} />} />
      <Detail name={t('column.spent')} value={<Amount amount={account.amount_spent} currency={currency} />} />
      {isInternal && (
        <>
          <Detail
            name={t('detail_of.balance')}
            value={<Amount amount={account.balance} currency={currency} />}
          />
          <Detail name={t('detail_of.funding')} value={funding && funding.label} />
        </>
      )}
      <Detail name={t('detail_of.prepay')} value={truth(is_prepay)} />
      <Detail name={t('detail_of.timezone')} value={account.timezone} />
      <Detail name={t('detail_of.tasks')} value={tasks.length === 0 ? null : tasks.join(', ')} />
      <Detail name={t('detail_of.terms')} value={truth(tos_accepted)} />
      <Detail name={t('detail_of.created')} value={created_at && dayText(created_at)} />
    </dl>
  )
}

/** null: the login may not see it. */
function Detail({ name, value }: { name: string; value: ReactNode }) {
  const { t } = useTranslation('businesses')
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? <span className={styles.quiet}>{t('not_visible')}</span>}</dd>
    </div>
  )
}
