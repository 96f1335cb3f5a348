import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { agesAsPlatformsSee, ageText } from '#shared/age-bands.ts'
import { LEAST_AGE, MOST_AGE } from '#shared/target-audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import type { Draft } from './draft.ts'
import styles from './target-audiences.module.css'

type Ages = Pick<Draft, 'age_min' | 'age_max'>

interface AgeFieldsProps {
  value: Ages
  onChange: (value: Ages) => void
  error?: ReactNode
}

const years = Array.from({ length: MOST_AGE - LEAST_AGE + 1 }, (_, index) => LEAST_AGE + index)
const options = years.map(age => ({ value: String(age), label: age === MOST_AGE ? `${age}+` : String(age) }))

/** From one age to another, both included; the oldest stands for everybody older too. */
export function AgeFields({ value, onChange, error }: AgeFieldsProps) {
  const { t } = useTranslation('target_audiences')
  return (
    <Input.Wrapper labelElement="div" label={t('ages.label')} {...(error !== undefined && { error })}>
      <div className={styles.ages}>
        <SelectField
          aria-label={t('field.age_min')}
          searchable
          options={options}
          value={String(value.age_min)}
          onChange={age => onChange({ ...value, age_min: Number(age) })}
          error={Boolean(error)}
        />
        <span aria-hidden>–</span>
        <SelectField
          aria-label={t('field.age_max')}
          searchable
          options={options}
          value={String(value.age_max)}
          onChange={age => onChange({ ...value, age_max: Number(age) })}
          error={Boolean(error)}
        />
      </div>
      <AgesInShort value={value} />
    </Input.Wrapper>
  )
}

/** Where the panel is below the form, what becomes of them is read at once all the same. */
function AgesInShort({ value }: { value: Ages }) {
  const { t } = useTranslation('target_audiences')
  const known = agesAsPlatformsSee(value.age_min, value.age_max).filter(({ state }) => state !== 'by_hand')
  const texts = known.map(
    ages => `${t(`platform.${ages.platform}`)} ${ages.bands.length === 0 ? '–' : ageText(ages)}`,
  )
  return (
    <p className={styles.short} data-tabular>
      {value.age_max < value.age_min ? '' : texts.join(' · ')}
    </p>
  )
}
