export const publisherTypes = [
  'social',
  'search',
  'display',
  'video',
  'messaging',
  'news',
  'influencer',
  'affiliate',
  'offline',
  'other',
] as const
export type PublisherType = (typeof publisherTypes)[number]
