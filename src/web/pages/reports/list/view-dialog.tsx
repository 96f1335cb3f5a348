import { Text } from '@mantine/core'
import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem as ProblemBox } from '#web/ui/problem.tsx'
import { TextField } from '#web/ui/text-field.tsx'

interface ViewDialogProps {
  title: string
  detail?: string
  /** The name so far. */
  initial: string
  request: { isPending: boolean; error: Problem | null }
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a view. */
export function ViewDialog({ title, detail, initial, request, onSubmit, onClose }: ViewDialogProps) {
  const { t } = useTranslation('reports')
  const [name, setName] = useState(initial)
  const [tried, setTried] = useState(false)
  const { error } = request
  const isMissing = name.trim() === ''
  const problem = tried && isMissing ? 'field_required' : error?.fields['name']?.[0]
  return (
    <FormDialog
      opened
      title={title}
      submit={t('views.submit')}
      loading={request.isPending}
      problem={error && problem === undefined && <ProblemBox code={error.code} />}
      onSubmit={() => {
        setTried(true)
        if (!isMissing) onSubmit(name)
      }}
      onClose={onClose}
    >
      {detail !== undefined && <Text size="sm">{detail}</Text>}
      <TextField
        label={t('views.name')}
        value={name}
        onChange={setName}
        maxLength={limits.view_name}
        autoComplete="off"
        focusedFirst
        required
        error={problem && <ProblemText code={problem} />}
      />
    </FormDialog>
  )
}
