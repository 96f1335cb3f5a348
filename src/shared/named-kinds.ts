/** What is found by its name from anywhere, in the order in which it is shown. */
export const namedKinds = [
  'advertisers',
  'target_audiences',
  'links',
  'sites',
  'publishers',
  'images',
  'files',
] as const
export type NamedKind = (typeof namedKinds)[number]
