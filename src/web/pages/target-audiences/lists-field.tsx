import type { ReactNode } from 'react'
import type { TargetAudience } from '#shared/api/target-audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { optionsError } from '#web/pages/pickers/options-error.tsx'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { useAudiencesOf } from './data.ts'

type Lists = TargetAudience['audience_lists']

interface ListsFieldProps {
  /** Whose lists are offered; null: nobody is chosen yet. */
  advertiser: number | null
  value: Lists
  onChange: (value: Lists) => void
  error?: ReactNode
}

const MOST = 10
const sides = ['include', 'exclude'] as const

/** Audience lists of the advertiser that are reached, and those that are left out; none on both sides. */
export function ListsField({ advertiser, value, onChange, error }: ListsFieldProps) {
  const { t } = useTranslation('target_audiences')
  const { t: tAudiences } = useTranslation('audiences')
  const audiences = useAudiencesOf(advertiser)
  const offered = (audiences.data ?? []).map(({ id, name, kind }) => ({
    value: id,
    label: name,
    note: tAudiences(`kind.${kind}`),
  }))
  // Named also while the others are loading.
  const missing = [...value.include, ...value.exclude].filter(
    ({ id }) => !offered.some(option => option.value === id),
  )
  const options = [...offered, ...missing.map(({ id, name }) => ({ value: id, label: name }))]
  const named = (ids: readonly number[]) =>
    ids.flatMap(id => {
      const option = options.find(each => each.value === id)
      return option ? [{ id, name: option.label }] : []
    })
  return sides.map((side, index) => (
    <MultiSelectField
      key={side}
      label={t(`lists.${side}`)}
      placeholder={t(advertiser === null ? 'lists.advertiser_first' : 'lists.none')}
      disabled={advertiser === null}
      loading={audiences.isLoading}
      options={options}
      value={value[side].map(({ id }) => id)}
      onChange={ids => onChange({ ...value, [side]: named(ids) })}
      whyNot={id =>
        value[sides[1 - index] ?? side].some(list => list.id === id) ? t(`lists.not_${side}`) : null
      }
      limit={MOST}
      error={(index === 1 && error) || optionsError(audiences)}
    />
  ))
}
