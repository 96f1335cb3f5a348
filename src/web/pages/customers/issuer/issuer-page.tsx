import { Button } from '@mantine/core'
import type { FormEvent } from 'react'
import type { Issuer } from '#shared/api/customers.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { LeaveConfirmation } from '#web/pages/reports/editor/leave-confirmation.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useIssuer, useUpdateIssuer } from './data.ts'
import { issuerBody, issuerDraft } from './issuer-draft.ts'
import { BankField, BaseCurrencyField, HeadFields, OrderFields } from './issuer-fields.tsx'
import styles from './issuer.module.css'

/** How the agency stands on its documents. */
export function IssuerPage() {
  const { t } = useTranslation('issuer')
  const { data, error, refetch } = useIssuer()
  usePageTitle(t('title'))
  if (!data && !error) return <PageLoading />
  return (
    <>
      <PageHeader title={t('title')} detail={t('detail')} />
      {data && <IssuerForm issuer={data} />}
      {!data && error && <Problem code={error.code} audience="internal" onRetry={() => void refetch()} />}
    </>
  )
}

const parts = [
  { key: 'head', Fields: HeadFields },
  { key: 'order', Fields: OrderFields },
  { key: 'payment', Fields: BankField },
  { key: 'currency', Fields: BaseCurrencyField },
] as const

function IssuerForm({ issuer }: { issuer: Issuer }) {
  const { t } = useTranslation('issuer')
  const form = useRowForm({ row: issuer, draftOf: issuerDraft })
  const update = useUpdateIssuer()
  function submit(event: FormEvent) {
    event.preventDefault()
    const body = issuerBody(form.draft, form.changes)
    if (body === null || form.newer !== null) return
    update.mutate(
      { ...body, version: form.base.version },
      {
        onSuccess: saved => {
          form.saved(form.draft, saved)
          showToast({ severity: 'success', message: t('saved') })
        },
        onError: problem => form.setNewer(newerRow<Issuer>(problem, 'issuer')),
      },
    )
  }
  const fields = { draft: form.draft, onChange: form.setDraft, problem: update.error }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <LeaveConfirmation unsaved={form.isChanged} />
      {parts.map(({ key, Fields }) => (
        <Card key={key} title={t(`part.${key}`)}>
          <div className={styles.fields}>
            <p className={styles.printed}>{t(`printed.${key}`)}</p>
            <Fields {...fields} />
          </div>
        </Card>
      ))}
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
