import { useQuery } from '@tanstack/react-query'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { limits } from '#shared/limits.ts'
import { useIsInternal } from '#web/app/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { accountFacts, accountPath, accountShort } from './account-text.ts'
import type { BlockProps } from './block-card.tsx'
import { accountsOf } from './data.ts'

/** Which accounts are asked, by advertiser. */
export function AccountsField({ editor, index, block, onChange }: BlockProps) {
  const { t } = useTranslation('editor')
  const internal = useIsInternal()
  const { data, isPending } = useQuery(accountsOf(block.channel))
  const accounts = data ?? []
  const toOption = useAccountOption()
  const known = new Set(accounts.map(account => account.id))
  const options = accounts.toSorted(byAdvertiser).map(toOption)
  // What one may not use (any more) is still in the report and can be taken out.
  const lost = data
    ? block.accounts
        .filter(id => !known.has(id))
        .map(id => ({ value: id, label: t('block.account_lost', { id: String(id) }) }))
    : []
  const isEmpty = data?.length === 0
  const closed = accounts.filter(({ id, status }) => status === 'disabled' && block.accounts.includes(id))
  const hint = isEmpty
    ? t(internal ? 'block.accounts_internal' : 'block.accounts_external')
    : closed.length > 0 && t('block.accounts_closed', { names: closed.map(accountShort).join(', ') })
  return (
    <MultiSelectField
      label={t('block.accounts')}
      placeholder={t('block.accounts_placeholder')}
      options={[...options, ...lost]}
      value={block.accounts}
      onChange={chosen => onChange({ ...block, accounts: [...chosen] })}
      loading={isPending}
      limit={limits.accounts}
      required
      disabled={!editor.may_change}
      error={editor.errorAt(`channels.${index}.accounts`)}
      {...(hint && { hint })}
    />
  )
}

/** Those that belong to nobody come last. */
const byAdvertiser = (a: AdAccount, b: AdAccount) =>
  Number(a.advertiser_name === null) - Number(b.advertiser_name === null) ||
  (a.advertiser_name ?? '').localeCompare(b.advertiser_name ?? '') ||
  accountPath(a).localeCompare(accountPath(b))

function useAccountOption() {
  const { t } = useTranslation('editor')
  return (account: AdAccount) => {
    const { provider, currency, status, advertiser_name } = account
    const product =
      provider === 'ly_search' || provider === 'ly_display' || provider === 'yahoo_dsp'
        ? t(`provider.${provider}`)
        : null
    const state = status === 'disabled' ? t('block.account_closed') : null
    return {
      value: account.id,
      label: accountPath(account),
      short: accountShort(account),
      group: advertiser_name ?? t('block.no_advertiser'),
      note: [state, product, currency].filter(Boolean).join(' · '),
      explanation: accountFacts(account, { provider: product }),
      marked: state !== null,
    }
  }
}
