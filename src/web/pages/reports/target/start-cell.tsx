import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { cellName, parseStartCell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'

interface StartCellProps {
  value: string
  onChange: (start_cell: string) => void
  error: ReactNode
}

/** The upper left corner of the table. */
export function StartCell({ value, onChange, error }: StartCellProps) {
  const { t, language } = useTranslation('target')
  const cell = parseStartCell(value)
  const isWrong = typeof cell === 'string'
  return (
    <TextInput
      label={t('start_cell')}
      description={isWrong ? t('start_cell_hint') : t('place', { cell: cellName(cell) })}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      error={isWrong ? problemText(cell, 'external', language) : error}
      maxLength={20}
      autoComplete="off"
      spellCheck={false}
      withAsterisk
      aria-required
    />
  )
}
