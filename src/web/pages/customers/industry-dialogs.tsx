import { useState } from 'react'
import type { Industry } from '#shared/api/customers.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import styles from './customers.module.css'
import {
  INDUSTRIES,
  useAllIndustries,
  useCreateIndustry,
  useMergeIndustry,
  useUpdateIndustry,
} from './data.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { fieldProblem, GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { ImportDialog } from '#web/pages/rows/import-dialog.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'

/** What is open over the list. */
export type IndustryAction =
  | { kind: 'create' | 'import' }
  | { kind: 'rename' | 'merge' | 'delete'; industry: Industry }

export function IndustryActionDialog({ action, onClose }: { action: IndustryAction; onClose: () => void }) {
  const { t } = useTranslation('industries')
  switch (action.kind) {
    case 'create':
      return <CreateDialog onClose={onClose} />
    case 'import':
      return (
        <ImportDialog
          title={t('import')}
          path={INDUSTRIES}
          columns={[t('name'), t('name_zh')]}
          onClose={onClose}
        />
      )
    case 'rename':
      return <RenameDialog industry={action.industry} onClose={onClose} />
    case 'merge':
      return <MergeDialog industry={action.industry} onClose={onClose} />
    case 'delete':
      return <DeleteDialog path={INDUSTRIES} row={action.industry} onClose={onClose} />
  }
}

type Names = Pick<Industry, 'name' | 'name_zh'>

function CreateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('industries')
  const create = useCreateIndustry()
  const [names, setNames] = useState<Names>({ name: '', name_zh: '' })
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    if (!isWhole(names)) return
    create.mutate(names, {
      onSuccess: ({ name }) => {
        showToast({ severity: 'success', message: t('create.done', { name }) })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      opened
      title={t('create.title')}
      submit={t('create.submit')}
      loading={create.isPending}
      problem={<GeneralProblem problem={create.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameFields names={names} onChange={setNames} tried={tried} problem={create.error} />
    </FormDialog>
  )
}

function RenameDialog({ industry, onClose }: { industry: Industry; onClose: () => void }) {
  const { t } = useTranslation('industries')
  const form = useRowForm({ row: industry, draftOf: namesOf })
  const update = useUpdateIndustry(industry.id)
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    if (!isWhole(form.draft)) return
    update.mutate(
      { ...form.changes, version: form.base.version },
      {
        onSuccess: ({ name }) => {
          showToast({ severity: 'success', message: t('rename.done', { name }) })
          onClose()
        },
        onError: problem => form.setNewer(newerRow<Industry>(problem, 'industry')),
      },
    )
  }
  return (
    <FormDialog
      opened
      title={t('rename.title', { name: industry.name })}
      submit={t('rename.submit')}
      loading={update.isPending}
      disabled={form.newer !== null}
      problem={
        form.newer ? (
          <ConflictNotice
            fields={form.theirs.map(field => t(field))}
            onMerge={form.merge}
            onTakeTheirs={form.takeTheirs}
          />
        ) : (
          <GeneralProblem problem={update.error} />
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <NameFields names={form.draft} onChange={form.setDraft} tried={tried} problem={update.error} />
    </FormDialog>
  )
}

const namesOf = ({ name, name_zh }: Industry): Names => ({ name, name_zh })
const isWhole = ({ name, name_zh }: Names) => name.trim() !== '' && name_zh.trim() !== ''

interface NameFieldsProps {
  names: Names
  onChange: (names: Names) => void
  tried: boolean
  problem: Refused | null
}

function NameFields({ names, onChange, tried, problem }: NameFieldsProps) {
  const { t } = useTranslation('industries')
  return (
    <div className={styles.fields}>
      {(['name', 'name_zh'] as const).map(field => (
        <TextField
          key={field}
          label={t(field)}
          value={names[field]}
          onChange={text => onChange({ ...names, [field]: text })}
          maxLength={60}
          autoComplete="off"
          required
          focusedFirst={field === 'name'}
          error={fieldProblem(problem, field, tried && !names[field].trim())}
        />
      ))}
    </div>
  )
}

/** All its advertisers go to another industry, and it is gone. */
function MergeDialog({ industry, onClose }: { industry: Industry; onClose: () => void }) {
  const { t, language } = useTranslation('industries')
  const all = useAllIndustries()
  const merge = useMergeIndustry(industry.id)
  const [into, setInto] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    if (into === null) return
    merge.mutate(
      { version: industry.version, into: Number(into) },
      {
        onSuccess: () => {
          showToast({ severity: 'success', message: t('merge.done', { name: industry.name }) })
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      opened
      title={t('merge.title', { name: industry.name })}
      submit={t('merge.submit')}
      loading={merge.isPending}
      problem={<GeneralProblem problem={merge.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.hint}>{t('merge.detail', { count: industry.advertisers })}</p>
      <SelectField
        label={t('merge.into')}
        placeholder={t('merge.choose')}
        searchable
        value={into}
        options={(all.data ?? [])
          .filter(({ id }) => id !== industry.id)
          .map(({ id, name, name_zh }) => ({
            value: String(id),
            label: language === 'en' ? name : name_zh,
            keywords: `${name} ${name_zh}`,
          }))}
        onChange={setInto}
        required
        error={tried && into === null && <ProblemText code="field_required" />}
      />
    </FormDialog>
  )
}
