import type { CreateLink, Link, LinkPreset } from '#shared/api/links.ts'
import { requiredUtmFields, utmFields, type ExtraParameter, type UtmField } from '#shared/links/parameters.ts'
import type { LinkPlatform } from '#shared/links/platforms.ts'
import { emptyValues, linkNameOf } from '#shared/links/presets.ts'

/** A link while it is being written. An empty name: source · campaign. */
export interface LinkDraft extends Record<UtmField, string> {
  advertiser: number | null
  preset: number | null
  platform: LinkPlatform | null
  name: string
  landing_url: string
  extra: readonly ExtraParameter[]
  site: number | null
  publisher: number | null
  image: number | null
  file: number | null
}

export const newDraft = (advertiser: number | null): LinkDraft => ({
  advertiser,
  preset: null,
  platform: null,
  name: '',
  landing_url: '',
  ...emptyValues,
  extra: [],
  site: null,
  publisher: null,
  image: null,
  file: null,
})

export const draftOf = (link: Link): LinkDraft => ({
  advertiser: link.advertiser,
  preset: link.preset,
  platform: link.platform,
  name: link.name,
  landing_url: link.landing_url,
  ...valuesOf(field => link[field]),
  extra: link.extra,
  site: link.site,
  publisher: link.publisher,
  image: link.image,
  file: link.file,
})

/** Another one like it, as it is being edited: a name that was made of its values is made of the new ones. */
export const templateOf = (link: Link, draft = draftOf(link)): LinkDraft => ({
  ...draft,
  name: draft.name === linkNameOf(link) ? '' : draft.name,
})

/** What it refers to is the advertiser's own, and so may its preset be. */
export function ofAdvertiser(draft: LinkDraft, advertiser: number | null, preset: LinkPreset | null) {
  const isForeign = preset !== null && preset.advertiser !== null && preset.advertiser !== advertiser
  return {
    ...draft,
    advertiser,
    ...(isForeign && { preset: null }),
    site: null,
    image: null,
    file: null,
  }
}

/**
 * The draft with another preset. What somebody has written stays where the preset allows it; what came from
 * the preset before goes.
 */
export function withPreset(draft: LinkDraft, next: LinkPreset | null, before: LinkPreset | null): LinkDraft {
  const valueOf = (field: UtmField) => {
    const written = draft[field] === (before?.values[field] ?? '') ? '' : draft[field]
    const proposed = next?.values[field] ?? ''
    if (ruleOf(next, field).locked || written.trim() === '') return proposed
    return isAllowed(next, field, written) ? written : proposed
  }
  const isOwnPlatform = draft.platform === (before?.platform ?? null)
  return {
    ...draft,
    preset: next?.id ?? null,
    platform: next?.platform ?? (isOwnPlatform ? null : draft.platform),
    ...valuesOf(valueOf),
  }
}

export const isRequired = (field: UtmField) => requiredUtmFields.some(name => name === field)

/** What a preset says about a field. */
export const ruleOf = (preset: LinkPreset | null, field: UtmField) => ({
  locked: preset?.locked.includes(field) ?? false,
  allowed: preset?.allowed[field] ?? null,
})

function isAllowed(preset: LinkPreset | null, field: UtmField, value: string) {
  const { allowed } = ruleOf(preset, field)
  return allowed === null || allowed.includes(value.trim())
}

/** What is sent; null: nobody is named whose link it is. */
export function bodyOf({ advertiser, name, extra, ...draft }: LinkDraft): CreateLink | null {
  if (advertiser === null) return null
  return {
    ...draft,
    ...trimmedValues(draft),
    advertiser,
    ...(name.trim() !== '' && { name: name.trim() }),
    landing_url: draft.landing_url.trim(),
    extra: filledIn(extra),
  }
}

export const trimmedValues = (draft: Readonly<Record<UtmField, string>>) =>
  valuesOf(field => draft[field].trim())

/** Without those that were begun and left empty. */
export const filledIn = (extra: readonly ExtraParameter[]): ExtraParameter[] =>
  extra
    .map(({ key, value }) => ({ key: key.trim(), value: value.trim() }))
    .filter(({ key, value }) => key !== '' || value !== '')

/** A value for each parameter. */
export function valuesOf(valueOf: (field: UtmField) => string): Record<UtmField, string> {
  return Object.fromEntries(utmFields.map(field => [field, valueOf(field)])) as Record<UtmField, string>
}
