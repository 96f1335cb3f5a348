import { Button } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserBody, advertiserDraft } from '#web/pages/customers/advertiser-draft.ts'
import { BillingFields, FurtherFields, IdentityFields } from '#web/pages/customers/advertiser-fields.tsx'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { LeaveConfirmation } from '#web/pages/reports/editor/leave-confirmation.tsx'
import { Card } from '#web/ui/card.tsx'
import styles from './advertiser.module.css'
import { useUpdateAdvertiser } from './data.ts'

/** The customer's own facts, to change. */
export function DataTab({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  const form = useRowForm({ row: advertiser, draftOf: advertiserDraft })
  const update = useUpdateAdvertiser(advertiser.id)
  const [tried, setTried] = useState(false)
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    const body = advertiserBody(form.draft)
    if (body === null || form.newer !== null) return
    const changed = Object.fromEntries(Object.entries(body).filter(([field]) => field in form.changes))
    update.mutate(
      { ...changed, version: form.base.version },
      {
        onSuccess: saved => {
          form.saved(form.draft, saved)
          setTried(false)
          showToast({ severity: 'success', message: t('saved', { name: saved.name }) })
        },
        onError: problem => form.setNewer(newerRow<Advertiser>(problem, 'advertiser')),
      },
    )
  }
  const fields = {
    draft: form.draft,
    onChange: form.setDraft,
    tried,
    problem: update.error,
    id: advertiser.id,
  }
  return (
    <form onSubmit={submit} noValidate className={`${styles.stack} ${styles.form}`}>
      <LeaveConfirmation unsaved={form.isChanged} />
      <Card title={t('part.identity')}>
        <div className={styles.groups}>
          <IdentityFields {...fields} />
        </div>
      </Card>
      <Card title={t('part.billing')}>
        <div className={styles.groups}>
          <BillingFields {...fields} />
        </div>
      </Card>
      <Card title={t('part.documents')}>
        <div className={styles.groups}>
          <FurtherFields {...fields} />
        </div>
      </Card>
      {form.newer ? (
        <ConflictNotice
          fields={form.theirs.map(field => t(`field.${field}`))}
          onMerge={form.merge}
          onTakeTheirs={form.takeTheirs}
        />
      ) : (
        <GeneralProblem problem={update.error} />
      )}
      <div className={styles.bar}>
        <Button type="submit" loading={update.isPending} disabled={!form.isChanged || form.newer !== null}>
          {t('save')}
        </Button>
        {form.isChanged && (
          <Button variant="default" onClick={form.reset}>
            {t('reset')}
          </Button>
        )}
      </div>
    </form>
  )
}
