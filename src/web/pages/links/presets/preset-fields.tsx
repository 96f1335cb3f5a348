import type { ReactNode } from 'react'
import { mayReach } from '#shared/access.ts'
import { MOST_UTM_LENGTH, utmFields, type UtmField } from '#shared/links/parameters.ts'
import { linkPlatforms } from '#shared/links/platforms.ts'
import { useMe } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/links/links.module.css'
import { PlaceholderChips } from '#web/pages/links/placeholder-chips.tsx'
import { useInsertion } from '#web/pages/links/use-insertion.ts'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { codeOf } from '#web/pages/rows/field-problem.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { PresetDraft, problemsIn } from './preset-draft.ts'

interface PresetFieldsProps {
  draft: PresetDraft
  onChange: (draft: PresetDraft) => void
  /** What is wrong with which field, once somebody has tried to save it. */
  problems: ReturnType<typeof problemsIn>
  /** What the server has refused. */
  refused: Problem | null
  /** Whose it is can still be chosen. */
  isNew: boolean
}

export function PresetFields({ draft, onChange, problems, refused, isNew }: PresetFieldsProps) {
  const { t } = useTranslation('links')
  const errorOf = useErrorOf({ problems, refused })
  const put = (change: Partial<PresetDraft>) => onChange({ ...draft, ...change })
  const putValue = (field: UtmField, value: string) => put({ values: { ...draft.values, [field]: value } })
  const { inputOf, insert, target } = useInsertion({
    free: utmFields,
    valueOf: field => draft.values[field],
    onChange: putValue,
  })
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        <TextField
          label={t('field.name')}
          value={draft.name}
          onChange={name => put({ name })}
          required
          focusedFirst
          maxLength={120}
          autoComplete="off"
          error={errorOf('name')}
        />
        <SelectField
          label={t('field.platform')}
          options={[
            { value: 'none', label: t('platform_none') },
            ...linkPlatforms.map(value => ({ value, label: t(`platform.${value}`) })),
          ]}
          value={draft.platform ?? 'none'}
          onChange={chosen => put({ platform: chosen === 'none' ? null : chosen })}
          error={errorOf('platform')}
        />
      </div>
      {isNew && <OwnerField {...{ draft, onChange, errorOf }} />}
      <p className={styles.hint}>{t('presets.fields_detail')}</p>
      <PlaceholderChips platform={draft.platform} target={target} onInsert={insert} />
      {utmFields.map(field => (
        <FieldRule
          key={field}
          {...{ field, draft, onChange, errorOf }}
          onValue={value => putValue(field, value)}
          input={inputOf(field)}
        />
      ))}
    </div>
  )
}

interface PartProps extends Pick<PresetFieldsProps, 'draft' | 'onChange'> {
  errorOf: (path: string) => ReactNode
}

/** What is wrong with a field, in words. */
function useErrorOf({ problems, refused }: Pick<PresetFieldsProps, 'problems' | 'refused'>) {
  const { t } = useTranslation('links')
  return (path: string): ReactNode => {
    const code = problems[path]?.[0] ?? codeOf(refused, path)
    if (code === 'value_not_allowed') return t('presets.value_not_allowed')
    return code && <ProblemText code={code} audience="internal" />
  }
}

/** Only managers make presets for everybody. */
function OwnerField({ draft, onChange, errorOf }: PartProps) {
  const { t } = useTranslation('links')
  const mayShare = mayReach(useMe(), 'manager')
  return (
    <AdvertiserPicker
      label={t('presets.owner')}
      active
      required={!mayShare}
      {...(mayShare && { none: t('presets.agency') })}
      hint={t(mayShare ? 'presets.owner_hint' : 'presets.owner_hint_staff')}
      value={draft.advertiser}
      onChange={advertiser => onChange({ ...draft, advertiser })}
      error={errorOf('advertiser')}
    />
  )
}

interface FieldRuleProps extends PartProps {
  field: UtmField
  onValue: (value: string) => void
  input: ReturnType<ReturnType<typeof useInsertion>['inputOf']>
}

/** What a parameter begins with, and whether it may be something else. */
function FieldRule({ field, draft, onChange, errorOf, onValue, input }: FieldRuleProps) {
  const { t } = useTranslation('links')
  const isLocked = draft.locked.includes(field)
  const name = t(`field.${field}`)
  return (
    <div role="group" aria-label={name} className={styles.rule}>
      <TextField
        {...input}
        label={name}
        value={draft.values[field]}
        onChange={onValue}
        maxLength={MOST_UTM_LENGTH}
        autoComplete="off"
        placeholder={t('presets.empty_value')}
        error={errorOf(`values.${field}`)}
      />
      <TagsField
        label={t('presets.allowed')}
        value={isLocked ? [] : (draft.allowed[field] ?? [])}
        onChange={values => onChange({ ...draft, allowed: { ...draft.allowed, [field]: values } })}
        placeholder={t(isLocked ? 'presets.allowed_locked' : 'presets.allowed_any')}
        disabled={isLocked}
        limit={100}
        error={errorOf(`allowed.${field}`)}
      />
      <CheckboxField
        label={t('presets.locked')}
        checked={isLocked}
        onChange={checked =>
          onChange({
            ...draft,
            locked: checked ? [...draft.locked, field] : draft.locked.filter(other => other !== field),
          })
        }
      />
    </div>
  )
}
