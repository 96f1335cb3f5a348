import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { instructionsPath } from '#shared/instructions.ts'
import { listText } from '#shared/language.ts'
import { limits } from '#shared/limits.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { accountFacts, accountPath, accountShort } from './account-text.ts'
import { buttonId } from './block-actions.ts'
import type { BlockProps } from './block-card.tsx'
import { accountsOf, MOST_ACCOUNTS } from './data.ts'
import styles from './editor.module.css'

/** The accounts of a block, by advertiser. */
export function AccountsField({ editing: { edits, errors }, index, block, beside }: BlockProps) {
  const { t, language } = useTranslation('editor')
  const internal = useIsInternal()
  const { data, isPending } = useQuery(accountsOf(block.channel))
  const toOption = useAccountOption()
  const options = useMemo(() => (data ?? []).toSorted(byAdvertiser).map(toOption), [data, toOption])
  // Of more accounts than are listed, an unlisted one may well be usable.
  const isCut = (data?.length ?? 0) >= MOST_ACCOUNTS
  // An account that one may no longer use is still in the report and can be removed.
  const lost = data
    ? block.accounts
        .filter(id => !data.some(account => account.id === id))
        .map(id => ({
          value: id,
          label: t(isCut ? 'block.account_unlisted' : 'block.account_lost', { id: String(id) }),
        }))
    : []
  const isEmpty = data?.length === 0
  const closed = (data ?? []).filter(({ id, status }) => status === 'disabled' && block.accounts.includes(id))
  const hint = isEmpty
    ? t(internal ? 'block.accounts_internal' : 'block.accounts_external', {
        channel: catalogueOf(block.channel).names[language],
      })
    : [
        closed.length > 0 &&
          t('block.accounts_closed', { names: listText(closed.map(accountShort), language) }),
        isCut && t('block.accounts_cut', { count: MOST_ACCOUNTS }),
      ]
        .filter(Boolean)
        .join(' ')
  return (
    <MultiSelectField
      id={buttonId(index, 'accounts')}
      label={t('block.accounts')}
      placeholder={t('block.accounts_placeholder')}
      options={lost.length === 0 ? options : [...options, ...lost]}
      value={block.accounts}
      onChange={chosen => edits.putAccounts(index, [...chosen], beside.known)}
      loading={isPending}
      limit={limits.accounts}
      wholeGroup={group => t('block.all_of', { group })}
      required
      error={errors.at(`channels.${index}.accounts`)}
      hint={
        internal && (isEmpty || closed.length > 0 || (lost.length > 0 && !isCut)) ? (
          <>
            {hint} <HowToAuthorise channel={block.channel} />
          </>
        ) : (
          hint
        )
      }
    />
  )
}

/** Opens the instructions beside the editor, at the part about the channel. */
function HowToAuthorise({ channel }: { channel: Channel }) {
  const { t } = useTranslation('editor')
  return (
    <a className={styles.jump} href={instructionsPath(channel)} target="_blank" rel="noopener">
      {t('block.how_to_authorise')}
    </a>
  )
}

/** Those that belong to nobody come last. */
const byAdvertiser = (a: AdAccount, b: AdAccount) =>
  Number(a.advertiser_name === null) - Number(b.advertiser_name === null) ||
  (a.advertiser_name ?? '').localeCompare(b.advertiser_name ?? '') ||
  accountPath(a).localeCompare(accountPath(b))

function useAccountOption() {
  const { t } = useTranslation('editor')
  return useCallback(
    (account: AdAccount) => {
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
    },
    [t],
  )
}
