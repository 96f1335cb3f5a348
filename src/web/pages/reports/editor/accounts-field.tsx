import { useQuery } from '@tanstack/react-query'
import { limits } from '#shared/limits.ts'
import { useIsInternal } from '#web/app/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import type { BlockProps } from './block-card.tsx'
import { accountsOf } from './data.ts'

/** Which accounts are asked, by advertiser. */
export function AccountsField({ editor, index, block, onChange }: BlockProps) {
  const { t } = useTranslation('editor')
  const internal = useIsInternal()
  const { data, isPending } = useQuery(accountsOf(block.channel))
  const accounts = data ?? []
  const known = new Set(accounts.map(account => account.id))
  const options = accounts
    .toSorted(
      (a, b) =>
        (a.advertiser_name ?? '').localeCompare(b.advertiser_name ?? '') || a.name.localeCompare(b.name),
    )
    .map(account => ({
      value: account.id,
      label: account.name,
      note: account.currency,
      ...(account.advertiser_name !== null && { group: account.advertiser_name }),
      explanation: [account.external_id, account.currency, account.timezone].join(' · '),
    }))
  // What one may not use (any more) is still in the report and can be taken out.
  const lost = data
    ? block.accounts
        .filter(id => !known.has(id))
        .map(id => ({ value: id, label: t('block.account_lost', { id: String(id) }) }))
    : []
  const isEmpty = data?.length === 0
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
      {...(isEmpty && { hint: t(internal ? 'block.accounts_internal' : 'block.accounts_external') })}
    />
  )
}
