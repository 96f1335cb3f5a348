import { Button, Group } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import type { File as StoredFile, Image } from '#shared/api/materials.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { fieldProblem, GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useUpdateMaterial } from './data.ts'
import styles from './materials.module.css'
import type { MaterialKind } from './paths.ts'
import { TagsInput } from './tags-input.tsx'

type Row = Image | StoredFile

interface MaterialFormProps {
  kind: MaterialKind
  row: Row
  /** Whether something has been written and not saved. */
  onChanged: (isChanged: boolean) => void
}

const draftOf = ({ name, tags }: Row) => ({ name, tags })

/** What can be changed of one: how it is called and found. Saving is offered once something has been. */
export function MaterialForm({ kind, row, onChanged }: MaterialFormProps) {
  const { t } = useTranslation('materials')
  const form = useRowForm({ row, draftOf })
  const update = useUpdateMaterial(kind, row.id)
  const [tried, setTried] = useState(false)
  const note = useEffectEvent((isChanged: boolean) => onChanged(isChanged))
  useEffect(() => note(form.isChanged), [form.isChanged])
  const isMissing = form.draft.name.trim() === ''
  function save() {
    setTried(true)
    if (isMissing) return
    update.mutate(
      { ...form.changes, version: form.base.version },
      {
        onSuccess: saved => {
          form.saved(form.draft, saved)
          showToast({ severity: 'success', message: t('saved', { name: saved.name }) })
        },
        onError: problem => form.setNewer(newerRow<Row>(problem, kind)),
      },
    )
  }
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        if (form.isChanged && form.newer === null && !update.isPending) save()
      }}
    >
      <TextField
        label={t('field.name')}
        value={form.draft.name}
        onChange={name => form.setDraft({ ...form.draft, name })}
        maxLength={200}
        autoComplete="off"
        required
        error={fieldProblem(update.error, 'name', tried && isMissing)}
      />
      <TagsInput
        kind={kind}
        value={form.draft.tags}
        onChange={tags => form.setDraft({ ...form.draft, tags })}
        error={fieldProblem(update.error, 'tags')}
      />
      {form.newer ? (
        <ConflictNotice
          fields={form.theirs.map(field => t(`field.${field}`))}
          onMerge={form.merge}
          onTakeTheirs={form.takeTheirs}
        />
      ) : (
        <GeneralProblem problem={update.error} fields={['name', 'tags']} />
      )}
      {form.isChanged && (
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="xs" disabled={update.isPending} onClick={form.reset}>
            {t('action.reset')}
          </Button>
          <Button type="submit" size="xs" loading={update.isPending} disabled={form.newer !== null}>
            {t('action.save')}
          </Button>
        </Group>
      )}
    </form>
  )
}
