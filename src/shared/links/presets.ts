import type { ErrorCode } from '#shared/errors.ts'
import {
  MOST_LINK_NAME_LENGTH,
  MOST_UTM_LENGTH,
  plainValue,
  requiredUtmFields,
  utmFields,
  type UtmField,
  type UtmValues,
} from './parameters.ts'
import type { LinkPlatform } from './platforms.ts'
import { whyNotValue } from './value-problems.ts'

/** How an agency, or an advertiser, writes the links of a platform. */
export interface LinkPresetFacts {
  platform: LinkPlatform | null
  /** What a link gets where nothing is entered. */
  values: { readonly [Field in UtmField]?: string | undefined }
  /** Fields that keep the preset's value. */
  locked: readonly UtmField[]
  /** Of these fields, only these values. */
  allowed: { readonly [Field in UtmField]?: readonly string[] | undefined }
}

/** What is left out comes from the preset; an empty text is a parameter that the link does not get. */
export type EnteredFacts = { platform?: LinkPlatform | null | undefined } & {
  [Field in UtmField]?: string | undefined
}

export interface PresetOutcome {
  /** What the link gets; what breaks the preset is in it as it was entered. */
  facts: UtmValues & { platform: LinkPlatform | null }
  problems: Record<string, ErrorCode[]>
}

export function applyPreset(preset: LinkPresetFacts | null, entered: EnteredFacts): PresetOutcome {
  const facts = {
    platform: entered.platform === undefined ? (preset?.platform ?? null) : entered.platform,
    ...emptyValues,
  }
  const problems: PresetOutcome['problems'] = {}
  for (const field of utmFields) {
    facts[field] = plainValue(entered[field] ?? preset?.values[field] ?? '')
    const problem = preset && whyNot(preset, field, facts[field])
    if (problem) problems[field] = [problem]
  }
  return { facts, problems }
}

export const emptyValues: UtmValues = {
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_id: '',
  utm_term: '',
  utm_content: '',
  utm_source_platform: '',
  utm_creative_format: '',
  utm_marketing_tactic: '',
}

/** Why a field of a link may not have this value; an empty one is left out, which only a lock forbids. */
function whyNot(
  { values, locked, allowed }: LinkPresetFacts,
  field: UtmField,
  value: string,
): ErrorCode | null {
  if (locked.includes(field) && value !== (values[field] ?? '')) return 'value_locked'
  const choices = allowed[field]
  return value !== '' && choices && !choices.includes(value) ? 'value_not_allowed' : null
}

/**
 * What is wrong with a preset itself: links that follow it would be refused. By field, as in `values.utm_id`.
 */
export function problemsOfPreset({ platform, values, locked, allowed }: LinkPresetFacts) {
  const problems: Record<string, ErrorCode[]> = {}
  const note = (field: string, code: ErrorCode | null) => {
    if (code) problems[field] = [code]
  }
  const rule = { platform, most: MOST_UTM_LENGTH }
  for (const field of utmFields) {
    const [value, choices] = [values[field] ?? '', allowed[field]]
    if (value !== '' && choices && !choices.includes(value)) note(`values.${field}`, 'value_not_allowed')
    note(`values.${field}`, whyNotValue(value, rule))
    for (const choice of choices ?? []) note(`allowed.${field}`, whyNotValue(choice, rule))
  }
  for (const field of requiredUtmFields)
    if (locked.includes(field) && (values[field] ?? '') === '') note(`values.${field}`, 'field_required')
  return problems
}

/** What a link is called where nobody gives it a name. */
export const linkNameOf = ({ utm_source, utm_campaign }: Pick<UtmValues, 'utm_source' | 'utm_campaign'>) =>
  [plainValue(utm_source), plainValue(utm_campaign)]
    .filter(text => text !== '')
    .join(' · ')
    .slice(0, MOST_LINK_NAME_LENGTH)
    // Half a character.
    .replace(/\p{Surrogate}$/u, '')
