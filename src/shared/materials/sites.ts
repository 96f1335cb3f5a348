/** What a site is built with. */
export const sitePlatforms = [
  'shopify',
  'shopline',
  'cyberbiz',
  '91app',
  'ec_force',
  'makeshop',
  'wordpress',
  'custom',
  'other',
] as const
export type SitePlatform = (typeof sitePlatforms)[number]

/** Whose pixels a site may carry. */
export const pixelPlatforms = ['meta', 'google_ads', 'ga4', 'tiktok', 'line', 'yahoo'] as const
