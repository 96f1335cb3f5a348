import { useDebouncedValue } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { nameOf } from '#shared/person-name.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useOpenUsers } from '#web/pages/users/data.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { useAdvertiser, useAdvertisersLike, useAgents } from './data.ts'
import { optionsError, type OptionsQuery } from './options-error.tsx'

interface PickerProps {
  /** Left out: give an aria-label. */
  label?: ReactNode
  'aria-label'?: string
  value: number | null
  onChange: (chosen: number | null) => void
  /** What choosing nobody is called; left out: somebody must be chosen. */
  none?: string
  placeholder?: string
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
}

const DEBOUNCE_MS = 300
const NONE = 'none'

export interface AdvertiserPickerProps extends PickerProps {
  active?: boolean
}

/**
 * An advertiser that the reader sees; the server searches, since there may be thousands. `active`: those that
 * are not taken care of any more are not offered.
 */
export function AdvertiserPicker({ active = false, ...props }: AdvertiserPickerProps) {
  const { value } = props
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const one = useAdvertiser(value)
  const chosen = one.data
  const list = useAdvertisersLike(settled === chosen?.name ? '' : settled, active)
  const found = list.data?.results ?? []
  const advertisers = chosen ? [chosen, ...found.filter(({ id }) => id !== chosen.id)] : found
  return (
    <Picker
      {...props}
      queries={[one, list]}
      options={advertisers.map(({ id, name }) => ({ id, name }))}
      onSearch={setTyped}
    />
  )
}

/** An agent; those that are closed only where one is chosen already. */
export function AgentPicker({ active = false, ...props }: PickerProps & { active?: boolean }) {
  const agents = useAgents()
  const offered = (agents.data ?? []).filter(
    ({ id, is_active }) => !active || is_active || id === props.value,
  )
  return <Picker {...props} queries={[agents]} options={offered} />
}

/** One of the agency's own people. */
export function OwnerPicker(props: PickerProps) {
  const people = useOpenUsers()
  const own = (people.data ?? []).filter(({ identity }) => identity !== null && identity !== 'external_user')
  return (
    <Picker
      {...props}
      queries={[people]}
      options={own.map(person => ({ id: person.user_id, name: nameOf(person) }))}
    />
  )
}

interface OptionsProps extends PickerProps {
  options: readonly { id: number; name: string }[]
  /** Where the options are from. */
  queries?: readonly OptionsQuery[]
  onSearch?: (typed: string) => void
}

/** One of a few that are known. */
export function Picker({ options, queries = [], none, value, onChange, ...props }: OptionsProps) {
  const { t } = useTranslation('errors')
  const failed = optionsError(...queries)
  return (
    <SelectField
      {...props}
      error={props.error || failed}
      {...(failed && { nothingFound: t('options') })}
      value={value === null ? (none === undefined ? null : NONE) : String(value)}
      options={[
        ...(none === undefined ? [] : [{ value: NONE, label: none }]),
        ...options.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={chosen => onChange(chosen === NONE ? null : Number(chosen))}
      searchable
    />
  )
}
