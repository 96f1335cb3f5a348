import type { Link, LinkPreset } from '#shared/api/links.ts'

const at = '2026-11-01T08:00:00.000Z'
const row = { version: 1, created_at: at, last_modified_at: at }
const maker = { created_by: 7, created_by_name: 'Sam Huang', may_delete: true }

export const AUTUMN = 'https://shop.aurora.demo/autumn'

export const linkOf = (facts: Partial<Link> = {}): Link => ({
  ...row,
  ...maker,
  id: 8,
  name: 'facebook · autumn_2026',
  advertiser: 1,
  advertiser_name: 'Aurora',
  site: null,
  site_name: null,
  publisher: null,
  publisher_name: null,
  image: null,
  image_name: null,
  file: null,
  file_name: null,
  preset: null,
  preset_name: null,
  platform: null,
  landing_url: AUTUMN,
  utm_source: 'facebook',
  utm_medium: 'paid_social',
  utm_campaign: 'autumn_2026',
  utm_id: '',
  utm_term: '',
  utm_content: '',
  utm_source_platform: '',
  utm_creative_format: '',
  utm_marketing_tactic: '',
  extra: [],
  link: `${AUTUMN}?utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn_2026`,
  ga4_channel: 'Paid Social',
  warnings: [],
  check: null,
  ...facts,
})

export const presetOf = (facts: Partial<LinkPreset> = {}): LinkPreset => ({
  ...row,
  ...maker,
  id: 3,
  advertiser: null,
  advertiser_name: null,
  name: 'Meta Ads',
  platform: 'meta',
  values: {
    utm_source: 'facebook',
    utm_medium: 'paid_social',
    utm_campaign: '{{campaign.name}}',
    utm_content: '{{ad.id}}',
    utm_source_platform: 'Meta Ads',
  },
  locked: ['utm_source_platform'],
  allowed: { utm_source: ['facebook', 'instagram'], utm_medium: ['paid_social'] },
  may_change: true,
  ...facts,
})

export const newsletter = presetOf({
  id: 4,
  name: 'Newsletter',
  advertiser: 1,
  advertiser_name: 'Aurora',
  platform: null,
  values: { utm_source: 'newsletter', utm_medium: 'email' },
  locked: ['utm_medium'],
  allowed: {},
})
