import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Audience } from '#shared/api/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { channelsOf, isByHand } from './account-rules.ts'
import styles from './audiences.module.css'
import { RefusalText } from './refusal-text.tsx'
import { useAccounts, useCheck } from './data.ts'
import { FixLink } from './fix-link.tsx'

interface AccountChecksProps {
  audience: Audience
  chosen: readonly number[]
  onChange: (chosen: readonly number[]) => void
  /** Where a platform takes the file by hand. */
  byHand: ReactNode
}

/** The advertiser's ad accounts: whether each would take the audience, and what to do where it would not. */
export function AccountChecks({ audience, chosen, onChange, byHand }: AccountChecksProps) {
  const { t } = useTranslation('audiences')
  const { data, error, refetch } = useAccounts(audience.advertiser)
  if (error && !data) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (!data) return <TableLoading rows={3} />
  const accounts = channelsOf[audience.kind].flatMap(channel => data.filter(each => each.channel === channel))
  if (accounts.length === 0) return <p className={styles.quiet}>{t('accounts.empty')}</p>
  // One file serves them all.
  const manual = accounts.filter(({ channel }) => isByHand(channel))
  const shared = new Set(
    audience.shares.filter(({ state }) => state !== 'removed').map(({ ad_account }) => ad_account),
  )
  return (
    <ul className={styles.list} aria-label={t('accounts.title')}>
      {accounts
        .filter(account => !manual.includes(account))
        .map(account => (
          <li key={account.id} className={styles.account}>
            {shared.has(account.id) ? (
              <CheckboxField
                label={<Name account={account} />}
                hint={t('accounts.shared')}
                checked
                disabled
                onChange={() => {}}
              />
            ) : (
              <Checked
                audience={audience.id}
                account={account}
                isChosen={chosen.includes(account.id)}
                onChoose={isChosen =>
                  onChange([...chosen.filter(id => id !== account.id), ...(isChosen ? [account.id] : [])])
                }
              />
            )}
          </li>
        ))}
      {manual.length > 0 && (
        <li className={styles.byHand}>
          {manual.map(account => (
            <Name key={account.id} account={account} />
          ))}
          {byHand}
        </li>
      )}
    </ul>
  )
}

function Name({ account: { channel, name } }: { account: AdAccount }) {
  return (
    <span className={styles.accountName}>
      <ChannelIcon channel={channel} size={16} />
      {name}
    </span>
  )
}

interface CheckedProps {
  audience: number
  account: AdAccount
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function Checked({ audience, account, isChosen, onChoose }: CheckedProps) {
  const { t } = useTranslation('audiences')
  const { data, error, again } = useCheck({ account: account.id, audience })
  const isOk = data?.result === 'ok'
  const refusal = data && data.result !== 'ok' ? data.result : error?.code
  return (
    <>
      <CheckboxField
        label={<Name account={account} />}
        hint={data ? data.mode && t(`shares.mode.${data.mode}`) : !error && t('accounts.loading')}
        checked={isOk && isChosen}
        disabled={!isOk}
        onChange={onChoose}
      />
      {refusal && (
        <div className={styles.refusal}>
          <span className={styles.bad}>
            <RefusalText code={refusal} channel={account.channel} />
          </span>
          {data?.fix_url && <FixLink href={data.fix_url} result={data.result} />}
          <Button size="compact-xs" variant="subtle" loading={again.isPending} onClick={() => again.mutate()}>
            {t('accounts.again')}
          </Button>
        </div>
      )}
    </>
  )
}
