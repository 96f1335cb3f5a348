import { ruleMatches } from '#shared/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import type { AudienceDraft } from './audience-draft.ts'
import type { AudienceFieldsProps } from './audience-fields.tsx'
import { CountryField } from './country-field.tsx'
import { useSeeds, useSources } from './data.ts'
import { DaysField } from './days-field.tsx'
import { RefusalText } from './refusal-text.tsx'

interface SourceFieldsProps extends AudienceFieldsProps<AudienceDraft> {
  /** What is missing is said. */
  tried: boolean
}

/** Which visitors of which site. */
export function WebsiteFields({ draft, onChange, problem, tried }: SourceFieldsProps) {
  const { t } = useTranslation('audiences')
  const { advertiser, site, rule } = draft
  const { data } = useSources(advertiser)
  const sites = (data?.sites ?? []).filter(({ pixels }) => pixels.some(({ platform }) => platform === 'meta'))
  return (
    <>
      <SelectField
        label={t('field.site')}
        required
        hint={
          advertiser === null
            ? t('hint.advertiser_first')
            : data && sites.length === 0
              ? t('hint.no_sites')
              : undefined
        }
        disabled={sites.length === 0}
        options={sites.map(({ site: id, name }) => ({ value: String(id), label: name }))}
        value={site === null ? null : String(site)}
        onChange={chosen => onChange({ ...draft, site: Number(chosen) })}
        error={fieldProblem(problem, 'site', tried && site === null)}
      />
      <SelectField
        label={t('field.rule')}
        options={ruleMatches.map(value => ({ value, label: t(`match.${value}`) }))}
        value={rule.match}
        onChange={match => onChange({ ...draft, rule: { ...rule, match } })}
      />
      {rule.match !== 'all' && (
        <TagsField
          label={t('field.values')}
          hint={t('hint.values')}
          limit={10}
          value={rule.values}
          onChange={values => onChange({ ...draft, rule: { ...rule, values } })}
          error={
            fieldProblem(problem, 'rule.values', tried && rule.values.length === 0) ??
            fieldProblem(problem, 'rule')
          }
        />
      )}
      <DaysField
        label={t('field.window_days')}
        hint={t('hint.window_days_site')}
        most={180}
        value={draft.window_days}
        onChange={days => onChange({ ...draft, window_days: days })}
        error={fieldProblem(problem, 'window_days')}
      />
    </>
  )
}

/** Like whom, where, and how many of them. */
export function LookalikeFields({ draft, onChange, problem, tried }: SourceFieldsProps) {
  const { t } = useTranslation('audiences')
  const { advertiser, seed } = draft
  const { data } = useSeeds(advertiser)
  const seeds = data ?? []
  return (
    <>
      <SelectField
        label={t('field.seed')}
        required
        hint={t(
          advertiser === null
            ? 'hint.advertiser_first'
            : data && seeds.length === 0
              ? 'hint.no_seeds'
              : 'hint.seed',
        )}
        disabled={seeds.length === 0}
        options={seeds.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={seed === null ? null : String(seed)}
        onChange={chosen => onChange({ ...draft, seed: Number(chosen) })}
        error={fieldProblem(problem, 'seed', tried && seed === null)}
      />
      <CountryField
        label={t('field.country')}
        value={draft.country}
        onChange={country => onChange({ ...draft, country })}
        error={fieldProblem(problem, 'country')}
      />
      <DaysField
        label={t('field.ratio')}
        hint={t('hint.ratio')}
        most={20}
        value={draft.ratio}
        onChange={ratio => onChange({ ...draft, ratio })}
        error={fieldProblem(problem, 'ratio')}
      />
    </>
  )
}

export function Ga4Fields({ draft, onChange, problem, tried }: SourceFieldsProps) {
  const { t, language } = useTranslation('audiences')
  const { advertiser, ga4 } = draft
  const { data } = useSources(advertiser)
  const found = data?.ga4 ?? []
  const people = (users: number | null) => (users === null ? '' : ` (${users.toLocaleString(language)})`)
  return (
    <SelectField
      label={t('field.ga4')}
      required
      hint={
        advertiser === null ? (
          t('hint.advertiser_first')
        ) : data?.code ? (
          <RefusalText code={data.code} channel="ga4" />
        ) : data && found.length === 0 ? (
          t('hint.no_ga4')
        ) : undefined
      }
      disabled={found.length === 0}
      options={found.map(({ ga4_view: view, audience, name, users }) => ({
        value: `${view}/${audience}`,
        label: name + people(users),
      }))}
      value={ga4}
      onChange={chosen => onChange({ ...draft, ga4: chosen })}
      error={
        fieldProblem(problem, 'ga4_audience', tried && ga4 === null) ?? fieldProblem(problem, 'ga4_view')
      }
    />
  )
}
