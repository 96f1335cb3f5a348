import type { ReactNode } from 'react'
import type { LinkPreset } from '#shared/api/links.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { optionsError } from '#web/pages/pickers/options-error.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import type { usePresets } from './data.ts'

interface PresetFieldProps {
  presets: ReturnType<typeof usePresets>
  value: number | null
  onChange: (preset: LinkPreset | null) => void
  error?: ReactNode
}

const NONE = 'none'

/** A preset of the agency or of an advertiser, under the name of whose it is. */
export function PresetField({ presets: query, value, onChange, error }: PresetFieldProps) {
  const { t } = useTranslation('links')
  const presets = query.data ?? []
  const isUnread = value !== null && query.data === undefined
  const ofOwner = (advertiser: number | null, group: string) =>
    presets
      .filter(preset => preset.advertiser === advertiser)
      .map(preset => ({ value: String(preset.id), label: preset.name, group }))
  const owners = new Map(
    presets.flatMap(({ advertiser, advertiser_name }) =>
      advertiser === null ? [] : [[advertiser, advertiser_name ?? '']],
    ),
  )
  return (
    <SelectField
      label={t('field.preset')}
      searchable={presets.length > 12}
      options={[
        { value: NONE, label: t('presets.none') },
        ...ofOwner(null, t('presets.agency')),
        ...[...owners].flatMap(([advertiser, name]) => ofOwner(advertiser, name)),
      ]}
      value={isUnread ? null : presets.some(({ id }) => id === value) ? String(value) : NONE}
      onChange={chosen => onChange(presets.find(({ id }) => String(id) === chosen) ?? null)}
      error={error || optionsError(query)}
    />
  )
}
