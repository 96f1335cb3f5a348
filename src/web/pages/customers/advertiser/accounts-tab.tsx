import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import styles from './advertiser.module.css'
import { useRelatedAccounts, useRelation } from './data.ts'
import { RelateDialog } from './relate-dialog.tsx'

/** The accounts, views and properties that are the customer's, by channel. */
export function AccountsTab({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  const accounts = useRelatedAccounts(advertiser.id)
  const [isRelating, setIsRelating] = useState(false)
  const [leaving, setLeaving] = useState<AdAccount | null>(null)
  const relate = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsRelating(true)}>
      {t('accounts.relate')}
    </Button>
  )
  const all = Object.values(advertiser.accounts).reduce((sum, count) => sum + count, 0)
  return (
    <div className={styles.stack}>
      {accounts.error && !accounts.data ? (
        <Problem code={accounts.error.code} audience="internal" onRetry={() => void accounts.refetch()} />
      ) : !accounts.data ? (
        <TableLoading rows={5} />
      ) : accounts.data.length === 0 ? (
        <Card>
          <EmptyState
            icon={IconPlugConnected}
            title={t(all === 0 ? 'accounts.none' : 'accounts.hidden', { count: all })}
            detail={t(all === 0 ? 'accounts.none_detail' : 'accounts.hidden_detail')}
            actions={relate}
          />
        </Card>
      ) : (
        <>
          <div>{relate}</div>
          {channelIds.map(channel => {
            const own = accounts.data.filter(account => account.channel === channel)
            if (own.length === 0) return null
            return <ChannelCard key={channel} channel={channel} accounts={own} onRelease={setLeaving} />
          })}
        </>
      )}
      {isRelating && <RelateDialog advertiser={advertiser} onClose={() => setIsRelating(false)} />}
      {leaving && (
        <ReleaseDialog advertiser={advertiser} account={leaving} onClose={() => setLeaving(null)} />
      )}
    </div>
  )
}

interface ChannelCardProps {
  channel: AdAccount['channel']
  accounts: readonly AdAccount[]
  onRelease: (account: AdAccount) => void
}

function ChannelCard({ channel, accounts, onRelease }: ChannelCardProps) {
  const { language } = useTranslation('advertisers')
  const name = channelNames[channel][language]
  return (
    <Card
      padding="flush"
      title={
        <span className={styles.channelName}>
          <ChannelIcon channel={channel} /> {name}
        </span>
      }
    >
      <DataTable
        label={name}
        columns={useColumns(onRelease)}
        rows={accounts}
        rowKey={({ id }) => id}
        rowName={account => account.name}
      />
    </Card>
  )
}

function useColumns(onRelease: (account: AdAccount) => void): Column<AdAccount>[] {
  const { t } = useTranslation('advertisers')
  return [
    {
      key: 'name',
      header: t('accounts.name'),
      cell: ({ name, external_id }) => (
        <>
          {name}
          <small className={styles.below}>{external_id}</small>
        </>
      ),
    },
    {
      key: 'currency',
      header: t('accounts.currency'),
      room: 'some',
      width: '110px',
      cell: row => row.currency,
    },
    {
      key: 'timezone',
      header: t('accounts.timezone'),
      room: 'much',
      width: '190px',
      cell: row => row.timezone,
    },
    {
      key: 'checked',
      header: t('accounts.checked'),
      room: 'some',
      width: '150px',
      cell: ({ last_checked_at }) => (last_checked_at === null ? '–' : <RelativeTime at={last_checked_at} />),
    },
    {
      key: 'release',
      header: '',
      width: '110px',
      align: 'end',
      cell: account => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={t('accounts.release_named', { name: account.name })}
          onClick={() => onRelease(account)}
        >
          {t('accounts.release')}
        </Button>
      ),
    },
  ]
}

interface ReleaseDialogProps {
  advertiser: Advertiser
  account: AdAccount
  onClose: () => void
}

/** Reports of members that use the account stop having data; that is said before it happens. */
function ReleaseDialog({ advertiser, account, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation('advertisers')
  const release = useRelation(advertiser.id, 'release')
  return (
    <ConfirmDialog
      opened
      title={t('accounts.release_title', { account: account.name, name: advertiser.name })}
      detail={t('accounts.release_detail')}
      confirm={t('accounts.release')}
      tone="danger"
      loading={release.isPending}
      problem={release.error && <ProblemText code={release.error.code} audience="internal" />}
      onConfirm={() =>
        release.mutate([account], {
          onSuccess() {
            showToast({ severity: 'success', message: t('accounts.released', { account: account.name }) })
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
