import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TagsField } from '#web/ui/tags-field.tsx'
import { useMaterialTags } from './data.ts'
import type { MaterialKind } from './paths.ts'

interface TagsInputProps {
  kind: MaterialKind
  value: readonly string[]
  onChange: (tags: string[]) => void
  error?: ReactNode
}

const MOST_TAGS = 20
const LONGEST_TAG = 40

/** Tags; those in use are suggested, so that one thing gets one. */
export function TagsInput({ kind, value, onChange, error }: TagsInputProps) {
  const { t } = useTranslation('materials')
  const known = useMaterialTags(kind).data ?? []
  return (
    <TagsField
      label={t('field.tags')}
      hint={t('field.tags_hint', { count: MOST_TAGS })}
      value={value}
      limit={MOST_TAGS}
      suggestions={known.map(({ tag }) => tag)}
      error={error}
      onChange={tags => onChange(tags.map(tag => tag.slice(0, LONGEST_TAG)))}
    />
  )
}
