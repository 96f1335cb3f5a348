import { useState } from 'react'
import { agencyFields, type AgencyField, type AgencyValues } from '#shared/api/instructions.ts'
import type { Language } from '#shared/language.ts'
import { showToast } from '#web/client/toasts.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSaveValues } from './data.ts'
import styles from './instructions.module.css'
import { fieldNames, sayIn } from './texts.ts'

interface ValuesDialogProps {
  values: AgencyValues
  language: Language
  onClose: () => void
}

/** What no platform tells the server of the agency itself. */
export function ValuesDialog({ values, language, onClose }: ValuesDialogProps) {
  const say = sayIn(language)
  const save = useSaveValues()
  const [draft, setDraft] = useState<Partial<Record<AgencyField, string>>>({})
  const submit = () => {
    const changed = Object.entries(draft).map(([field, typed]) => [field, typed.trim() || null])
    save.mutate(Object.fromEntries(changed), {
      onSuccess: () => {
        showToast({ severity: 'success', message: say('saved') })
        onClose()
      },
    })
  }
  const problem = save.error
  return (
    <FormDialog
      opened
      title={say('edit')}
      submit={say('save')}
      loading={save.isPending}
      disabled={Object.keys(draft).length === 0}
      problem={problem && Object.keys(problem.fields).length === 0 && <Problem code={problem.code} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.hint}>{say('edit_hint')}</p>
      {agencyFields.map((field, index) => {
        const code = problem?.fields[field]?.[0]
        return (
          <TextField
            key={field}
            label={fieldNames[field][language]}
            value={draft[field] ?? values[field] ?? ''}
            onChange={typed => setDraft({ ...draft, [field]: typed })}
            maxLength={60}
            focusedFirst={index === 0}
            error={code && <ProblemText code={code} />}
          />
        )
      })}
    </FormDialog>
  )
}
