import type { Audience, CreateAudience } from '#shared/api/audiences.ts'
import type { AudienceKind, Collector, Consent, VisitorRule } from '#shared/audiences.ts'
import type { Language } from '#shared/language.ts'
import { perLanguage } from '#web/i18n/per-language.ts'

/** What may be changed of an audience. */
export interface AudienceTexts {
  name: string
  description: string
  collected_by: Collector
  consent: Consent
  keep_days: number
}

const UNKNOWN: Consent = { ad_user_data: 'unknown', ad_personalization: 'unknown' }

export const textsOf = (audience: Audience): AudienceTexts => ({
  name: audience.name,
  description: audience.description,
  collected_by: audience.collected_by ?? 'advertiser',
  consent: audience.consent ?? UNKNOWN,
  keep_days: audience.keep_days ?? 30,
})

/** A new one, while somebody writes it. */
export interface AudienceDraft extends AudienceTexts {
  advertiser: number | null
  kind: AudienceKind
  window_days: number
  site: number | null
  rule: VisitorRule
  seed: number | null
  country: string
  ratio: number
  /** View and audience, as one value of a list. */
  ga4: string | null
}

export const newAudience = (advertiser: number | null): AudienceDraft => ({
  advertiser,
  kind: 'customer_file',
  name: '',
  description: '',
  collected_by: 'advertiser',
  consent: UNKNOWN,
  keep_days: 30,
  window_days: 540,
  site: null,
  rule: { match: 'all', values: [] },
  seed: null,
  country: 'TW',
  ratio: 1,
  ga4: null,
})

/** With the membership that the kind begins with. */
export const ofKind = (draft: AudienceDraft, kind: AudienceKind): AudienceDraft => ({
  ...draft,
  kind,
  window_days: kind === 'website' ? 30 : 540,
})

/** Another advertiser has other sites, seeds and properties. */
export const ofAdvertiser = (draft: AudienceDraft, advertiser: number | null): AudienceDraft => ({
  ...draft,
  advertiser,
  site: null,
  seed: null,
  ga4: null,
})

/** What is sent; null: something is missing. */
export function bodyOf(draft: AudienceDraft): CreateAudience | null {
  const { advertiser, kind, description } = draft
  const name = draft.name.trim()
  const facts = factsOf(draft)
  if (advertiser === null || name === '' || facts === null) return null
  return { advertiser, kind, name, description, ...facts }
}

function factsOf(draft: AudienceDraft): Partial<CreateAudience> | null {
  const { collected_by, consent, window_days, keep_days, site, rule, seed, country, ratio, ga4 } = draft
  if (draft.kind === 'customer_file') return { collected_by, consent, window_days, keep_days }
  if (draft.kind === 'lookalike') return seed === null ? null : { seed, country, ratio }
  if (draft.kind === 'ga4') {
    const [view = '', audience = ''] = ga4?.split('/') ?? []
    return ga4 === null ? null : { ga4_view: Number(view), ga4_audience: audience }
  }
  if (site === null || (rule.match !== 'all' && rule.values.length === 0)) return null
  return { site, window_days, rule: rule.match === 'all' ? { match: 'all', values: [] } : rule }
}

const names = perLanguage(language => new Intl.DisplayNames(language, { type: 'region' }))

export const countryName = (code: string, language: Language): string => names(language).of(code) ?? code
