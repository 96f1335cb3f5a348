import { useState } from 'react'
import { advertiserScope } from '#shared/access.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserBody, EMPTY_ADVERTISER } from '#web/pages/customers/advertiser-draft.ts'
import { BillingFields, IdentityFields } from '#web/pages/customers/advertiser-fields.tsx'
import styles from '#web/pages/customers/customers.module.css'
import { fieldProblem, GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { useMemberOptions } from '#web/pages/customers/people.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { useCreateAdvertiser } from './data.ts'

interface CreateAdvertiserDialogProps {
  onCreated: (advertiser: Advertiser) => void
  onClose: () => void
}

/** Takes a customer on: what is needed at once. The rest is on its page. */
export function CreateAdvertiserDialog({ onCreated, onClose }: CreateAdvertiserDialogProps) {
  const { t } = useTranslation('advertisers')
  const me = useMe()
  const seesAll = advertiserScope[me.identity] === 'all'
  const create = useCreateAdvertiser()
  const options = useMemberOptions()
  const [draft, setDraft] = useState(EMPTY_ADVERTISER)
  const [members, setMembers] = useState<readonly number[]>(seesAll ? [] : [me.user_id])
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    const body = advertiserBody(draft)
    if (body === null) return
    create.mutate(
      { ...body, members: [...members] },
      {
        onSuccess: advertiser => {
          showToast({ severity: 'success', message: t('create.done', { name: advertiser.name }) })
          onClose()
          onCreated(advertiser)
        },
      },
    )
  }
  const fields = { draft, onChange: setDraft, tried, problem: create.error }
  return (
    <FormDialog
      opened
      size={640}
      title={t('create.title')}
      submit={t('create.submit')}
      loading={create.isPending}
      problem={<GeneralProblem problem={create.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <IdentityFields {...fields} />
        <BillingFields {...fields} />
        <MultiSelectField
          label={t('field.members')}
          hint={t(seesAll ? 'members.hint' : 'members.hint_self')}
          options={options}
          value={members}
          onChange={setMembers}
          placeholder={t('members.choose')}
          error={fieldProblem(create.error, 'members')}
        />
        <p className={styles.hint}>{t('create.later')}</p>
      </div>
    </FormDialog>
  )
}
