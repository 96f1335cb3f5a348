import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Advertiser } from '#shared/api/advertisers.ts'
import type { FeeAgreement } from '#shared/api/customers.ts'
import type { SpendChannel } from '#shared/api/money.ts'
import { feeBases, MAX_TIERS, tierModes } from '#shared/billing/fee.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/customers/customers.module.css'
import { useToday } from '#web/pages/today.ts'
import { fieldProblem, GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { monthsLater } from '#web/ui/month.ts'
import { RateInput } from '#web/ui/rate-input.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useSaveAgreement } from './data.ts'
import { agreementOf, draftOf, feeBody, newDraft, type FeeDraft } from './fee-draft.ts'
import { FeeExample } from './fee-example.tsx'
import own from './fees.module.css'

const channels: readonly SpendChannel[] = ['fb', 'aw', 'yg', 'tt', 'ln']
const ALL = 'all'

/** How far back and ahead an agreement may begin or end. */
const MONTHS = 36

interface FeeDialogProps {
  advertiser: Advertiser
  /** Left out: a new one. */
  agreement?: FeeAgreement
  onClose: () => void
}

/** What is agreed; what a month would cost is worked out while it is written. */
export function FeeDialog({ advertiser, agreement: before, onClose }: FeeDialogProps) {
  const { t, language } = useTranslation('fees')
  const thisMonth = useToday().slice(0, 7)
  const [draft, setDraft] = useState(() =>
    before ? draftOf(before) : newDraft(advertiser.billing_currency ?? 'TWD', thisMonth),
  )
  const [tried, setTried] = useState(false)
  const save = useSaveAgreement(advertiser.id, before)
  const put = (change: Partial<FeeDraft>) => setDraft({ ...draft, ...change })
  const errorOf = (field: string, isMissing = false) => fieldProblem(save.error, field, tried && isMissing)
  const agreement = agreementOf(draft)
  function submit() {
    setTried(true)
    const body = feeBody(draft)
    if (body === null || agreement === null) return
    save.mutate(body, {
      onSuccess() {
        showToast({ severity: 'success', message: t(before ? 'change.done' : 'added') })
        onClose()
      },
    })
  }
  const range = {
    from: earlier(monthsLater(thisMonth, -MONTHS), before?.from_month),
    to: monthsLater(thisMonth, MONTHS),
  }
  return (
    <FormDialog
      opened
      size={620}
      title={t(before ? 'change.title' : 'add')}
      submit={t(before ? 'change.submit' : 'submit')}
      loading={save.isPending}
      problem={<GeneralProblem problem={save.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <div className={styles.pair}>
          <SelectField
            label={t('channel')}
            value={draft.channel ?? ALL}
            options={[
              { value: ALL, label: t('all_channels') },
              ...channels.map(channel => ({ value: channel, label: channelNames[channel][language] })),
            ]}
            onChange={value => put({ channel: channels.find(channel => channel === value) ?? null })}
            error={errorOf('channel')}
          />
          <CurrencyField
            label={t('currency')}
            value={draft.currency}
            onChange={currency => currency !== null && put({ currency })}
            error={errorOf('currency')}
          />
          <MonthPicker
            label={t('from')}
            value={draft.from_month}
            onChange={month => month !== null && put({ from_month: month })}
            {...range}
            error={errorOf('from_month')}
          />
          <MonthPicker
            label={t('to')}
            value={draft.to_month}
            onChange={month => put({ to_month: month })}
            {...range}
            none={t('open_end')}
            error={errorOf('to_month', draft.to_month !== null && draft.to_month < draft.from_month)}
          />
        </div>
        <TierFields draft={draft} onChange={put} tried={tried} />
        <div className={styles.pair}>
          <MoneyInput
            label={t('amount')}
            value={draft.amount}
            onChange={amount => put({ amount })}
            currency={draft.currency}
            error={errorOf('amount')}
          />
          <MoneyInput
            label={t('minimum')}
            value={draft.minimum}
            onChange={minimum => put({ minimum })}
            currency={draft.currency}
            error={errorOf('minimum')}
          />
        </div>
        <CheckboxField
          label={t('charges_idle_months')}
          checked={draft.charges_idle_months}
          onChange={checked => put({ charges_idle_months: checked })}
        />
        {agreement && <FeeExample agreement={agreement} />}
      </div>
    </FormDialog>
  )
}

const earlier = (month: string, other = month) => (other < month ? other : month)

interface TierFieldsProps {
  draft: FeeDraft
  onChange: (change: Partial<FeeDraft>) => void
  tried: boolean
}

/** The rates by how much media there is in a month; a fee within the media has one. */
function TierFields({ draft, onChange, tried }: TierFieldsProps) {
  const { t } = useTranslation('fees')
  const { tiers, currency } = draft
  const put = (index: number, change: Partial<FeeDraft['tiers'][number]>) =>
    onChange({ tiers: tiers.map((tier, at) => (at === index ? { ...tier, ...change } : tier)) })
  const last = tiers.length - 1
  const missing = (value: unknown) => fieldProblem(null, '', tried && value === null)
  return (
    <>
      <SegmentedField
        label={t('basis')}
        value={draft.basis}
        options={feeBases.map(basis => ({ value: basis, label: t(`bases.${basis}`) }))}
        onChange={basis => onChange({ basis, ...(basis === 'within' && { tiers: tiers.slice(-1) }) })}
      />
      {tiers.map(({ up_to, rate }, index) => (
        // Two may be equal while they are typed: only their index identifies them.
        <div key={index} className={own.tier}>
          {index < last ? (
            <MoneyInput
              label={t('up_to')}
              value={up_to}
              onChange={value => put(index, { up_to: value })}
              currency={currency}
              error={missing(up_to)}
            />
          ) : (
            <span className={own.quiet}>{t(tiers.length === 1 ? 'any_media' : 'above')}</span>
          )}
          <RateInput
            label={t('rate', { number: index + 1 })}
            value={rate}
            onChange={value => put(index, { rate: value })}
            error={missing(rate)}
          />
          {index < last && (
            <ActionIcon
              aria-label={t('remove_tier', { number: index + 1 })}
              onClick={() => onChange({ tiers: tiers.toSpliced(index, 1) })}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          )}
        </div>
      ))}
      {draft.basis === 'on_top' && tiers.length < MAX_TIERS && (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            onClick={() => onChange({ tiers: tiers.toSpliced(last, 0, { up_to: null, rate: null }) })}
          >
            {t('add_tier')}
          </Button>
        </div>
      )}
      {tiers.length > 1 && (
        <SegmentedField
          label={t('tier_mode')}
          hint={t(`modes_detail.${draft.tier_mode}`)}
          value={draft.tier_mode}
          options={tierModes.map(mode => ({ value: mode, label: t(`modes.${mode}`) }))}
          onChange={mode => onChange({ tier_mode: mode })}
        />
      )}
    </>
  )
}
