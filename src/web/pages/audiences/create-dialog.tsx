import { useState } from 'react'
import { audienceKinds } from '#shared/audiences.ts'
import type { Audience } from '#shared/api/audiences.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem, GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { AdvertiserField } from './advertiser-field.tsx'
import { bodyOf, newAudience, ofAdvertiser, ofKind } from './audience-draft.ts'
import { CustomerFileFields, NameFields } from './audience-fields.tsx'
import styles from './audiences.module.css'
import { useCreateAudience } from './data.ts'
import { DaysField } from './days-field.tsx'
import { Ga4Fields, LookalikeFields, WebsiteFields } from './source-fields.tsx'

interface CreateDialogProps {
  /** The one that the list is filtered by, or the only one that there is: perhaps not known yet. */
  advertiser: number | null
  onCreated: (audience: Audience) => void
  onClose: () => void
}

/** A new audience: its name, and what it is made of. */
export function CreateDialog({ advertiser, onCreated, onClose }: CreateDialogProps) {
  const { t } = useTranslation('audiences')
  const create = useCreateAudience()
  const [edited, setDraft] = useState(() => newAudience(null))
  const draft = { ...edited, advertiser: edited.advertiser ?? advertiser }
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    const body = bodyOf(draft)
    if (body === null) return
    create.mutate(body, {
      onSuccess: audience => {
        showToast({ severity: 'success', message: t('create_dialog.done', { name: audience.name }) })
        onClose()
        onCreated(audience)
      },
    })
  }
  const fields = { draft, onChange: setDraft, problem: create.error, tried }
  return (
    <FormDialog
      opened
      size={600}
      title={t('create_dialog.title')}
      submit={t('create_dialog.submit')}
      loading={create.isPending}
      problem={<GeneralProblem problem={create.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <SelectField
          label={t('field.kind')}
          hint={t(`kind_detail.${draft.kind}`)}
          options={audienceKinds.map(kind => ({ value: kind, label: t(`kind.${kind}`) }))}
          value={draft.kind}
          onChange={kind => setDraft(ofKind(draft, kind))}
        />
        <AdvertiserField
          label={t('field.advertiser')}
          required
          active
          value={draft.advertiser}
          onChange={chosen => setDraft(ofAdvertiser(draft, chosen))}
          error={fieldProblem(create.error, 'advertiser', tried && draft.advertiser === null)}
        />
        <NameFields {...fields} />
        {draft.kind === 'customer_file' && (
          <>
            <CustomerFileFields {...fields} />
            <DaysField
              label={t('field.window_days')}
              hint={t('hint.window_days_file')}
              most={540}
              value={draft.window_days}
              onChange={days => setDraft({ ...draft, window_days: days })}
              error={fieldProblem(create.error, 'window_days')}
            />
          </>
        )}
        {draft.kind === 'website' && <WebsiteFields {...fields} />}
        {draft.kind === 'lookalike' && <LookalikeFields {...fields} />}
        {draft.kind === 'ga4' && <Ga4Fields {...fields} />}
      </div>
    </FormDialog>
  )
}
