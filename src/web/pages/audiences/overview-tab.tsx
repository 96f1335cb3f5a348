import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Audience } from '#shared/api/audiences.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { instantText } from '#web/ui/times.ts'
import { countryName } from './audience-draft.ts'
import { CustomerFileFields, NameFields } from './audience-fields.tsx'
import styles from './audiences.module.css'
import { useUpdateAudience } from './data.ts'
import { textsOf } from './audience-draft.ts'

/** What the audience is, and what of it may be changed. */
export function OverviewTab({ audience }: { audience: Audience }) {
  const { t } = useTranslation('audiences')
  const { kind, status } = audience
  return (
    <>
      {status === 'expired' && <InlineAlert severity="warning">{t('expired_detail')}</InlineAlert>}
      {status === 'draft' && <InlineAlert severity="info">{t('draft_detail')}</InlineAlert>}
      {kind === 'ga4' && <InlineAlert severity="info">{t('ga4_detail')}</InlineAlert>}
      <Facts audience={audience} />
      {audience.may_change && <ChangeForm audience={audience} />}
    </>
  )
}

function Facts({ audience }: { audience: Audience }) {
  const { t, language } = useTranslation('audiences')
  const { kind, rule, country, ratio, window_days: days, confirmed_at, confirmed_by_name } = audience
  const when = (at: string, name: string | null) =>
    t('by', { at: instantText(at, language), name: name ?? '–' })
  const facts: [term: string, value: ReactNode][] = [
    [t('field.advertiser'), audience.advertiser_name],
    [t('field.kind'), t(`kind.${kind}`)],
    [t('field.status'), t(`status.${audience.status}`)],
    [
      t('column.rows'),
      kind === 'customer_file' || kind === 'ga4' ? audience.rows.toLocaleString(language) : null,
    ],
    [t('field.site'), audience.site_name],
    [t('field.rule'), rule && [t(`match.${rule.match}`), ...rule.values].join(' · ')],
    [t('field.seed'), audience.seed_name],
    [t('field.country'), country && countryName(country, language)],
    [t('field.ratio'), ratio === null ? null : `${ratio} %`],
    [t('field.window_days'), days === null ? null : t('days', { count: days })],
    [t('field.basis'), audience.basis],
    [t('field.confirmed'), confirmed_at && when(confirmed_at, confirmed_by_name)],
    [t('field.expires'), audience.expires_at && instantText(audience.expires_at, language)],
    [t('field.created'), when(audience.created_at, audience.created_by_name)],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([term, value]) =>
          value && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function ChangeForm({ audience }: { audience: Audience }) {
  const { t } = useTranslation('audiences')
  const form = useRowForm({ row: audience, draftOf: textsOf })
  const update = useUpdateAudience(audience.id)
  const { draft, setDraft } = form
  const save = () =>
    update.mutate(
      { ...form.changes, version: form.base.version },
      {
        onSuccess: saved => {
          form.saved(form.draft, saved)
          showToast({ severity: 'success', message: t('saved', { name: saved.name }) })
        },
        onError: problem => form.setNewer(newerRow<Audience>(problem, 'audience')),
      },
    )
  return (
    <form
      noValidate
      className={styles.fields}
      onSubmit={event => {
        event.preventDefault()
        if (form.isChanged && draft.name.trim() !== '') save()
      }}
    >
      <NameFields draft={draft} onChange={setDraft} problem={update.error} tried={draft.name.trim() === ''} />
      {audience.kind === 'customer_file' && (
        <CustomerFileFields draft={draft} onChange={setDraft} problem={update.error} />
      )}
      {form.newer ? (
        <ConflictNotice
          fields={form.theirs.map(field => t(`field.${field === 'consent' ? 'ad_user_data' : field}`))}
          onMerge={form.merge}
          onTakeTheirs={form.takeTheirs}
        />
      ) : (
        <GeneralProblem problem={update.error} />
      )}
      <div>
        <Button
          type="submit"
          loading={update.isPending}
          disabled={!form.isChanged || form.newer !== null || draft.name.trim() === ''}
        >
          {t('actions.save')}
        </Button>
      </div>
    </form>
  )
}
