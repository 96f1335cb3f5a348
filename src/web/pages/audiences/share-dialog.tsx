import { useState } from 'react'
import type { Audience, ShareAudienceReply } from '#shared/api/audiences.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { AccountChecks } from './account-checks.tsx'
import styles from './audiences.module.css'
import { RefusalText } from './refusal-text.tsx'
import { useAccounts, useShare } from './data.ts'

/** Chooses the ad accounts that get the audience. */
export function ShareDialog({ audience, onClose }: { audience: Audience; onClose: () => void }) {
  const { t } = useTranslation('audiences')
  const share = useShare()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [follows, setFollows] = useState(true)
  const submit = () =>
    share.mutate(
      { audience: audience.id, ad_accounts: [...chosen], auto_sync: follows },
      {
        onSuccess: ({ shares }) => {
          const count = shares.filter(({ result }) => result === 'queued').length
          if (count > 0) showToast({ severity: 'success', message: t('share_dialog.done', { count }) })
          setChosen([])
          if (count === shares.length) onClose()
        },
      },
    )
  return (
    <FormDialog
      opened
      size={560}
      title={t('share_dialog.title', { name: audience.name })}
      submit={
        chosen.length === 0
          ? t('share_dialog.submit_none')
          : t('share_dialog.submit', { count: chosen.length })
      }
      loading={share.isPending}
      disabled={chosen.length === 0}
      problem={<GeneralProblem problem={share.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountChecks
        audience={audience}
        chosen={chosen}
        onChange={setChosen}
        byHand={<p className={styles.hint}>{t('accounts.by_hand_later')}</p>}
      />
      {audience.kind === 'customer_file' && (
        <SwitchField label={t('accounts.sync')} checked={follows} onChange={setFollows} />
      )}
      {share.data && <Refusals audience={audience} shares={share.data.shares} />}
    </FormDialog>
  )
}

interface RefusalsProps {
  audience: Audience
  shares: ShareAudienceReply['shares']
}

/** The accounts that did not take it after all. */
export function Refusals({ audience, shares }: RefusalsProps) {
  const { t } = useTranslation('audiences')
  const accounts = useAccounts(audience.advertiser).data ?? []
  const refused = shares.filter(({ result }) => result !== 'queued')
  if (refused.length === 0) return null
  return (
    <InlineAlert severity="warning" title={t('share_dialog.refused')}>
      <ul className={styles.reasons}>
        {refused.map(({ ad_account: id, result }) => (
          <li key={id}>
            {accounts.find(account => account.id === id)?.name ?? id}: <RefusalText code={result} />
          </li>
        ))}
      </ul>
    </InlineAlert>
  )
}
