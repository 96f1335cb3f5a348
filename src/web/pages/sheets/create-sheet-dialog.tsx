import { useState } from 'react'
import type { SheetSummary } from '#shared/api/sheets.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useCreateSheet } from './data.ts'

interface CreateSheetDialogProps {
  opened: boolean
  onClose: () => void
  onCreated: (sheet: SheetSummary) => void
}

export function CreateSheetDialog({ opened, onClose, onCreated }: CreateSheetDialogProps) {
  const { t } = useTranslation('sheets')
  const [title, setTitle] = useState('')
  const [tried, setTried] = useState(false)
  const create = useCreateSheet(onCreated)

  function submit() {
    setTried(true)
    if (title.trim()) create.mutate({ title: title.trim() })
  }

  return (
    <FormDialog
      opened={opened}
      title={t('create')}
      submit={t('create_submit')}
      loading={create.isPending}
      problem={create.error && <Problem code={create.error.code} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={title}
        onChange={setTitle}
        maxLength={200}
        focusedFirst
        required
        error={tried && !title.trim() && t('name_required')}
      />
    </FormDialog>
  )
}
