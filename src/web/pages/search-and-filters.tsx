import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { SearchField } from '#web/ui/search-field.tsx'

interface SearchAndFiltersProps extends ComponentProps<typeof SearchField> {
  /** On the button that opens the filters. */
  more: string
  /** How many filters are set: with any of them they are open from the start. */
  count: number
  /** The filters. */
  children: ReactNode
}

/** The search of a list with more filters than fit beside it. */
export function SearchAndFilters({ more, count, children, ...search }: SearchAndFiltersProps) {
  const [isOpen, setIsOpen] = useState(count > 0)
  return (
    <>
      <SearchField {...search} />
      <Button
        variant="default"
        aria-expanded={isOpen}
        leftSection={<IconFilter size={16} stroke={1.7} aria-hidden />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {more}
        {count > 0 && ` (${count})`}
      </Button>
      {isOpen && children}
    </>
  )
}
