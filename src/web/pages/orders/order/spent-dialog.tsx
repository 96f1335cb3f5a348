import { useState } from 'react'
import type { Quotation, QuotationLine } from '#shared/api/quotations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNoteSpent } from '#web/pages/orders/data.ts'
import { lineName } from '#web/pages/orders/line-name.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import type { TypedAmount } from '#web/ui/money.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useRefusalText } from './refusal-text.ts'

interface SpentDialogProps {
  order: Quotation
  line: QuotationLine
  onClose: () => void
}

/** What a line without ad accounts has spent so far, as its publisher says. */
export function SpentDialog({ order, line, onClose }: SpentDialogProps) {
  const { t, language } = useTranslation('orders')
  const [spent, setSpent] = useState<TypedAmount>(line.typed_spent)
  const note = useNoteSpent()
  const refusalText = useRefusalText()
  const code = note.error?.fields['lines.0.typed_spent']?.[0]
  return (
    <FormDialog
      opened
      title={t('delivery.type_title', { name: lineName(line, language) })}
      submit={t('change.submit')}
      loading={note.isPending}
      disabled={spent === 'invalid'}
      problem={refusalText(note.error) && <p role="alert">{refusalText(note.error)}</p>}
      onSubmit={() => {
        if (spent === 'invalid') return
        const lines = [{ line: line.id, typed_spent: spent }]
        note.mutate({ id: order.id, version: order.version, lines }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <MoneyInput
        label={t('delivery.typed')}
        value={spent}
        onChange={setSpent}
        currency={order.currency}
        error={code && <ProblemText code={code} />}
        focusedFirst
      />
    </FormDialog>
  )
}
