import { useState } from 'react'
import type { Actions, ConversionEntry } from '#shared/api/insight-settings.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { isErrorCode } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import settings from '#web/pages/insight-settings/insight-settings.module.css'
import { codeOf } from '#web/pages/insight-settings/data.ts'
import { formatMoney } from '#web/ui/money.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import styles from './conversions.module.css'
import { useAccounts, useActions } from './data.ts'
import { hasEntry, MOST_ENTRIES, type EntryChannel } from './entries.ts'

interface ActionListProps {
  advertiser: number
  channel: EntryChannel
  value: readonly ConversionEntry[]
  onToggle: (entry: ConversionEntry) => void
}

/** An account's own actions of the last 90 days, to be ticked. */
export function ActionList({ advertiser, channel, ...choosing }: ActionListProps) {
  const { t, language } = useTranslation('conversions')
  const accounts = useAccounts(advertiser, channel)
  const [chosen, setChosen] = useState<number | null>(null)
  const account = accounts.data?.find(({ id }) => id === chosen)
  const actions = useActions(chosen)
  if (accounts.data?.length === 0)
    return <p className={styles.none}>{t('no_accounts', { channel: channelNames[channel][language] })}</p>
  return (
    <>
      <SelectField
        label={t('account')}
        placeholder={t('account_choose')}
        searchable
        value={chosen === null ? null : String(chosen)}
        options={(accounts.data ?? []).map(({ id, name, external_id: externalId }) => ({
          value: String(id),
          label: `${name} (${externalId})`,
        }))}
        onChange={id => setChosen(Number(id))}
      />
      {actions.error && (
        <p className={styles.none} role="alert">
          <ProblemText code={codeOf(actions.error)} audience="internal" channel={channel} />
        </p>
      )}
      {actions.isLoading && <TableLoading rows={3} />}
      {actions.data && account && (
        <Found found={actions.data} channel={channel} currency={account.currency} {...choosing} />
      )}
    </>
  )
}

interface FoundProps extends Omit<ActionListProps, 'advertiser'> {
  found: Actions
  currency: string
}

function Found({
  found: { actions, is_pending: pending, code },
  channel,
  currency,
  value,
  onToggle,
}: FoundProps) {
  const { t, language } = useTranslation('conversions')
  if (pending)
    return (
      <div aria-live="polite">
        <p className={styles.none}>{t('preparing')}</p>
        <TableLoading rows={3} />
      </div>
    )
  if (code !== null && isErrorCode(code))
    return (
      <p className={styles.none} role="alert">
        <ProblemText code={code} audience="internal" channel={channel} />
      </p>
    )
  if (actions.length === 0) return <p className={styles.none}>{t('no_actions')}</p>
  return (
    // It scrolls, and its boxes bring the keyboard to it.
    <ul className={styles.actions} aria-label={t('actions')}>
      {actions.map(({ name, conversions, value: worth }) => {
        const entry = { channel, action: name }
        const isChosen = hasEntry(value, entry)
        return (
          <li key={name}>
            <label className={settings.check}>
              <input
                type="checkbox"
                checked={isChosen}
                disabled={!isChosen && value.length >= MOST_ENTRIES}
                onChange={() => onToggle(entry)}
              />
              {name}
            </label>
            <span data-tabular>
              {t('counted', { count: conversions })}
              {worth !== null && worth !== 0 && (
                <small>{formatMoney(Math.round(worth), currency, language)}</small>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
