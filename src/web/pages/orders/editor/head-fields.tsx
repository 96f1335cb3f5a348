import { Button } from '@mantine/core'
import { mediaBillings } from '#shared/billing/media-billing.ts'
import { taxKinds } from '#shared/billing/tax.ts'
import { languageNames, languages } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { AdvertiserPicker, AgentPicker, OwnerPicker } from '#web/pages/pickers/pickers.tsx'
import { Card } from '#web/ui/card.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TermsInput } from '#web/ui/terms-input.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import type { Faults } from './faults.ts'
import type { Change } from './use-draft.ts'

interface HeadProps {
  draft: Draft
  faults: Faults['head']
  /** It is a revision: whose it is and in which currency stays. */
  isRevision: boolean
  onChange: Change
  /** Takes over what is usual for the advertiser. */
  onAdvertiser: (id: number) => void
}

/** Whom it is for, how it is priced, and what the document says besides its lines. */
export function HeadFields(props: HeadProps) {
  return (
    <div className={styles.heads}>
      <WhoFields {...props} />
      <MoneyFields {...props} />
      <DocumentFields {...props} />
    </div>
  )
}

const faultOf = ({ faults }: Pick<HeadProps, 'faults'>) => {
  return (field: keyof Draft) => {
    const code = faults[field]
    return code && <ProblemText code={code} />
  }
}

function WhoFields(props: HeadProps) {
  const { draft, isRevision, onChange, onAdvertiser } = props
  const { t } = useTranslation('quotation')
  const fault = faultOf(props)
  return (
    <Card title={t('head.title')}>
      <div className={styles.fields}>
        <TextField
          label={t('head.name')}
          placeholder={t('head.name_placeholder')}
          value={draft.title}
          onChange={title => onChange({ title })}
          error={fault('title')}
          maxLength={120}
          required
        />
        <AdvertiserPicker
          label={t('head.advertiser')}
          placeholder={t('head.advertiser_placeholder')}
          active
          value={draft.advertiser}
          onChange={id => id !== null && onAdvertiser(id)}
          disabled={isRevision}
          error={fault('advertiser')}
          required
        />
        <AgentPicker
          label={t('head.agent')}
          none={t('head.agent_none')}
          active
          value={draft.agent}
          onChange={agent => onChange({ agent, ...(agent === null && { bill_to: 'advertiser' }) })}
          error={fault('agent')}
        />
        {draft.agent !== null && (
          <SegmentedField
            label={t('head.bill_to')}
            options={(['advertiser', 'agent'] as const).map(value => ({
              value,
              label: t(`head.bill_to_${value}`),
            }))}
            value={draft.bill_to}
            onChange={to => onChange({ bill_to: to })}
          />
        )}
        <div className={styles.pair}>
          <OwnerPicker
            label={t('head.owner')}
            placeholder={t('head.owner_self')}
            value={draft.owner}
            onChange={owner => onChange({ owner })}
            error={fault('owner')}
          />
          <TextField
            label={t('head.client_po')}
            value={draft.client_po}
            onChange={po => onChange({ client_po: po })}
            error={fault('client_po')}
            maxLength={60}
          />
        </div>
      </div>
    </Card>
  )
}

function MoneyFields(props: HeadProps) {
  const { draft, isRevision, onChange } = props
  const { t } = useTranslation('quotation')
  const { t: tOrders } = useTranslation('orders')
  const fault = faultOf(props)
  return (
    <Card title={t('money.title')}>
      <div className={styles.fields}>
        <CurrencyField
          label={t('money.currency')}
          value={draft.currency}
          onChange={currency => currency !== null && onChange({ currency })}
          disabled={isRevision}
          error={fault('currency')}
        />
        <SelectField
          label={t('money.tax')}
          options={taxKinds.map(value => ({ value, label: tOrders(`tax.${value}`) }))}
          value={draft.tax}
          onChange={tax => onChange({ tax })}
          error={fault('tax')}
        />
        <SelectField
          label={t('money.media_billing')}
          hint={t(`money.media_billing_hint.${draft.media_billing}`)}
          hintBelow
          options={mediaBillings.map(value => ({ value, label: tOrders(`media_billing.${value}`) }))}
          value={draft.media_billing}
          onChange={billing => onChange({ media_billing: billing })}
          error={fault('media_billing')}
        />
      </div>
    </Card>
  )
}

function DocumentFields(props: HeadProps) {
  const { draft, onChange } = props
  const { t } = useTranslation('quotation')
  const fault = faultOf(props)
  return (
    <Card title={t('document.title')}>
      <div className={styles.fields}>
        <SegmentedField
          label={t('document.language')}
          options={languages.map(value => ({ value, label: languageNames[value] }))}
          value={draft.language}
          onChange={language => onChange({ language })}
        />
        <div className={styles.pair}>
          <DayField
            label={t('document.issue_on')}
            hint={t('document.issue_on_hint')}
            value={draft.issue_on}
            onChange={day => onChange({ issue_on: day })}
            error={fault('issue_on')}
          />
          <DayField
            label={t('document.valid_until')}
            hint={t('document.valid_until_hint')}
            value={draft.valid_until}
            onChange={day => onChange({ valid_until: day })}
            error={fault('valid_until')}
          />
        </div>
        <TermsInput
          label={t('document.payment_terms')}
          value={draft.payment_terms}
          onChange={terms => onChange({ payment_terms: terms })}
          error={fault('payment_terms')}
        />
      </div>
    </Card>
  )
}

/** What is written under the lines, and what only people here read. */
export function TextFields(props: Pick<HeadProps, 'draft' | 'faults' | 'onChange'>) {
  const { draft, onChange } = props
  const { t } = useTranslation('quotation')
  return (
    <Card title={t('document.texts')}>
      <div className={styles.texts}>
        <Terms {...props} />
        <TextAreaField
          label={t('document.internal_note')}
          hint={t('document.internal_note_hint')}
          value={draft.internal_note}
          onChange={note => onChange({ internal_note: note })}
          error={faultOf(props)('internal_note')}
          rows={3}
          maxLength={4000}
        />
      </div>
    </Card>
  )
}

/** Those of the agency until somebody writes others. */
function Terms(props: Pick<HeadProps, 'draft' | 'faults' | 'onChange'>) {
  const { draft, onChange } = props
  const { t } = useTranslation('quotation')
  if (draft.terms === null)
    return (
      <p className={`${styles.quiet} ${styles.ownTerms}`}>
        {t('document.terms_own')}
        <Button variant="subtle" size="compact-xs" onClick={() => onChange({ terms: '' })}>
          {t('document.terms_write')}
        </Button>
      </p>
    )
  return (
    <TextAreaField
      label={t('document.terms')}
      hint={t('document.terms_hint')}
      value={draft.terms}
      onChange={terms => onChange({ terms })}
      error={faultOf(props)('terms')}
      rows={3}
      maxLength={4000}
    />
  )
}
