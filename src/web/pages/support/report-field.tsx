import { useDebouncedValue } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { useChosenReport, useReportsLike } from './data.ts'

interface ReportFieldProps {
  value: number | null
  onChange: (report: number) => void
  error: ReactNode
}

const DEBOUNCE_MS = 500

/** One of the reports that the reader sees; the server searches, since there may be thousands. */
export function ReportField({ value, onChange, error }: ReportFieldProps) {
  const { t } = useTranslation('support')
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS)
  const search = settled.trim()
  const chosen = useChosenReport(value).data
  const found = useReportsLike(search === chosen?.name ? '' : search).data?.results ?? []
  const reports = chosen ? [chosen, ...found.filter(({ id }) => id !== chosen.id)] : found
  return (
    <SelectField
      label={t('field.report')}
      placeholder={t('field.report_placeholder')}
      options={reports.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={id => onChange(Number(id))}
      onSearch={setTyped}
      error={error}
      searchable
      required
    />
  )
}
