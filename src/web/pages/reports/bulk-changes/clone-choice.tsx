import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFolders } from '#web/pages/reports/list/data.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import styles from './bulk-changes.module.css'
import { bodyOf, type CloneDraft } from './clone-draft.ts'
import { useClientsWithAccounts } from './data.ts'
import { folderOptions } from '#web/pages/reports/list/folder-options.ts'

/** The query of a step, as far as the step shows it. */
export interface RequestState {
  isPending: boolean
  error: Refused | null
}

interface CloneChoiceProps {
  draft: CloneDraft
  reports: readonly number[]
  request: RequestState
  onChange: (draft: CloneDraft) => void
  onNext: () => void
}

/** Whose reports, and for whom. */
export function CloneChoice({ draft, reports, request, onChange, onNext }: CloneChoiceProps) {
  const { t, language } = useTranslation('bulk_changes')
  const [tried, setTried] = useState(false)
  const clients = useClientsWithAccounts()
  const folders = useFolders().data ?? []
  const sources = (['client', 'folder', 'selection'] as const).filter(
    source => source !== 'selection' || reports.length > 0,
  )
  const options = (clients.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const missing = (value: number | null) => tried && value === null && <ProblemText code="field_required" />
  const textOf = (id: number | null) => (id === null ? null : String(id))
  if (clients.error) return <Problem code={clients.error.code} onRetry={() => void clients.refetch()} />
  return (
    <>
      <p className={styles.hint}>{t('clone.hint')}</p>
      <SegmentedField
        label={t('clone.source')}
        value={draft.source}
        options={sources.map(source => ({ value: source, label: t(`clone.source_${source}`) }))}
        onChange={source => onChange({ ...draft, source })}
      />
      <div className={styles.pair}>
        {draft.source === 'client' && (
          <SelectField
            label={t('clone.client')}
            placeholder={t('choose_client')}
            options={options}
            value={textOf(draft.client)}
            error={missing(draft.client)}
            onChange={id => onChange({ ...draft, client: Number(id) })}
            searchable
            required
          />
        )}
        {draft.source === 'folder' && (
          <SelectField
            label={t('clone.folder')}
            placeholder={t('choose_folder')}
            options={folderOptions(folders, language)}
            value={textOf(draft.folder)}
            error={missing(draft.folder)}
            onChange={id => onChange({ ...draft, folder: Number(id) })}
            searchable
            required
          />
        )}
        {draft.source === 'selection' && (
          <p className={styles.hint}>{t('clone.selection', { count: reports.length })}</p>
        )}
        <SelectField
          label={t('clone.for')}
          placeholder={t('choose_client')}
          options={options.filter(({ value }) => draft.source !== 'client' || value !== textOf(draft.client))}
          value={textOf(draft.advertiser)}
          error={missing(draft.advertiser)}
          onChange={id => onChange({ ...draft, advertiser: Number(id) })}
          searchable
          required
        />
      </div>
      {request.error && <Problem code={request.error.code} />}
      <div className={styles.buttons}>
        <Button
          loading={request.isPending}
          onClick={() => {
            setTried(true)
            if (bodyOf(draft, reports)) onNext()
          }}
        >
          {t('next')}
        </Button>
      </div>
    </>
  )
}
