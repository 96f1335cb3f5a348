/** GA4's default channel groups, as Google names them; the order in which it tries them. */
export const ga4Channels = [
  'Direct',
  'Cross-network',
  'Paid Shopping',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Display',
  'Paid Other',
  'Organic Shopping',
  'Organic Social',
  'Organic Video',
  'Organic Search',
  'Email',
  'Affiliates',
  'Referral',
  'Audio',
  'SMS',
  'Mobile Push Notifications',
  'Unassigned',
] as const
export type Ga4Channel = (typeof ga4Channels)[number]
