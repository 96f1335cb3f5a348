import { Button } from '@mantine/core'
import { IconCalendarOff, IconPencil, IconPlus, IconReceipt, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import type { FeeAgreement } from '#shared/api/customers.ts'
import { isInForce } from '#shared/billing/fee.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useToday } from '#web/pages/today.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { monthText } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { formatRate } from '#web/ui/rate.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useFeeAgreements } from './data.ts'
import { FeeActionDialog, type FeeAction } from './fee-actions.tsx'
import { FeeDialog } from './fee-dialog.tsx'
import { rulesOf } from './fee-draft.ts'
import { FeeExample } from './fee-example.tsx'
import styles from './fees.module.css'

/** What the customer pays the agency, over time; directors and finance agree on it, others read it. */
export function FeesTab({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('fees')
  const { data, error, refetch } = useFeeAgreements(advertiser.id)
  const mayChange = mayReach(useMe(), 'director_or_finance')
  const [isAdding, setIsAdding] = useState(false)
  const [action, setAction] = useState<FeeAction | null>(null)
  const month = useToday().slice(0, 7)
  if (error && !data) return <Problem code={error.code} audience="internal" onRetry={() => void refetch()} />
  if (!data) return <TableLoading rows={3} />
  const current = data.find(agreement => isInForce(agreement, month))
  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <Card title={t('title')} actions={data.length > 0 && add} padding="flush">
      {data.length === 0 ? (
        <EmptyState icon={IconReceipt} title={t('none')} detail={t('none_detail')} actions={add} />
      ) : (
        <>
          <ol className={styles.lines}>
            {data.map(agreement => (
              <AgreementLine
                key={agreement.id}
                agreement={agreement}
                isCurrent={isInForce(agreement, month)}
                onAction={mayChange ? setAction : null}
              />
            ))}
          </ol>
          {current && <FeeExample key={current.id} agreement={rulesOf(current)} />}
        </>
      )}
      {isAdding && <FeeDialog advertiser={advertiser} onClose={() => setIsAdding(false)} />}
      {action && <FeeActionDialog advertiser={advertiser} action={action} onClose={() => setAction(null)} />}
    </Card>
  )
}

interface AgreementLineProps {
  agreement: FeeAgreement
  /** It counts in this month. */
  isCurrent: boolean
  /** null: the reader may change nothing. */
  onAction: ((action: FeeAction) => void) | null
}

function AgreementLine({ agreement, isCurrent, onAction }: AgreementLineProps) {
  const { t, language } = useTranslation('fees')
  const { channel, from_month, to_month, is_used } = agreement
  const from = monthText(from_month, language)
  return (
    <li className={styles.line}>
      <div>
        <div className={styles.months}>
          {to_month === null
            ? t('since', { from })
            : t('months', { from, to: monthText(to_month, language) })}
        </div>
        <span className={styles.quiet}>
          {channel === null ? t('all_channels') : channelNames[channel][language]} · {agreement.currency}
        </span>
      </div>
      <div>
        {isCurrent && <StatusBadge tone="good" label={t('current')} />}
        <AgreementText agreement={agreement} />
      </div>
      {onAction && (
        <ActionMenu
          label={t('actions_of', { months: from })}
          actions={[
            {
              key: 'change',
              label: t('change.action'),
              icon: IconPencil,
              disabled: is_used,
              onClick: () => onAction({ kind: 'change', agreement }),
            },
            {
              key: 'end',
              label: t('end.action'),
              icon: IconCalendarOff,
              onClick: () => onAction({ kind: 'end', agreement }),
            },
            {
              key: 'delete',
              label: t('delete.action'),
              icon: IconTrash,
              tone: 'danger',
              disabled: is_used,
              onClick: () => onAction({ kind: 'delete', agreement }),
            },
          ]}
        />
      )}
    </li>
  )
}

/** The agreement in words, a line for each of its parts. */
function AgreementText({ agreement }: { agreement: FeeAgreement }) {
  const { t, language } = useTranslation('fees')
  const { tiers, tier_mode, basis, amount, minimum, currency } = agreement
  const money = (value: number) => formatMoney(value, currency, language)
  const lines = [
    ...tiers.map(({ up_to, rate }) => {
      const text = formatRate(rate, language)
      if (tiers.length === 1) return t(`flat.${basis}`, { rate: text })
      return up_to === null ? t('tier_above', { rate: text }) : t('tier', { up_to: money(up_to), rate: text })
    }),
    ...(tiers.length > 1 ? [t(`modes_detail.${tier_mode}`)] : []),
    ...(amount > 0 ? [t('plus_amount', { amount: money(amount) })] : []),
    ...(minimum > 0 ? [t('at_least', { minimum: money(minimum) })] : []),
  ]
  return lines.map(line => <div key={line}>{line}</div>)
}
