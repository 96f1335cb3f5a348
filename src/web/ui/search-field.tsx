import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'

interface SearchFieldProps {
  /** What is searched; also its placeholder. */
  label: string
  value: string
  /** Called when the typing has paused, or with Enter at once. */
  onSearch: (value: string) => void
  className?: string | undefined
}

const SEARCH_DEBOUNCE_MS = 500

/** Searches when typing has paused; a value that changes from outside is shown too. */
export function SearchField({ label, value, onSearch, className }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  const search = useEffectEvent((term: string) => {
    if (term !== value) onSearch(term)
  })
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextInput
      type="search"
      {...(className !== undefined && { className })}
      value={text}
      placeholder={label}
      aria-label={label}
      maxLength={200}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      onChange={event => setText(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') search(text.trim())
      }}
    />
  )
}
