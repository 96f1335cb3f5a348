import type { ExtraParameter, UtmField } from '#shared/links/parameters.ts'

// What empty fields show, the same in any language: addresses, and values as GA4 expects them.

export const LANDING_EXAMPLE = 'https://shop.example.com/autumn'
export const EXTRA_EXAMPLE: ExtraParameter = { key: 'coupon', value: 'AUTUMN10' }

export const examples: Record<UtmField, string> = {
  utm_source: 'facebook',
  utm_medium: 'paid_social',
  utm_campaign: 'autumn_2026',
  utm_id: 'AU-2026-11',
  utm_term: 'running_shoes',
  utm_content: 'video_a',
  utm_source_platform: 'Meta Ads',
  utm_creative_format: 'video',
  utm_marketing_tactic: 'remarketing',
}
