import { Select, type OptionsFilter } from '@mantine/core'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

export interface Option<Value extends string> {
  value: Value
  label: string
  /** Further words by which a search finds it. */
  keywords?: string
  disabled?: boolean
  /** The heading that it stands under; those of one heading follow each other. */
  group?: string
}

interface SelectFieldProps<Value extends string> {
  /** Left out: give an aria-label. */
  label?: ReactNode
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  /** Type to find an option. */
  searchable?: boolean
  /** Called with what is typed, where the options are found elsewhere. */
  onSearch?: (typed: string) => void
  placeholder?: string
  error?: ReactNode
  hint?: ReactNode
  /** The hint is where the error appears: when one replaces the other, the field does not move. */
  hintBelow?: boolean
  required?: boolean
  disabled?: boolean
  /** What the list says when the search finds nothing. */
  nothingFound?: string
  'aria-label'?: string
  /** It is inside a popover, which a click on a list outside of it would close. */
  insidePopover?: boolean
}

/** One of several. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { t } = useTranslation('ui')
  const {
    options,
    onChange,
    onSearch,
    hint,
    hintBelow = false,
    required,
    nothingFound,
    insidePopover = false,
    ...rest
  } = props
  return (
    <Select
      {...rest}
      {...(hint !== undefined && { description: hint })}
      {...(hintBelow && { inputWrapperOrder: ['label', 'input', 'description', 'error'] })}
      {...(required && { withAsterisk: true, 'aria-required': true })}
      data={grouped(options)}
      onChange={chosen => {
        const option = options.find(({ value }) => value === chosen)
        if (option) onChange(option.value)
      }}
      {...(onSearch && { onSearchChange: onSearch })}
      allowDeselect={false}
      // Thousands would take seconds to render; a list that long is searched by typing.
      {...(props.searchable && { limit: 200 })}
      {...(options.some(({ keywords }) => keywords) && { filter: byKeywords(options) })}
      // The list scrolls by itself, 14 rem high: screen readers announce one box, not two.
      withScrollArea={false}
      styles={{ options: { maxHeight: 224, overflowY: 'auto' } }}
      nothingFoundMessage={nothingFound ?? t('nothing_found')}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 }, withinPortal: !insidePopover }}
    />
  )
}

/** Under their headings; those without one by themselves. */
function grouped<Value extends string>(options: readonly Option<Value>[]) {
  const entries: (Option<Value> | { group: string; items: Option<Value>[] })[] = []
  for (const { group, ...option } of options) {
    const last = entries.at(-1)
    if (group === undefined) entries.push(option)
    else if (last && 'items' in last && last.group === group) last.items.push(option)
    else entries.push({ group, items: [option] })
  }
  return entries
}

/** Every word that is typed occurs in the label or in the keywords. */
const byKeywords =
  (all: readonly Option<string>[]): OptionsFilter =>
  ({ options, search, limit }) => {
    const words = search
      .toLowerCase()
      .split(/[\s()]+/)
      .filter(Boolean)
    const found = new Set(
      all
        .filter(({ label, keywords }) => {
          const text = `${label} ${keywords ?? ''}`.toLowerCase()
          return words.every(word => text.includes(word))
        })
        .map(({ value }) => value),
    )
    return options.filter(option => 'value' in option && found.has(option.value)).slice(0, limit)
  }
