/** The parameters of a campaign link, in the order in which they follow in it. */
export const utmFields = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_id',
  'utm_term',
  'utm_content',
  'utm_source_platform',
  'utm_creative_format',
  'utm_marketing_tactic',
] as const
export type UtmField = (typeof utmFields)[number]

export const requiredUtmFields = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
] as const satisfies readonly UtmField[]

export const MOST_LINK_NAME_LENGTH = 120
export const MOST_UTM_LENGTH = 100
export const MOST_EXTRA = 10
export const MOST_EXTRA_KEY_LENGTH = 100
export const MOST_EXTRA_VALUE_LENGTH = 200
export const MOST_LINK_LENGTH = 2048
export const MOST_LANDING_LENGTH = 2000
export const MOST_BULK_ROWS = 500

export interface ExtraParameter {
  key: string
  value: string
}

/** All of them; an empty one is not in the link. */
export type UtmValues = Record<UtmField, string>

/** As the API reads it; half a character could not be encoded. */
export const plainValue = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .trim()
