import { useDebouncedValue } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Picker } from '#web/pages/pickers/pickers.tsx'
import { useChosen, useMaterials } from './data.ts'

const DEBOUNCE_MS = 300

interface MaterialPickerProps {
  kind: 'image' | 'file'
  advertiser: number | null
  value: number | null
  onChange: (chosen: number | null) => void
  error?: ReactNode
}

/** An image or a file of the advertiser or of the agency; the server searches: there may be thousands. */
export function MaterialPicker({ kind, advertiser, ...props }: MaterialPickerProps) {
  const { t } = useTranslation('links')
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const one = useChosen(kind, props.value)
  const chosen = one.data
  const isChoice = settled === chosen?.name || settled === t('none')
  const list = useMaterials(kind, advertiser, isChoice ? '' : settled)
  const found = list.data ?? []
  const options = chosen ? [chosen, ...found.filter(({ id }) => id !== chosen.id)] : found
  return (
    <Picker
      {...props}
      queries={[one, list]}
      label={t(`field.${kind}`)}
      none={t('none')}
      disabled={advertiser === null}
      options={options}
      onSearch={setTyped}
    />
  )
}
