import { useState } from 'react'
import type { BusinessAccount } from '#shared/api/businesses.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import styles from './businesses.module.css'
import { useRelate } from './data.ts'

interface RelateDialogProps {
  accounts: readonly BusinessAccount[]
  /** Whether all of them were related. */
  onClose: (isDone: boolean) => void
}

/** Says whose accounts these are, so that reports can use them. */
export function RelateDialog({ accounts, onClose }: RelateDialogProps) {
  const { t } = useTranslation('businesses')
  const relate = useRelate()
  const [advertiser, setAdvertiser] = useState<number | null>(null)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<readonly BusinessAccount[]>([])
  const left = refused.length > 0 ? refused : accounts
  function submit() {
    setTried(true)
    if (advertiser === null) return
    relate.mutate(
      { accounts: left, advertiser },
      {
        onSuccess(failed) {
          if (failed.length > 0) return setRefused(failed)
          showToast({ severity: 'success', message: t('relate.done', { count: accounts.length }) })
          onClose(true)
        },
      },
    )
  }
  return (
    <FormDialog
      opened
      title={t('relate.title', { count: accounts.length })}
      submit={t('relate.submit')}
      loading={relate.isPending}
      problem={
        refused.length > 0 && (
          <InlineAlert severity="error" title={t('relate.refused', { count: refused.length })}>
            <ul className={styles.list}>
              {refused.map(({ id, name }) => (
                <li key={id}>{name}</li>
              ))}
            </ul>
          </InlineAlert>
        )
      }
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      <p className={styles.hint}>{t('relate.detail')}</p>
      <AdvertiserPicker
        label={t('column.advertiser')}
        value={advertiser}
        onChange={setAdvertiser}
        active
        required
        {...(tried && advertiser === null && { error: t('relate.choose') })}
      />
    </FormDialog>
  )
}
