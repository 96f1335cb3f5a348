import type { LinkPreset } from '#shared/api/links.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { utmFields, type UtmField } from '#shared/links/parameters.ts'
import type { LinkPlatform } from '#shared/links/platforms.ts'
import { emptyValues, problemsOfPreset } from '#shared/links/presets.ts'
import { valuesOf } from '#web/pages/links/link-draft.ts'

/** A preset while it is being edited. */
export interface PresetDraft {
  /** null: the agency's. */
  advertiser: number | null
  name: string
  platform: LinkPlatform | null
  values: Record<UtmField, string>
  locked: readonly UtmField[]
  /** Empty: any value. */
  allowed: Readonly<Partial<Record<UtmField, readonly string[]>>>
}

export const EMPTY_PRESET: PresetDraft = {
  advertiser: null,
  name: '',
  platform: null,
  values: emptyValues,
  locked: [],
  allowed: {},
}

export const presetDraft = (preset: LinkPreset): PresetDraft => ({
  advertiser: preset.advertiser,
  name: preset.name,
  platform: preset.platform,
  values: valuesOf(field => preset.values[field] ?? ''),
  locked: utmFields.filter(field => preset.locked.includes(field)),
  allowed: Object.fromEntries(
    utmFields.flatMap(field => (preset.allowed[field] ? [[field, preset.allowed[field]]] : [])),
  ),
})

/** What is sent. A locked field allows one value anyway. */
export const presetBody = (draft: PresetDraft) => ({
  advertiser: draft.advertiser,
  name: draft.name.trim(),
  platform: draft.platform,
  values: Object.fromEntries(
    utmFields.flatMap(field => {
      const value = draft.values[field].trim()
      return value === '' ? [] : [[field, value]]
    }),
  ),
  locked: [...draft.locked],
  allowed: Object.fromEntries(
    utmFields.flatMap(field => {
      const choices = draft.locked.includes(field) ? [] : (draft.allowed[field] ?? [])
      return choices.length > 0 ? [[field, [...choices]]] : []
    }),
  ),
})

/** What is missing or contradicts itself, by field. `mayShare`: whether it may be the agency's. */
export function problemsIn(draft: PresetDraft, mayShare: boolean): Partial<Record<string, ErrorCode[]>> {
  return {
    ...problemsOfPreset(presetBody(draft)),
    ...(draft.name.trim() === '' && { name: ['field_required'] }),
    ...(draft.advertiser === null && !mayShare && { advertiser: ['field_required'] }),
  }
}
