import type { Advertiser } from '#shared/api/advertisers.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { listText } from '#shared/language.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/customers/customers.module.css'
import { useAllAgents, useAllIndustries } from '#web/pages/customers/data.ts'
import { usePeople } from '#web/pages/customers/people.ts'
import { useAdvertisersView } from '#web/pages/customers/view.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { formatRate } from '#web/ui/rate.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DEFAULT_ORDERING } from './data.ts'

export function AdvertiserTable({ rows, stale }: { rows: readonly Advertiser[]; stale: boolean }) {
  const { t } = useTranslation('advertisers')
  const { view, change } = useAdvertisersView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns()}
      rows={rows}
      rowKey={advertiser => advertiser.id}
      rowName={advertiser => advertiser.name}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(): Column<Advertiser>[] {
  const { t, language } = useTranslation('advertisers')
  return [
    { key: 'name', header: t('field.name'), sort: 'name', cell: row => <Name advertiser={row} /> },
    {
      key: 'industry',
      header: t('field.industry'),
      room: 'some',
      cell: row => <IndustryAndAgent advertiser={row} />,
    },
    { key: 'members', header: t('field.members'), room: 'plenty', cell: row => <Members advertiser={row} /> },
    {
      key: 'accounts',
      header: t('column.accounts'),
      room: 'much',
      narrow: true,
      cell: row => <Accounts advertiser={row} />,
    },
    {
      key: 'fee',
      header: t('column.fee'),
      align: 'end',
      width: '90px',
      room: 'some',
      cell: ({ service_fee_rate }) =>
        service_fee_rate === null ? '–' : formatRate(service_fee_rate, language),
    },
    {
      key: 'overdue',
      header: t('column.overdue'),
      align: 'end',
      cell: ({ overdue }) => <Overdue overdue={overdue} />,
    },
  ]
}

function Name({ advertiser: { id, name, legal_name, is_active } }: { advertiser: Advertiser }) {
  const { t } = useTranslation('customers')
  return (
    <>
      <LinkText className={styles.open ?? ''} to="/customer/advertiser/$id" params={{ id: String(id) }}>
        {name}
      </LinkText>{' '}
      {!is_active && <StatusBadge tone="neutral" label={t('state.inactive')} />}
      {legal_name !== '' && legal_name !== name && <small className={styles.below}>{legal_name}</small>}
    </>
  )
}

function IndustryAndAgent({ advertiser: { industry, agent } }: { advertiser: Advertiser }) {
  const { t, language } = useTranslation('advertisers')
  const found = useAllIndustries().data?.find(({ id }) => id === industry)
  const agency = useAllAgents().data?.find(({ id }) => id === agent)
  return (
    <>
      {found ? (language === 'en' ? found.name : found.name_zh) : '–'}
      {agency && <small className={styles.below}>{t('through', { agent: agency.name })}</small>}
    </>
  )
}

const MOST_NAMES = 3

/** Who serves it, those of the agency first. */
function Members({ advertiser: { members } }: { advertiser: Advertiser }) {
  const { t, language } = useTranslation('advertisers')
  const people = usePeople()
  const names = people.filter(({ id }) => members.includes(id)).map(({ name }) => name)
  if (members.length === 0) return '–'
  const more = members.length - Math.min(names.length, MOST_NAMES)
  return (
    <span title={listText(names, language)}>
      {listText(names.slice(0, MOST_NAMES), language)}
      {more > 0 && ` ${t('members.more', { count: more })}`}
    </span>
  )
}

function Accounts({ advertiser: { accounts } }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  const related = channelIds.flatMap(channel => {
    const count = accounts[channel] ?? 0
    return count > 0 ? [{ channel, count }] : []
  })
  if (related.length === 0) return <span className={styles.quiet}>{t('no_accounts')}</span>
  return (
    <span className={styles.channels}>
      {related.map(({ channel, count }) => (
        <span key={channel} className={styles.channel}>
          <ChannelIcon channel={channel} size={16} /> <span data-tabular>{count}</span>
        </span>
      ))}
    </span>
  )
}

function Overdue({ overdue }: Pick<Advertiser, 'overdue'>) {
  const { t, language } = useTranslation('advertisers')
  if (overdue.length === 0) return '–'
  return overdue.map(({ currency, amount, payments }) => (
    <div
      key={currency}
      className={`${styles.money} ${styles.bad}`}
      title={t('overdue_payments', { count: payments })}
    >
      {formatMoney(amount, currency, language)}
    </div>
  ))
}
