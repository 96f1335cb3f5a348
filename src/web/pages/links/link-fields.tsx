import type { ReactNode } from 'react'
import type { LinkPreset } from '#shared/api/links.ts'
import { linkNameOf } from '#shared/links/presets.ts'
import {
  MOST_LANDING_LENGTH,
  MOST_LINK_NAME_LENGTH,
  requiredUtmFields,
  utmFields,
  type UtmField,
} from '#shared/links/parameters.ts'
import { linkPlatforms } from '#shared/links/platforms.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Picker } from '#web/pages/pickers/pickers.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { usePublishers, useSites } from './data.ts'
import { LANDING_EXAMPLE } from './examples.ts'
import { ExtraFields } from './extra-fields.tsx'
import { Fold } from './fold.tsx'
import { filledIn, isRequired, ruleOf, type LinkDraft } from './link-draft.ts'
import styles from './links.module.css'
import { MaterialPicker } from './material-picker.tsx'
import { ParameterField } from './parameter-field.tsx'
import { PlaceholderChips } from './placeholder-chips.tsx'
import { useInsertion } from './use-insertion.ts'

interface LinkFieldsProps {
  /** What comes first, beside the platform. */
  head: ReactNode
  /** A new link is named by its values, which is seldom changed: the name is folded. */
  isNew?: boolean
  draft: LinkDraft
  onChange: (draft: LinkDraft) => void
  /** Its rules apply. */
  preset: LinkPreset | null
  /** What is wrong with a field, such as `utm_source` or `extra.0.key`. */
  errorOf: (path: string) => ReactNode
}

const furtherFields = utmFields.filter(field => !isRequired(field))

/** Where a link leads, what it says about the visit, and what it belongs to. */
export function LinkFields({ head, isNew = false, ...props }: LinkFieldsProps) {
  const { t } = useTranslation('links')
  const { draft, onChange, preset, errorOf } = props
  const put = (change: Partial<LinkDraft>) => onChange({ ...draft, ...change })
  const { inputOf, insert, target } = useInsertion({
    free: utmFields.filter(field => !ruleOf(preset, field).locked && !ruleOf(preset, field).allowed),
    valueOf: field => draft[field],
    onChange: (field, value) => put({ [field]: value }),
  })
  const parameter = (field: UtmField) => (
    <ParameterField
      key={field}
      {...inputOf(field)}
      field={field}
      value={draft[field]}
      onChange={value => put({ [field]: value })}
      preset={preset}
      error={errorOf(field)}
    />
  )
  const furtherPaths = [
    ...furtherFields,
    'extra',
    ...draft.extra.flatMap((_, index) => [`extra.${index}.key`, `extra.${index}.value`]),
  ]
  return (
    <div className={styles.fields}>
      <div className={styles.triple}>
        {head}
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
      <TextField
        label={t('field.landing_url')}
        name="landing_url"
        value={draft.landing_url}
        onChange={address => put({ landing_url: address })}
        required
        maxLength={MOST_LANDING_LENGTH}
        autoComplete="off"
        placeholder={LANDING_EXAMPLE}
        error={errorOf('landing_url')}
      />
      <div className={styles.triple}>{requiredUtmFields.map(parameter)}</div>
      <PlaceholderChips platform={draft.platform} target={target} onInsert={insert} />
      <Fold
        title={t('form.further')}
        count={furtherFields.filter(field => draft[field].trim()).length + filledIn(draft.extra).length}
        isUrgent={furtherPaths.some(path => Boolean(errorOf(path)))}
      >
        <div className={styles.triple}>{furtherFields.map(parameter)}</div>
        <p className={styles.hint}>{t('hint.not_reported')}</p>
        <ExtraFields value={draft.extra} onChange={extra => put({ extra })} errorOf={errorOf} />
      </Fold>
      <Details {...{ draft, onChange, errorOf, isNew }} />
    </div>
  )
}

export type NameFieldProps = Pick<LinkFieldsProps, 'draft' | 'onChange' | 'errorOf'>

/** What it is called: where nobody says, by its source and campaign. */
export function NameField({ draft, onChange, errorOf }: NameFieldProps) {
  const { t } = useTranslation('links')
  return (
    <TextField
      label={t('field.name')}
      value={draft.name}
      onChange={name => onChange({ ...draft, name })}
      maxLength={MOST_LINK_NAME_LENGTH}
      autoComplete="off"
      placeholder={linkNameOf(draft) || t('name_example')}
      error={errorOf('name')}
    />
  )
}

/** What it belongs to. */
function Details({ isNew, ...props }: NameFieldProps & { isNew: boolean }) {
  const { t } = useTranslation('links')
  const { draft, errorOf } = props
  const references = [draft.site, draft.publisher, draft.image, draft.file].filter(id => id !== null)
  return (
    <Fold
      title={t(isNew ? 'form.details' : 'form.references')}
      count={references.length + (isNew && draft.name.trim() !== '' ? 1 : 0)}
      isUrgent={['name', 'site', 'publisher', 'image', 'file'].some(path => Boolean(errorOf(path)))}
    >
      <div className={styles.pair}>
        {isNew && <NameField {...props} />}
        <References {...props} />
      </div>
      {draft.advertiser === null && <p className={styles.hint}>{t('hint.advertiser_first')}</p>}
    </Fold>
  )
}

/** What there is to choose from is requested when they are opened. */
function References({ draft, onChange, errorOf }: NameFieldProps) {
  const { t } = useTranslation('links')
  const { advertiser } = draft
  const put = (change: Partial<LinkDraft>) => onChange({ ...draft, ...change })
  const sites = useSites(advertiser)
  const publishers = usePublishers()
  return (
    <>
      <Picker
        label={t('field.site')}
        none={t('none')}
        options={sites.data ?? []}
        value={draft.site}
        onChange={site => put({ site })}
        disabled={advertiser === null}
        queries={[sites]}
        error={errorOf('site')}
      />
      <Picker
        label={t('field.publisher')}
        none={t('none')}
        options={publishers.data ?? []}
        value={draft.publisher}
        onChange={publisher => put({ publisher })}
        queries={[publishers]}
        error={errorOf('publisher')}
      />
      {(['image', 'file'] as const).map(kind => (
        <MaterialPicker
          key={kind}
          kind={kind}
          advertiser={advertiser}
          value={draft[kind]}
          onChange={chosen => put({ [kind]: chosen })}
          error={errorOf(kind)}
        />
      ))}
    </>
  )
}
