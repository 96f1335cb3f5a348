import { useQuery } from '@tanstack/react-query'
import { channelNames, type Channel } from '#shared/channels/catalogue.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { accountPath } from '#web/pages/reports/editor/account-text.ts'
import { accountsOf } from '#web/pages/reports/editor/data.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import styles from './bulk-changes.module.css'
import { useAccountsInReports } from './data.ts'

/** Which account is replaced by which. */
export interface Replacing {
  from: number | null
  from_channel: Channel | null
  to: number | null
  to_channel: Channel | null
  scope: 'mine' | 'all'
}

/** Under which accounts are listed: those of keywords and events are those of their ads and views. */
const listed: readonly Channel[] = ['fb', 'aw', 'yg', 'tt', 'ln', 'ga', 'ga4']

interface FieldsProps {
  replacement: Replacing
  onChange: (replacement: Replacing) => void
}

export function ReplaceFields({ replacement, onChange }: FieldsProps) {
  const { t } = useTranslation('bulk_changes')
  const me = useMe()
  const Old = replacement.scope === 'all' ? AnyAccount : UsedAccount
  return (
    <div className={styles.pair}>
      {me.identity === 'superuser' && (
        <div className={styles.wide}>
          <CheckboxField
            label={t('replace.everybody')}
            checked={replacement.scope === 'all'}
            onChange={all => onChange({ ...replacement, from: null, scope: all ? 'all' : 'mine' })}
          />
        </div>
      )}
      <Old replacement={replacement} onChange={onChange} />
      <NewAccount replacement={replacement} onChange={onChange} />
    </div>
  )
}

/** An account of my reports; I may have lost access to it by now. */
function UsedAccount({ replacement, onChange }: FieldsProps) {
  const { t, language } = useTranslation('bulk_changes')
  const { data: accounts = [], error, refetch } = useAccountsInReports()
  if (error) return <Problem code={error.code} onRetry={() => void refetch()} />
  const nameOf = ({ id, name, channel, reports }: (typeof accounts)[number]) =>
    t('account_line', {
      name: name ?? t('account_lost', { id: String(id) }),
      channel: channelNames[channel][language],
      count: reports,
    })
  return (
    <SelectField
      label={t('replace.from')}
      placeholder={t('choose_account')}
      options={accounts
        .map(account => ({ value: String(account.id), label: nameOf(account) }))
        .toSorted((a, b) => a.label.localeCompare(b.label, language))}
      value={textOf(replacement.from)}
      onChange={value => {
        const account = accounts.find(({ id }) => id === Number(value))
        const channel = account?.channel ?? null
        onChange({
          ...replacement,
          from: Number(value),
          from_channel: channel,
          to: null,
          to_channel: channel,
        })
      }}
      searchable
      required
    />
  )
}

/** Any account, for those who may change everybody's reports. */
function AnyAccount({ replacement, onChange }: FieldsProps) {
  const { t } = useTranslation('bulk_changes')
  return (
    <div className={styles.mapping}>
      <ChannelField
        label={t('replace.from_channel')}
        value={replacement.from_channel}
        onChange={channel =>
          onChange({ ...replacement, from: null, from_channel: channel, to: null, to_channel: channel })
        }
      />
      <AccountOfChannel
        label={t('replace.from')}
        channel={replacement.from_channel}
        value={replacement.from}
        onChange={from => onChange({ ...replacement, from })}
      />
    </div>
  )
}

function NewAccount({ replacement, onChange }: FieldsProps) {
  const { t } = useTranslation('bulk_changes')
  return (
    <div className={styles.mapping}>
      <AccountOfChannel
        label={t('replace.to')}
        channel={replacement.to_channel}
        without={replacement.from}
        value={replacement.to}
        onChange={to => onChange({ ...replacement, to })}
      />
      {replacement.to_channel !== null && (
        <ChannelField
          label={t('replace.to_channel')}
          hint={t('replace.to_channel_hint')}
          value={replacement.to_channel}
          onChange={channel => onChange({ ...replacement, to: null, to_channel: channel })}
        />
      )}
    </div>
  )
}

interface ChannelFieldProps {
  label: string
  hint?: string
  value: Channel | null
  onChange: (channel: Channel) => void
}

function ChannelField({ value, ...props }: ChannelFieldProps) {
  const { t, language } = useTranslation('bulk_changes')
  return (
    <SelectField
      {...props}
      placeholder={t('choose_channel')}
      options={listed.map(channel => ({ value: channel, label: channelNames[channel][language] }))}
      value={value}
    />
  )
}

interface AccountOfChannelProps {
  label: string
  channel: Channel | null
  /** An account that is not offered. */
  without?: number | null
  value: number | null
  onChange: (id: number) => void
}

function AccountOfChannel({ label, channel, without, value, onChange }: AccountOfChannelProps) {
  const { t } = useTranslation('bulk_changes')
  const {
    data: accounts = [],
    error,
    refetch,
  } = useQuery({ ...accountsOf(channel ?? 'fb'), enabled: channel !== null })
  if (error) return <Problem code={error.code} onRetry={() => void refetch()} />
  return (
    <SelectField
      label={label}
      placeholder={t('choose_account')}
      options={accounts
        .filter(({ id }) => id !== without)
        .map(account => ({
          value: String(account.id),
          label: [accountPath(account), account.currency, account.advertiser_name]
            .filter(Boolean)
            .join(' · '),
        }))}
      value={textOf(value)}
      onChange={chosen => onChange(Number(chosen))}
      disabled={channel === null}
      searchable
      required
    />
  )
}

const textOf = (id: number | null) => (id === null ? null : String(id))
