/** What may be wrong with a link that can be made. */
export const linkWarnings = [
  /** The landing page's address had this parameter with another value. */
  'replaced',
  /** GA4 tells Autumn and autumn apart. */
  'capitals',
  'spaces',
  /** GA4 will count it as Unassigned. */
  'channel_unassigned',
  /** GA4's channel depends on what the platform fills in. */
  'channel_depends',
  /** GA4 collects the parameter, and has no report with it. */
  'not_reported',
  /** Google Ads' own click id goes before these parameters where auto-tagging is on. */
  'auto_tagging',
] as const
export type LinkWarning = (typeof linkWarnings)[number]
