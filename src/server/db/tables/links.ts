import type { Generated } from 'kysely'
import type { Ga4Channel } from '#shared/links/channels.ts'
import type { LinkCheck } from '#shared/links/check-outcomes.ts'
import type { ExtraParameter, UtmField } from '#shared/links/parameters.ts'
import type { LinkPlatform } from '#shared/links/platforms.ts'
import type { GeneratedJson, NullableJson } from './json.ts'
import type { Made } from './made.ts'

export interface LinkPresetTable extends Made {
  advertiser: Generated<number | null>
  name: string
  platform: Generated<LinkPlatform | null>
  values: GeneratedJson<Partial<Record<UtmField, string>>>
  locked: Generated<UtmField[]>
  allowed: GeneratedJson<Partial<Record<UtmField, string[]>>>
}

export interface LinkTable extends Made {
  advertiser: number
  site: Generated<number | null>
  publisher: Generated<number | null>
  image: Generated<number | null>
  file: Generated<number | null>
  preset: Generated<number | null>
  platform: Generated<LinkPlatform | null>
  name: string
  landing_url: string
  utm_source: string
  utm_medium: string
  utm_campaign: string
  utm_id: Generated<string>
  utm_term: Generated<string>
  utm_content: Generated<string>
  utm_source_platform: Generated<string>
  utm_creative_format: Generated<string>
  utm_marketing_tactic: Generated<string>
  extra: GeneratedJson<ExtraParameter[]>
  link: string
  ga4_channel: Ga4Channel
  check: NullableJson<LinkCheck>
}

export interface LinkCheckTable {
  id: Generated<number>
  user_id: number
  at: Date
}
