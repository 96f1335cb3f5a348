import { IconLock } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import type { LinkPreset } from '#shared/api/links.ts'
import { MOST_UTM_LENGTH, type UtmField } from '#shared/links/parameters.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { examples } from './examples.ts'
import { isRequired, ruleOf } from './link-draft.ts'
import styles from './links.module.css'

interface ParameterFieldProps {
  field: UtmField
  value: string
  onChange: (value: string) => void
  /** Its rules apply. */
  preset: LinkPreset | null
  error?: ReactNode
  onFocus?: () => void
  /** Of the text, where it is written freely. */
  ref?: Ref<HTMLInputElement>
}

/** The value of a parameter: written, one of those that the preset allows, or the one that it fixes. */
export function ParameterField({ field, value, onChange, preset, error, ...input }: ParameterFieldProps) {
  const { t } = useTranslation('links')
  const { locked, allowed } = ruleOf(preset, field)
  const label = t(`field.${field}`)
  if (locked)
    return (
      <div>
        <TextField
          label={label}
          value={value}
          onChange={() => {}}
          readOnly
          leftSection={<IconLock size={15} stroke={1.7} aria-hidden />}
          hint={t('hint.locked', { preset: preset?.name ?? '' })}
          hintBelow
          error={error}
        />
        <PresetValue value={value} now={preset?.values[field] ?? ''} onUse={onChange} />
      </div>
    )
  if (allowed)
    return (
      <SelectField
        label={label}
        required={isRequired(field)}
        searchable={allowed.length > 8}
        options={[
          ...(isRequired(field) ? [] : [{ value: NONE, label: t('value_none') }]),
          ...allowed.map(name => ({ value: name, label: name })),
          // It was allowed when it was chosen.
          ...(value === '' || allowed.includes(value) ? [] : [{ value, label: value, disabled: true }]),
        ]}
        value={value === '' ? (isRequired(field) ? null : NONE) : value}
        onChange={chosen => onChange(chosen === NONE ? '' : chosen)}
        hint={t('hint.allowed', { preset: preset?.name ?? '' })}
        hintBelow
        error={error}
      />
    )
  return (
    <TextField
      {...input}
      label={label}
      value={value}
      onChange={onChange}
      required={isRequired(field)}
      maxLength={MOST_UTM_LENGTH}
      autoComplete="off"
      placeholder={examples[field]}
      error={error}
    />
  )
}

interface PresetValueProps {
  value: string
  /** The preset has been changed since, or the link. */
  now: string
  onUse: (value: string) => void
}

function PresetValue({ value, now, onUse }: PresetValueProps) {
  const { t } = useTranslation('links')
  if (value === now) return null
  return (
    <p className={styles.hint}>
      {t('hint.preset_now', { value: now || t('value_none') })}{' '}
      <button type="button" className={styles.open} onClick={() => onUse(now)}>
        {t('action.use_value')}
      </button>
    </p>
  )
}

/** No value has a line break. */
const NONE = '\n'
