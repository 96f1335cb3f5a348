import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { cellName, parseStartCell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { usePermissionCheck, useTabs, type Target } from './data.ts'
import { ShareSteps } from './share-steps.tsx'
import styles from './target.module.css'
import { TargetResult } from './target-result.tsx'
import { isFileFine, targetState } from './target-state.ts'

interface TargetFieldsProps {
  value: Target
  onChange: (change: Partial<Target>) => void
  disabled?: boolean
  /** What the server has refused, by field. */
  errors?: Partial<Record<keyof Target, ReactNode>>
}

/** The spreadsheet, its sheet and the cell; whether the report may write there is said as soon as an address is there. */
export function TargetFields({ value, onChange, disabled = false, errors = {} }: TargetFieldsProps) {
  const { t } = useTranslation('target')
  const check = usePermissionCheck(value)
  const state = targetState(value.spreadsheet_url, check)
  const needsSharing = state === 'not_shared' || state === 'not_editor' || state === 'proof_required'
  return (
    <div className={styles.fields}>
      <TextField
        label={t('url')}
        hint={t('url_hint')}
        placeholder={t('url_placeholder')}
        value={value.spreadsheet_url}
        onChange={spreadsheet_url => onChange({ spreadsheet_url, sheet_name: '' })}
        error={state === 'not_a_spreadsheet' ? t('result.not_a_spreadsheet') : errors.spreadsheet_url}
        autoComplete="off"
        maxLength={2000}
        disabled={disabled}
      />
      <TargetResult state={state} url={value.spreadsheet_url} check={check} />
      {needsSharing && check.data && (
        <ShareSteps
          system_user={check.data.system_user}
          url={value.spreadsheet_url}
          code={check.data.code ?? null}
          checking={check.isFetching}
          onCheck={() => void check.refetch()}
        />
      )}
      <div className={styles.place}>
        <SheetPicker
          value={value}
          onChange={sheet_name => onChange({ sheet_name })}
          open={isFileFine(state)}
          disabled={disabled}
          error={errors.sheet_name}
        />
        <StartCell
          value={value.start_cell}
          onChange={start_cell => onChange({ start_cell })}
          disabled={disabled}
          error={errors.start_cell}
        />
      </div>
    </div>
  )
}

interface SheetPickerProps {
  value: Target
  onChange: (sheet_name: string) => void
  open: boolean
  disabled: boolean
  error: ReactNode
}

function SheetPicker({ value, onChange, open, disabled, error }: SheetPickerProps) {
  const { t, language } = useTranslation('target')
  const tabs = useTabs(value.spreadsheet_url, open).data
  const { sheet_name } = value
  const known = (tabs ?? []).map(tab => ({
    value: tab.title,
    label: [
      tab.title.includes(':') ? t('sheet_colon', { name: tab.title }) : tab.title,
      ...(tab.hidden ? [t('sheet_hidden')] : []),
    ].join(' · '),
    disabled: tab.title.includes(':'),
  }))
  const is_gone = tabs !== undefined && sheet_name !== '' && tabs.every(tab => tab.title !== sheet_name)
  const options =
    sheet_name !== '' && known.every(option => option.value !== sheet_name)
      ? [{ value: sheet_name, label: is_gone ? t('sheet_gone', { name: sheet_name }) : sheet_name }, ...known]
      : known
  const problem = sheet_name.includes(':')
    ? 'sheet_name_colon'
    : is_gone
      ? 'sheet_name_mismatch'
      : open && tabs && sheet_name === ''
        ? 'page_not_set'
        : null
  return (
    <SelectField
      label={t('sheet_name')}
      placeholder={t('sheet_name_placeholder')}
      value={sheet_name === '' ? null : sheet_name}
      options={options}
      onChange={onChange}
      searchable
      required
      disabled={disabled || (options.length === 0 && !open)}
      {...(!open && sheet_name === '' && { hint: t('sheet_later') })}
      error={problem ? problemText(problem, 'external', language) : error}
    />
  )
}

interface StartCellProps {
  value: string
  onChange: (start_cell: string) => void
  disabled: boolean
  error: ReactNode
}

function StartCell({ value, onChange, disabled, error }: StartCellProps) {
  const { t, language } = useTranslation('target')
  const cell = parseStartCell(value)
  const is_wrong = typeof cell === 'string'
  return (
    <TextInput
      label={t('start_cell')}
      description={is_wrong ? t('start_cell_hint') : t('place', { cell: cellName(cell) })}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      error={is_wrong ? problemText(cell, 'external', language) : error}
      maxLength={20}
      disabled={disabled}
      autoComplete="off"
      spellCheck={false}
      withAsterisk
      aria-required
    />
  )
}
