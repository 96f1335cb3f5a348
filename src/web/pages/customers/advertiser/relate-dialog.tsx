import { useState } from 'react'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { listText } from '#shared/language.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useRelation, useUsableAccounts } from './data.ts'

/** The most of one request. */
const MOST = 500

/** Which accounts are the customer's, too; one of another customer changes hands, and that is said. */
export function RelateDialog({ advertiser, onClose }: { advertiser: Advertiser; onClose: () => void }) {
  const { t, language } = useTranslation('advertisers')
  const accounts = useUsableAccounts()
  const relate = useRelation(advertiser.id, 'relate')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const offered = (accounts.data ?? []).filter(account => account.advertiser !== advertiser.id)
  const selected = offered.filter(({ id }) => chosen.includes(id))
  const losing = new Set(selected.flatMap(({ advertiser_name }) => advertiser_name ?? []))
  const send = () =>
    relate.mutate(selected, {
      onSuccess() {
        showToast({ severity: 'success', message: t('accounts.related', { count: selected.length }) })
        onClose()
      },
    })
  const error = relate.error ?? accounts.error
  return (
    <FormDialog
      opened
      size={560}
      title={t('accounts.relate')}
      submit={t('accounts.relate_submit')}
      loading={relate.isPending}
      disabled={selected.length === 0}
      problem={
        error && (
          <Problem
            code={Object.values(error.fields)[0]?.[0] ?? error.code}
            audience="internal"
            {...(error === accounts.error && { onRetry: () => void accounts.refetch() })}
          />
        )
      }
      onSubmit={send}
      onClose={onClose}
    >
      <MultiSelectField
        label={t('accounts.title')}
        hint={t('accounts.relate_hint')}
        options={offered.map(({ id, name, external_id, channel, advertiser_name }) => ({
          value: id,
          label: name,
          group: channelNames[channel][language],
          note: [external_id, advertiser_name].filter(Boolean).join(' · '),
        }))}
        value={chosen}
        onChange={setChosen}
        placeholder={t('accounts.choose')}
        loading={accounts.isPending}
        limit={MOST}
      />
      {losing.size > 0 && (
        <InlineAlert severity="warning">
          {t('accounts.moving', { names: listText([...losing], language), name: advertiser.name })}
        </InlineAlert>
      )}
    </FormDialog>
  )
}
