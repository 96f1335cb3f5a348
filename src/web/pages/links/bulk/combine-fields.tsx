import type { LinkPreset } from '#shared/api/links.ts'
import { MOST_LANDING_LENGTH } from '#shared/links/parameters.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { isRequired, ruleOf } from '#web/pages/links/link-draft.ts'
import { examples, LANDING_EXAMPLE } from '#web/pages/links/examples.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import styles from './bulk.module.css'
import { listFields, type Lists } from './combine.ts'

interface CombineFieldsProps {
  lists: Lists
  onChange: (lists: Lists) => void
  preset: LinkPreset | null
  tried: boolean
}

/** Lists whose values are combined, each with each. */
export function CombineFields({ lists, onChange, preset, tried }: CombineFieldsProps) {
  const { t } = useTranslation('links')
  return (
    <>
      <TextField
        label={t('field.landing_url')}
        value={lists.landing_url}
        onChange={address => onChange({ ...lists, landing_url: address })}
        required
        maxLength={MOST_LANDING_LENGTH}
        autoComplete="off"
        placeholder={LANDING_EXAMPLE}
        error={
          tried &&
          lists.landing_url.trim() === '' && <ProblemText code="field_required" audience="internal" />
        }
      />
      <div className={styles.pair}>
        {listFields.map(field => {
          const { locked, allowed } = ruleOf(preset, field)
          const initial = preset?.values[field] ?? ''
          const isMissing = tried && isRequired(field) && initial === '' && lists[field].length === 0
          return (
            <TagsField
              key={field}
              label={t(`bulk.list.${field}`)}
              value={locked ? [initial].filter(Boolean) : lists[field]}
              onChange={values => onChange({ ...lists, [field]: values })}
              disabled={locked}
              placeholder={initial || examples[field]}
              {...(allowed && { suggestions: allowed })}
              {...(locked && { hint: t('hint.locked', { preset: preset?.name ?? '' }) })}
              error={isMissing && <ProblemText code="field_required" audience="internal" />}
            />
          )
        })}
      </div>
      <p className={styles.hint}>{t('bulk.combine_detail')}</p>
    </>
  )
}
