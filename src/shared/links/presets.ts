import type { ErrorCode } from '#shared/errors.ts'
import { MOST_LINK_NAME_LENGTH, plainValue, utmFields, type UtmField, type UtmValues } from './parameters.ts'
import type { LinkPlatform } from './platforms.ts'

/** How an agency, or an advertiser, writes the links of a platform. */
export interface LinkPresetFacts {
  platform: LinkPlatform | null
  /** What a link gets where nothing is entered. */
  values: Partial<UtmValues>
  /** Fields that keep the preset's value. */
  locked: readonly UtmField[]
  /** Of these fields, only these values. */
  allowed: Partial<Record<UtmField, readonly string[]>>
}

/** What is left out comes from the preset; an empty text is a parameter that the link does not get. */
export interface EnteredFacts extends Partial<UtmValues> {
  platform?: LinkPlatform | null
}

export interface PresetOutcome {
  /** What the link gets; what breaks the preset is in it as it was entered. */
  facts: UtmValues & { platform: LinkPlatform | null }
  problems: Partial<Record<UtmField, ErrorCode[]>>
}

export function applyPreset(preset: LinkPresetFacts | null, entered: EnteredFacts): PresetOutcome {
  const facts = {
    platform: entered.platform === undefined ? (preset?.platform ?? null) : entered.platform,
    ...emptyValues,
  }
  const problems: PresetOutcome['problems'] = {}
  for (const field of utmFields) {
    facts[field] = plainValue(entered[field] ?? preset?.values[field] ?? '')
    const problem = preset && whyNotValue(preset, field, facts[field])
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
function whyNotValue(
  { values, locked, allowed }: LinkPresetFacts,
  field: UtmField,
  value: string,
): ErrorCode | null {
  if (locked.includes(field) && value !== (values[field] ?? '')) return 'value_locked'
  const choices = allowed[field]
  return value !== '' && choices && !choices.includes(value) ? 'value_not_allowed' : null
}

/** What a link is called where nobody gives it a name. */
export const linkNameOf = ({ utm_source, utm_campaign }: Pick<UtmValues, 'utm_source' | 'utm_campaign'>) =>
  [plainValue(utm_source), plainValue(utm_campaign)]
    .filter(text => text !== '')
    .join(' · ')
    .slice(0, MOST_LINK_NAME_LENGTH)
    // Half a character.
    .replace(/\p{Surrogate}$/u, '')
