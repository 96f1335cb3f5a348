import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
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

const ages = Array.from({ length: MOST_AGE - LEAST_AGE + 1 }, (_, index) => LEAST_AGE + index)
const options = ages.map(age => ({ value: String(age), label: age === MOST_AGE ? `${age}+` : String(age) }))

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
    </Input.Wrapper>
  )
}
