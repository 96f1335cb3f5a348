import { VisuallyHidden } from '@mantine/core'
import { listText } from '#shared/language.ts'
import { platformFacts } from '#shared/platforms.ts'
import type { PublicAccount } from '#shared/api/public-accounts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { ExpiryCell, TestCell } from './account-cells.tsx'
import type { AccountAction } from './account-action.tsx'
import { AccountMenu } from './account-menu.tsx'
import { DEFAULT_ORDERING, type PlatformRequest } from './data.ts'
import styles from './public-accounts.module.css'
import { useView } from './view.ts'

interface AccountTableProps {
  accounts: readonly PublicAccount[]
  stale: boolean
  onAsk: (request: PlatformRequest) => void
  onAction: (action: AccountAction) => void
}

export function AccountTable({ accounts, stale, onAsk, onAction }: AccountTableProps) {
  const { t } = useTranslation('public_accounts')
  const { view, change } = useView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns({ onAsk, onAction })}
      rows={accounts}
      rowKey={account => account.id}
      rowName={account => account.name}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(actions: Pick<AccountTableProps, 'onAsk' | 'onAction'>): Column<PublicAccount>[] {
  const { t, language } = useTranslation('public_accounts')
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'name',
      cell: ({ name, platform }) => (
        <>
          <div className={styles.name}>{name}</div>
          <small className={styles.platform}>{platformFacts(platform).names[language]}</small>
        </>
      ),
    },
    {
      key: 'test',
      header: t('column.test'),
      sort: 'tested_at',
      cell: account => <TestCell account={account} />,
    },
    {
      key: 'fields',
      header: t('column.fields'),
      room: 'much',
      cell: ({ platform, login_fields }) => (
        <span className={styles.fields}>
          {listText(
            login_fields.map(field => platformFacts(platform).fields[field]?.names[language] ?? field),
            language,
          )}
        </span>
      ),
    },
    {
      key: 'expires',
      header: t('column.expires'),
      sort: 'expires_at',
      width: '130px',
      room: 'some',
      cell: ({ expires_at }) => <ExpiryCell at={expires_at} />,
    },
    {
      key: 'accounts',
      header: t('column.accounts'),
      width: '90px',
      align: 'end',
      room: 'some',
      cell: ({ accounts }) => <Count value={accounts} />,
    },
    {
      key: 'menu',
      header: <VisuallyHidden>{t('column.menu')}</VisuallyHidden>,
      width: '48px',
      align: 'end',
      cell: account => <AccountMenu account={account} {...actions} />,
    },
  ]
}
