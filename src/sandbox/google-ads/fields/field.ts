export type DataType =
  | 'INT64'
  | 'INT32'
  | 'DOUBLE'
  | 'STRING'
  | 'ENUM'
  | 'DATE'
  | 'BOOLEAN'
  | 'RESOURCE_NAME'
  | 'MESSAGE'
export type Category = 'RESOURCE' | 'ATTRIBUTE' | 'SEGMENT' | 'METRIC'

export const RESOURCES = [
  'customer',
  'customer_client',
  'campaign',
  'ad_group',
  'ad_group_ad',
  'keyword_view',
] as const
/** What can be in FROM. */
export type Resource = (typeof RESOURCES)[number]

/** Resources whose attributes a resource in FROM brings along; its own first. */
export const ATTRIBUTED: Record<Resource, readonly string[]> = {
  customer: ['customer'],
  customer_client: ['customer_client', 'customer'],
  campaign: ['campaign', 'customer'],
  ad_group: ['ad_group', 'campaign', 'customer'],
  ad_group_ad: ['ad_group_ad', 'ad_group', 'campaign', 'customer'],
  keyword_view: ['keyword_view', 'ad_group_criterion', 'ad_group', 'campaign', 'customer'],
}

/** ad_group_ad.ad.final_urls → adGroupAd.ad.finalUrls */
export const camelCase = (name: string) =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
