import { Group } from '@mantine/core'
import { useState } from 'react'
import { adjustmentReasons, type Adjustment, type Statement } from '#shared/api/ec-spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useClients } from '#web/pages/reports/bulk-changes/data.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import type { TypedAmount } from '#web/ui/money.ts'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { monthsLater } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { channels } from '#web/pages/ec-spend/search.ts'
import { useSaveAdjustment } from './data.ts'

interface AdjustmentFormProps {
  month: string
  statements: readonly Statement[]
  /** null: a new one. */
  adjustment: Adjustment | null
  onClose: () => void
}

const LONGEST_NOTE = 500
/** How far back something can concern. */
const MONTHS_BACK = 24

/** Booked from what platforms have changed, never typed. */
const reasons = adjustmentReasons.filter(reason => reason !== 'drift')
type Reason = (typeof reasons)[number]

export function AdjustmentForm({ month, statements, adjustment, onClose }: AdjustmentFormProps) {
  const { t } = useTranslation('closing')
  const save = useSaveAdjustment(adjustment?.id ?? null)
  const [draft, setDraft] = useState(() => draftOf(adjustment, month))
  const [tried, setTried] = useState(false)
  const { advertiser, amount } = draft
  const isZero = amount === 0
  const required = t('adjustment.required')

  function submit() {
    setTried(true)
    if (advertiser === null || typeof amount !== 'number' || isZero) return
    const body = { ...draft, advertiser, amount, month, note: draft.note.trim() }
    save.mutate(adjustment ? { ...body, version: adjustment.version } : body, {
      onSuccess: () => {
        showToast({ severity: 'success', message: t('adjustment.saved') })
        onClose()
      },
    })
  }

  return (
    <FormDialog
      opened
      title={t(adjustment ? 'adjustment.edit' : 'adjustment.add')}
      submit={t('adjustment.save')}
      loading={save.isPending}
      problem={save.error && <Problem code={save.error.code} audience="internal" />}
      onSubmit={submit}
      onClose={onClose}
    >
      <WhatFields draft={draft} onChange={setDraft} statements={statements} tried={tried} />
      <MoneyInput
        label={t('column.amount')}
        hint={t('adjustment.amount_hint')}
        value={amount}
        onChange={next => setDraft({ ...draft, amount: next })}
        currency={draft.currency}
        signed
        required
        error={isZero ? t('adjustment.not_zero') : tried && amount === null && required}
      />
      <SelectField<Reason>
        label={t('column.reason')}
        options={reasons.map(value => ({ value, label: t(`reason.${value}`) }))}
        value={draft.reason}
        onChange={reason => setDraft({ ...draft, reason })}
      />
      <MonthPicker
        label={t('adjustment.concerns_month')}
        value={draft.concerns_month}
        from={monthsLater(month, -MONTHS_BACK)}
        to={month}
        latestFirst
        onChange={chosen => setDraft({ ...draft, concerns_month: chosen ?? month })}
      />
      <TextField
        label={t('column.note')}
        value={draft.note}
        maxLength={LONGEST_NOTE}
        onChange={note => setDraft({ ...draft, note })}
      />
    </FormDialog>
  )
}

interface Draft extends Pick<Adjustment, 'channel' | 'currency' | 'concerns_month' | 'note'> {
  advertiser: number | null
  amount: TypedAmount
  reason: Reason
}

const draftOf = (adjustment: Adjustment | null, month: string): Draft => ({
  advertiser: adjustment?.advertiser ?? null,
  channel: adjustment?.channel ?? 'fb',
  currency: adjustment?.currency ?? 'TWD',
  amount: adjustment?.amount ?? null,
  reason: reasons.find(reason => reason === adjustment?.reason) ?? 'credit',
  concerns_month: adjustment?.concerns_month ?? month,
  note: adjustment?.note ?? '',
})

interface WhatFieldsProps extends Pick<AdjustmentFormProps, 'statements'> {
  draft: Draft
  onChange: (draft: Draft) => void
  tried: boolean
}

/** The advertiser, and in which channel and currency of its accounts. */
function WhatFields({ draft, onChange, statements, tried }: WhatFieldsProps) {
  const { t, language } = useTranslation('closing')
  const clients = useClients().data ?? []
  const own = statements.filter(({ advertiser }) => advertiser === draft.advertiser)
  const known = own.flatMap(({ currency, lines }) => [currency, ...lines.map(line => line.currency)])
  const currencies = [...new Set([...known, draft.currency, 'TWD', 'USD', 'JPY'])]
  return (
    <>
      <SelectField
        label={t('column.advertiser')}
        searchable
        required
        placeholder={t('adjustment.choose')}
        value={draft.advertiser === null ? null : String(draft.advertiser)}
        options={clients.map(({ id, name }) => ({ value: String(id), label: name }))}
        error={tried && draft.advertiser === null && t('adjustment.required')}
        onChange={chosen => {
          const lines = statements.find(({ advertiser }) => advertiser === Number(chosen))?.lines
          onChange({
            ...draft,
            advertiser: Number(chosen),
            ...(lines?.[0] && { channel: lines[0].channel, currency: lines[0].currency }),
          })
        }}
      />
      <Group grow align="start">
        <SelectField
          label={t('column.channel')}
          options={channels.map(value => ({ value, label: channelNames[value][language] }))}
          value={draft.channel}
          onChange={channel => onChange({ ...draft, channel })}
        />
        <SelectField
          label={t('column.currency')}
          options={currencies.map(value => ({ value, label: value }))}
          value={draft.currency}
          onChange={currency => onChange({ ...draft, currency })}
        />
      </Group>
    </>
  )
}
