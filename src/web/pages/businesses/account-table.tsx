import { UnstyledButton } from '@mantine/core'
import type { BusinessAccount } from '#shared/api/businesses.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column, type Selection } from '#web/ui/data-table.tsx'
import styles from './businesses.module.css'
import { CapBar } from './cap-bar.tsx'
import { Amount } from './amount.tsx'
import { Standing } from './standing.tsx'
import { useBusinessesView } from './view.ts'

interface AccountTableProps {
  rows: readonly BusinessAccount[]
  stale: boolean
  /** Left out: nothing can be done with them. */
  selection?: Selection<number>
}

export function AccountTable({ rows, stale, selection }: AccountTableProps) {
  const { t } = useTranslation('businesses')
  const { view, change } = useBusinessesView()
  return (
    <DataTable
      label={t('accounts')}
      columns={useColumns()}
      rows={rows}
      rowKey={account => account.id}
      rowName={account => account.name}
      ordering={view.ordering ?? 'urgency'}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
      {...(selection && { selection })}
    />
  )
}

function useColumns(): Column<BusinessAccount>[] {
  const { t } = useTranslation('businesses')
  const { change } = useBusinessesView()
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'name',
      cell: account => (
        <>
          <UnstyledButton className={styles.name} onClick={() => change({ account: account.id })}>
            {account.name}
          </UnstyledButton>
          <small className={styles.below}>
            {account.account} · {t(`relation.${account.relation}`)}
          </small>
        </>
      ),
    },
    {
      key: 'advertiser',
      header: t('column.advertiser'),
      room: 'some',
      narrow: true,
      cell: account => <Advertiser account={account} />,
    },
    {
      key: 'status',
      header: t('column.status'),
      sort: 'status',
      width: '170px',
      room: 'some',
      narrow: true,
      cell: account => <Standing account={account} />,
    },
    {
      key: 'cap',
      header: t('column.cap'),
      sort: 'cap_used',
      width: '210px',
      room: 'some',
      narrow: true,
      cell: account => <CapBar account={account} />,
    },
    {
      key: 'spent',
      header: t('column.spent'),
      sort: 'amount_spent',
      align: 'end',
      width: '140px',
      room: 'much',
      cell: ({ amount_spent, currency }) => <Amount amount={amount_spent} currency={currency} />,
    },
  ]
}

/** Whom it is related to; an advertiser whom the reader does not serve keeps its name. */
export function Advertiser({
  account: { advertiser, advertiser_name, gone_at },
}: {
  account: BusinessAccount
}) {
  const { t } = useTranslation('businesses')
  if (advertiser_name !== null) return advertiser_name
  if (advertiser !== null) return <span className={styles.quiet}>{t('other_advertiser')}</span>
  return <span className={gone_at === null ? styles.warn : styles.quiet}>{t('no_advertiser')}</span>
}
