import { devices, genders } from '#shared/target-audiences.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/customers/customers.module.css'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { ChipsField } from '#web/ui/chips-field.tsx'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { AgeFields } from './age-fields.tsx'
import {
  distinctTexts,
  faultsIn,
  LONGEST_INTEREST,
  MOST_INTERESTS,
  MOST_LOCATIONS,
  separators,
  type Draft,
} from './draft.ts'
import { languageName, languageTags } from './languages.ts'
import { ListsField } from './lists-field.tsx'
import { PlacesField } from './places-field.tsx'

interface FieldsProps {
  draft: Draft
  onChange: (draft: Draft) => void
  /** Saved already: its advertiser stays. */
  saved?: true
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Problem | null
}

export function Fields(props: FieldsProps) {
  const { draft, onChange, problem } = props
  const { t } = useTranslation('target_audiences')
  const put = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  const faults = faultsIn(draft)
  return (
    <div className={styles.fields}>
      <WhoseField {...props} />
      <AgeFields
        value={draft}
        onChange={put}
        error={
          faults.age_max ? (
            <ProblemText code="age_order" audience="internal" />
          ) : (
            (fieldProblem(problem, 'age_max') ?? fieldProblem(problem, 'age_min'))
          )
        }
      />
      <ChipsField
        label={t('field.genders')}
        options={genders.map(gender => ({ value: gender, label: t(`gender.${gender}`) }))}
        value={draft.genders}
        onChange={chosen => put({ genders: chosen })}
        hint={t('hint.genders')}
      />
      <PlacesField
        value={draft.locations}
        onChange={locations => put({ locations })}
        error={
          faults.locations
            ? t('places.too_many', { most: MOST_LOCATIONS })
            : fieldProblem(problem, 'locations')
        }
      />
      <LanguagesField {...props} />
      <TagsField
        label={t('field.interests')}
        placeholder={t('hint.interests')}
        value={draft.interests}
        onChange={interests => put({ interests: distinctTexts(interests).slice(0, MOST_INTERESTS) })}
        limit={MOST_INTERESTS}
        maxLength={LONGEST_INTEREST}
        separators={separators}
        error={
          faults.interests
            ? t('interest_too_long', { most: LONGEST_INTEREST })
            : fieldProblem(problem, 'interests')
        }
      />
      <ChipsField
        label={t('field.devices')}
        options={devices.map(device => ({ value: device, label: t(`device.${device}`) }))}
        value={draft.devices}
        onChange={chosen => put({ devices: chosen })}
        hint={t('hint.devices')}
      />
      <ListsField
        advertiser={draft.advertiser}
        value={draft.audience_lists}
        onChange={lists => put({ audience_lists: lists })}
        error={fieldProblem(problem, 'audience_lists')}
      />
      <TextAreaField
        label={t('field.note')}
        value={draft.note}
        onChange={note => put({ note })}
        rows={3}
        maxLength={4000}
        error={fieldProblem(problem, 'note')}
      />
    </div>
  )
}

/** Its name, and the advertiser that it is of. */
function WhoseField({ draft, onChange, saved, tried, problem }: FieldsProps) {
  const { t } = useTranslation('target_audiences')
  return (
    <>
      <TextField
        label={t('field.name')}
        value={draft.name}
        onChange={name => onChange({ ...draft, name })}
        maxLength={120}
        autoComplete="off"
        required
        focusedFirst
        error={fieldProblem(problem, 'name', tried && faultsIn(draft).name)}
      />
      <AdvertiserPicker
        label={t('field.advertiser')}
        active
        required
        value={draft.advertiser}
        onChange={advertiser =>
          // The lists are those of the advertiser before.
          onChange({ ...draft, advertiser, audience_lists: { include: [], exclude: [] } })
        }
        disabled={saved ?? false}
        {...(saved && { hint: t('hint.advertiser') })}
        error={fieldProblem(problem, 'advertiser', tried && draft.advertiser === null)}
      />
    </>
  )
}

function LanguagesField({ draft, onChange, problem }: FieldsProps) {
  const { t, language } = useTranslation('target_audiences')
  const tags = [...languageTags, ...draft.languages.filter(tag => !languageTags.includes(tag))]
  return (
    <MultiSelectField
      label={t('field.languages')}
      placeholder={t('all.languages')}
      options={tags.map(tag => ({ value: tag, label: languageName(tag, language), note: tag }))}
      value={draft.languages}
      onChange={languages => onChange({ ...draft, languages: [...languages] })}
      limit={MOST_LANGUAGES}
      error={fieldProblem(problem, 'languages')}
    />
  )
}

const MOST_LANGUAGES = 20
