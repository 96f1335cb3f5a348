import { IconFileUpload } from '@tabler/icons-react'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { useFolders } from './data.ts'
import styles from './dialogs.module.css'
import { useImport, useImportCheck } from './import-data.ts'
import { ImportPlan } from './import-plan.tsx'
import { useListView } from './view.ts'

/** The limit of the server. */
const LARGEST = 1024 * 1024

/** Imports reports from files: dropped, chosen or pasted; a preview comes first. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('actions')
  const { view } = useListView()
  const folder = view.deleted ? 0 : view.p
  const folderName = useFolders().data?.find(({ id }) => id === folder)?.name
  const [text, setText] = useState('')
  const [checked] = useDebouncedValue(text, 400)
  const check = useImportCheck(checked, folder)
  const importing = useImport(folder)
  const plan = checked.trim() === '' ? undefined : check.data
  const count = plan?.results.filter(({ report }) => report !== null).length ?? 0
  const isLarge = new Blob([text]).size > LARGEST

  const submit = () =>
    importing.mutate(text, {
      onSuccess: ({ results }) => {
        const made = results.filter(({ report }) => report !== null).length
        showToast({ severity: 'success', message: t('import.done', { count: made }) })
        onClose()
      },
    })

  const problem = importing.error ?? check.error
  return (
    <FormDialog
      opened
      title={t('import.title')}
      submit={t('import.submit', { count: Math.max(1, count) })}
      loading={importing.isPending}
      disabled={count === 0 || text !== checked || isLarge}
      problem={
        (problem || isLarge) && (
          <p className={styles.problem} role="alert">
            {isLarge ? t('import.too_large') : problem && <ProblemText code={problem.code} />}
          </p>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <DropZone onText={setText} />
      <TextAreaField label={t('import.paste')} value={text} onChange={setText} rows={5} />
      {folderName !== undefined && <p className={styles.note}>{t('import.into', { folder: folderName })}</p>}
      <output aria-live="polite">
        {checked.trim() !== '' && check.isPending && <p className={styles.note}>{t('import.checking')}</p>}
        {plan && <ImportPlan plan={plan} />}
      </output>
    </FormDialog>
  )
}

/**
 * Several files are read as one, in the order of their names. Dropped files reach the field itself, which
 * covers everything.
 */
function DropZone({ onText }: { onText: (text: string) => void }) {
  const { t } = useTranslation('actions')
  const [over, setOver] = useState(false)
  async function take(files: FileList | null) {
    const sorted = [...(files ?? [])].toSorted((a, b) => a.name.localeCompare(b.name))
    if (sorted.length > 0) onText((await Promise.all(sorted.map(file => file.text()))).join('\n---\n'))
  }
  return (
    <label className={styles.drop} data-over={over || undefined}>
      <IconFileUpload size={22} stroke={1.5} aria-hidden />
      {t('import.drop')}
      <input
        type="file"
        multiple
        accept=".yaml,.yml,application/yaml,text/yaml"
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={event => void take(event.currentTarget.files)}
      />
    </label>
  )
}
