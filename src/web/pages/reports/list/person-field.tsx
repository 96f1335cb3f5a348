import { Select } from '@mantine/core'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { usePeople, type Someone } from './people-data.ts'

interface PersonFieldProps {
  value: Someone | null
  onChange: (person: Someone) => void
  /** Those who cannot be chosen. */
  except: readonly number[]
  error?: string | null
}

/** A person among those whom one may see, found by name. */
export function PersonField({ value, onChange, except, error }: PersonFieldProps) {
  const { t } = useTranslation('actions')
  const { t: tUi } = useTranslation('ui')
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text === value?.name ? '' : text, 300)
  const people = usePeople(search)
  const found = (people.data ?? []).filter(({ id }) => !except.includes(id))
  const choices = value && found.every(({ id }) => id !== value.id) ? [value, ...found] : found
  return (
    <Select
      label={t('person.label')}
      placeholder={t('person.placeholder')}
      withAsterisk
      aria-required
      searchable
      data-autofocus
      openOnFocus={false}
      data={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
      // The server has searched; equal names are distinguished by the line below them.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const person = choices.find(({ id }) => String(id) === option.value)
        return (
          <span>
            {option.label}
            <small style={{ display: 'block', color: 'var(--ink-3)' }}>
              {person &&
                [person.username, t(person.is_client ? 'person.client' : 'person.colleague')]
                  .filter(part => part !== null)
                  .join(' · ')}
            </small>
          </span>
        )
      }}
      value={value ? String(value.id) : null}
      searchValue={text}
      onSearchChange={setText}
      onChange={chosen => {
        const person = choices.find(({ id }) => String(id) === chosen)
        if (person) onChange(person)
      }}
      allowDeselect={false}
      maxDropdownHeight={224}
      nothingFoundMessage={people.isFetching ? tUi('loading') : t('person.nobody')}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
      error={error}
    />
  )
}
