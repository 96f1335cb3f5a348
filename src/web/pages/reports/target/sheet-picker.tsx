import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { CreateSheet } from './create-sheet.tsx'
import { useTabs, type Target } from './data.ts'
import styles from './target.module.css'

interface SheetPickerProps {
  value: Target
  onChange: (sheet_name: string) => void
  /** The tabs can be listed. */
  open: boolean
  /** The current name of the chosen tab, where it was renamed. */
  new_name: string | null
  suggestion: string
  /** The tab was chosen for the person, who may choose another. */
  isSuggested: boolean
  /** It is about to be. */
  isPending: boolean
  error: ReactNode
  /** What is suggested while none is chosen. */
  children: ReactNode
}

/** Which tab: an existing one, a new one, or the one that was only renamed. */
export function SheetPicker(props: SheetPickerProps) {
  const { value, onChange, open, new_name, suggestion, isSuggested, error } = props
  const { t, language } = useTranslation('target')
  const { data: tabs, isPending: isLoading } = useTabs(value.spreadsheet_url, open)
  /**
   * There is nothing to choose from yet. A list that fills while it is open makes people miss their entry.
   */
  const isEarly = !open || isLoading
  const { sheet_name } = value
  const known = (tabs ?? []).map(tab => ({
    value: tab.title,
    label: [
      tab.title.includes(':') ? t('sheet_colon', { name: tab.title }) : tab.title,
      ...(tab.hidden ? [t('sheet_hidden')] : []),
    ].join(' · '),
    disabled: tab.title.includes(':'),
  }))
  const isGone = tabs !== undefined && sheet_name !== '' && tabs.every(tab => tab.title !== sheet_name)
  const options =
    sheet_name !== '' && known.every(option => option.value !== sheet_name)
      ? [{ value: sheet_name, label: isGone ? t('sheet_gone', { name: sheet_name }) : sheet_name }, ...known]
      : known
  const problem = sheet_name.includes(':')
    ? 'sheet_name_colon'
    : isGone
      ? 'sheet_name_mismatch'
      : open && tabs && sheet_name === '' && !props.isPending
        ? 'page_not_set'
        : null
  return (
    <>
      <SelectField
        label={t('sheet_name')}
        placeholder={t('sheet_name_placeholder')}
        value={sheet_name === '' ? null : sheet_name}
        options={options}
        onChange={onChange}
        searchable
        required
        disabled={options.length === 0 && isEarly}
        {...(isEarly && sheet_name === '' && { hint: t('sheet_later') })}
        {...(isSuggested && { hint: t('suggestion.taken') })}
        hintBelow
        error={problem ? problemText(problem, 'external', language) : error}
      />
      {props.children}
      {open && (
        <div className={styles.buttons}>
          {new_name !== null && (
            <Button size="compact-sm" variant="light" onClick={() => onChange(new_name)}>
              {t('use_new_name', { name: new_name })}
            </Button>
          )}
          <CreateSheet spreadsheet_url={value.spreadsheet_url} suggestion={suggestion} onCreated={onChange} />
        </div>
      )}
    </>
  )
}
