import { useDebouncedValue } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAdvertiser, useAdvertisersLike } from '#web/pages/pickers/data.ts'
import { optionsError } from '#web/pages/pickers/options-error.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { advertiserOf, type Owner } from './owner.ts'

interface OwnerFieldProps {
  /** Left out: give an aria-label. */
  label?: ReactNode
  'aria-label'?: string
  /** What choosing nobody is called; left out: somebody must be chosen. */
  any?: string
  value: Owner | null
  onChange: (owner: Owner | null) => void
  /** Those that are not taken care of any more are not offered. */
  active?: boolean
  placeholder?: string
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
}

const ANY = 'any'
const AGENCY = 'agency'
const DEBOUNCE_MS = 300

/** The agency, or an advertiser that the reader sees; the server searches, since there may be many. */
export function OwnerField({ any, value, onChange, active = false, ...props }: OwnerFieldProps) {
  const { t } = useTranslation('materials')
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const one = useAdvertiser(value === null ? null : advertiserOf(value))
  const chosen = one.data
  const isName = settled === chosen?.name || settled === t('agency') || settled === any
  const list = useAdvertisersLike(isName ? '' : settled, active)
  const found = list.data?.results ?? []
  const advertisers = chosen ? [chosen, ...found.filter(({ id }) => id !== chosen.id)] : found
  return (
    <SelectField
      {...props}
      error={props.error || optionsError(one, list)}
      searchable
      value={value === null ? (any === undefined ? null : ANY) : String(value)}
      options={[
        ...(any === undefined ? [] : [{ value: ANY, label: any }]),
        { value: AGENCY, label: t('agency') },
        ...advertisers.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onSearch={setTyped}
      onChange={owner => onChange(owner === ANY ? null : owner === AGENCY ? AGENCY : Number(owner))}
    />
  )
}
