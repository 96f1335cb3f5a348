/** Whose placeholders the values of a link may have. */
export const linkPlatforms = [
  'meta',
  'google_ads',
  'tiktok',
  'ly_search',
  'ly_display',
  'line',
  'yahoo_dsp',
] as const
export type LinkPlatform = (typeof linkPlatforms)[number]
