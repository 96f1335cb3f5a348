import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TagsField } from '#web/ui/tags-field.tsx'
import { useFilterValues } from './data.ts'
import type { DraftBlock } from './draft.ts'

interface FilterValuesFieldProps {
  block: DraftBlock
  filter: DraftBlock['filters'][number]
  error: string | undefined
  onChange: (values: string[]) => void
}

const DEBOUNCE_MS = 250

/**
 * The values of a filter: whatever is typed, with the names that the block's accounts have as suggestions.
 */
export function FilterValuesField({ block, filter, error, onChange }: FilterValuesFieldProps) {
  const { t } = useTranslation('editor')
  const [typed, setTyped] = useState('')
  const [focused, setFocused] = useState(false)
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS)
  const { field, rule, values } = filter
  const { data, isFetching } = useFilterValues(block, { field, search, enabled: focused })
  const isLoading = focused && (isFetching || data?.complete === false) && !data?.values.length
  const hint = values.length > 1 && t(rule === 'NOT_CONTAINS' ? 'block.filter_nor' : 'block.filter_or')
  return (
    <TagsField
      aria-label={t('block.filter_values')}
      // Not a line below: what appears and disappears with the focus would move the button that is about to
      // be clicked.
      placeholder={t(isLoading ? 'block.suggestions_coming' : 'block.filter_values_placeholder')}
      value={values}
      onChange={onChange}
      suggestions={data?.values ?? []}
      onSearch={setTyped}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      limit={limits.filter_values}
      error={error}
      {...(hint && { hint })}
    />
  )
}
