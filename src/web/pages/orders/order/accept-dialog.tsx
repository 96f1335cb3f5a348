import { useState } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAction } from '#web/pages/orders/data.ts'
import { useToday } from '#web/pages/today.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useRefusalText, type DialogProps } from './refusal-text.ts'

const signedTypes = ['application/pdf', 'image/png', 'image/jpeg']
const MOST_BYTES = 10 * 1024 * 1024

/** When the customer has signed, who did, and the signed document. */
export function AcceptDialog({ order, onClose }: DialogProps) {
  const { t } = useTranslation('orders')
  const today = useToday()
  const [day, setDay] = useState(today)
  const [name, setName] = useState('')
  const [po, setPo] = useState(order.client_po)
  const [files, setFiles] = useState<readonly File[]>([])
  const accept = useAction()
  const refusalText = useRefusalText()
  const faultOf = (field: string) => {
    const code = accept.error?.fields[field]?.[0]
    return code && <ProblemText code={code} />
  }

  function submit() {
    const fields = {
      version: order.version,
      accepted_on: day,
      accepted_by: name,
      ...(po !== order.client_po && { client_po: po }),
    }
    accept.mutate(
      { id: order.id, action: 'accept', body: files[0] ? formOf(fields, files[0]) : fields },
      {
        onSuccess({ label }) {
          onClose()
          showToast({ severity: 'success', message: t('accept.done', { label: label ?? '' }) })
        },
      },
    )
  }

  return (
    <FormDialog
      opened
      title={t('accept.title')}
      submit={t('accept.submit')}
      loading={accept.isPending}
      problem={refusalText(accept.error) && <p role="alert">{refusalText(accept.error)}</p>}
      onSubmit={submit}
      onClose={onClose}
    >
      <DayField
        label={t('accept.on')}
        value={day}
        onChange={setDay}
        max={today}
        error={day > today ? t('accept.future') : faultOf('accepted_on')}
        required
      />
      <TextField
        label={t('accept.by')}
        hint={t('accept.by_hint')}
        value={name}
        onChange={setName}
        error={faultOf('accepted_by')}
        maxLength={120}
        required
        focusedFirst
      />
      <TextField
        label={t('accept.po')}
        value={po}
        onChange={setPo}
        error={faultOf('client_po')}
        maxLength={60}
      />
      <FileField
        label={t('accept.file')}
        hint={t('accept.file_hint')}
        types={signedTypes}
        most_bytes={MOST_BYTES}
        value={files}
        onChange={setFiles}
        error={faultOf('file')}
        loading={accept.isPending}
      />
      <p>{t('accept.payments')}</p>
    </FormDialog>
  )
}

function formOf(fields: Readonly<Record<string, string | number>>, file: File) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  form.set('file', file)
  return form
}
