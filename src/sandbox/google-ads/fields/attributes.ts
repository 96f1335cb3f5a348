import { isoOf } from '#sandbox/dataset/calendar.ts'
import {
  type Ad,
  type AdSet,
  type Campaign,
  nameOn,
  type Status,
  statusOn,
} from '#sandbox/dataset/campaigns.ts'
import {
  type ChannelType,
  channelTypeOf,
  type GoogleCustomer,
  type Keyword,
} from '#sandbox/dataset/google-ads.ts'
import type { DataType } from './field.ts'

/** What a row is about: as much of the tree as its resource goes down. */
export interface Subject {
  customer: GoogleCustomer
  today: number
  campaign?: Campaign
  ad_set?: AdSet
  ad?: Ad
  keyword?: Keyword
  client?: { customer: GoogleCustomer; level: number }
}

export interface Attribute {
  type: DataType
  values?: readonly string[]
  repeated?: true
  /** Its value on a row; undefined when it is not set. Numbers of 64 bits are text. */
  of(subject: Subject): unknown
}

const text = (of: Attribute['of']): Attribute => ({ type: 'STRING', of })
const int64 = (of: Attribute['of']): Attribute => ({ type: 'INT64', of })
const name = (of: Attribute['of']): Attribute => ({ type: 'RESOURCE_NAME', of })
const truth = (of: Attribute['of']): Attribute => ({ type: 'BOOLEAN', of })
const oneOf = (values: readonly string[], of: Attribute['of']): Attribute => ({ type: 'ENUM', values, of })

const STATUSES = ['UNSPECIFIED', 'UNKNOWN', 'ENABLED', 'PAUSED', 'REMOVED']
const CUSTOMER_STATUSES = ['UNSPECIFIED', 'UNKNOWN', 'ENABLED', 'CANCELED', 'SUSPENDED', 'CLOSED']
const CHANNEL_TYPES =
  'UNSPECIFIED UNKNOWN SEARCH DISPLAY SHOPPING HOTEL VIDEO MULTI_CHANNEL LOCAL SMART PERFORMANCE_MAX LOCAL_SERVICES TRAVEL DEMAND_GEN'.split(
    ' ',
  )
const AD_GROUP_TYPES: Record<ChannelType, string> = {
  SEARCH: 'SEARCH_STANDARD',
  DISPLAY: 'DISPLAY_STANDARD',
  SHOPPING: 'SHOPPING_PRODUCT_ADS',
  VIDEO: 'VIDEO_RESPONSIVE',
  MULTI_CHANNEL: 'UNKNOWN',
  DEMAND_GEN: 'UNKNOWN',
  PERFORMANCE_MAX: 'UNKNOWN',
}
const AD_TYPES: Record<ChannelType, string> = {
  SEARCH: 'RESPONSIVE_SEARCH_AD',
  DISPLAY: 'RESPONSIVE_DISPLAY_AD',
  SHOPPING: 'SHOPPING_PRODUCT_AD',
  VIDEO: 'VIDEO_RESPONSIVE_AD',
  MULTI_CHANNEL: 'APP_AD',
  DEMAND_GEN: 'DEMAND_GEN_MULTI_ASSET_AD',
  PERFORMANCE_MAX: 'UNKNOWN',
}

const STATUS: Record<Status, string> = {
  ACTIVE: 'ENABLED',
  PAUSED: 'PAUSED',
  ARCHIVED: 'REMOVED',
  DELETED: 'REMOVED',
}
const statusOf = (node: Campaign | AdSet | Ad | undefined, today: number) =>
  node && STATUS[statusOn(node, today)]
const nameOf = (node: Campaign | AdSet | undefined, today: number) => node && nameOn(node, today)
const typeOf = ({ campaign }: Subject) => campaign && channelTypeOf(campaign)
const isText = (subject: Subject) => typeOf(subject) === 'SEARCH'

const path = ({ customer }: Subject, collection: string, ...ids: (string | undefined)[]) =>
  ids.includes(undefined) ? undefined : `customers/${customer.id}/${collection}/${ids.join('~')}`

const TABLE = {
  'customer.resource_name': name(({ customer }) => `customers/${customer.id}`),
  'customer.id': int64(({ customer }) => customer.id),
  'customer.descriptive_name': text(({ customer }) => customer.name || undefined),
  'customer.currency_code': text(({ customer }) => customer.currency),
  'customer.time_zone': text(({ customer }) => customer.time_zone),
  'customer.manager': truth(({ customer }) => customer.manager),
  'customer.test_account': truth(() => false),
  'customer.auto_tagging_enabled': truth(() => true),
  'customer.status': oneOf(CUSTOMER_STATUSES, ({ customer }) => customer.status),

  'customer_client.resource_name': name(subject =>
    path(subject, 'customerClients', subject.client?.customer.id),
  ),
  'customer_client.client_customer': name(({ client }) => client && `customers/${client.customer.id}`),
  'customer_client.id': int64(({ client }) => client?.customer.id),
  'customer_client.descriptive_name': text(({ client }) => client?.customer.name || undefined),
  'customer_client.level': int64(({ client }) => client && String(client.level)),
  'customer_client.manager': truth(({ client }) => client?.customer.manager),
  'customer_client.currency_code': text(({ client }) => client?.customer.currency),
  'customer_client.time_zone': text(({ client }) => client?.customer.time_zone),
  'customer_client.status': oneOf(CUSTOMER_STATUSES, ({ client }) => client?.customer.status),
  'customer_client.test_account': truth(() => false),
  'customer_client.hidden': truth(() => false),

  'campaign.resource_name': name(subject => path(subject, 'campaigns', subject.campaign?.id)),
  'campaign.id': int64(({ campaign }) => campaign?.id),
  'campaign.name': text(({ campaign, today }) => nameOf(campaign, today)),
  'campaign.status': oneOf(STATUSES, ({ campaign, today }) => statusOf(campaign, today)),
  'campaign.advertising_channel_type': oneOf(CHANNEL_TYPES, typeOf),
  'campaign.start_date_time': text(({ campaign }) => campaign && `${isoOf(campaign.start)} 00:00:00`),
  'campaign.end_date_time': text(
    ({ campaign }) =>
      campaign && (campaign.end === null ? '2037-12-30 23:59:59' : `${isoOf(campaign.end)} 23:59:59`),
  ),

  'ad_group.resource_name': name(subject => path(subject, 'adGroups', subject.ad_set?.id)),
  'ad_group.id': int64(({ ad_set }) => ad_set?.id),
  'ad_group.name': text(({ ad_set, today }) => nameOf(ad_set, today)),
  'ad_group.campaign': name(subject => path(subject, 'campaigns', subject.campaign?.id)),
  'ad_group.status': oneOf(STATUSES, ({ ad_set, today }) => statusOf(ad_set, today)),
  'ad_group.type': oneOf(['UNSPECIFIED', ...new Set(Object.values(AD_GROUP_TYPES))], subject => {
    const type = typeOf(subject)
    return type && AD_GROUP_TYPES[type]
  }),

  'ad_group_ad.resource_name': name(subject =>
    path(subject, 'adGroupAds', subject.ad_set?.id, subject.ad?.id),
  ),
  'ad_group_ad.ad_group': name(subject => path(subject, 'adGroups', subject.ad_set?.id)),
  'ad_group_ad.status': oneOf(STATUSES, ({ ad, today }) => statusOf(ad, today)),
  'ad_group_ad.ad.resource_name': name(subject => path(subject, 'ads', subject.ad?.id)),
  'ad_group_ad.ad.id': int64(({ ad }) => ad?.id),
  'ad_group_ad.ad.name': text(subject => (isText(subject) ? undefined : subject.ad?.name)),
  'ad_group_ad.ad.type': oneOf(['UNSPECIFIED', ...new Set(Object.values(AD_TYPES))], subject => {
    const type = typeOf(subject)
    return type && AD_TYPES[type]
  }),
  'ad_group_ad.ad.final_urls': {
    ...text(({ ad }) => ad && [`https://shop.example/${ad.id}`]),
    repeated: true,
  },
  'ad_group_ad.ad.responsive_search_ad.headlines': {
    type: 'MESSAGE',
    repeated: true,
    of: subject => (isText(subject) ? [{ text: subject.ad?.name }, { text: 'Order today' }] : undefined),
  },

  'ad_group_criterion.resource_name': name(subject =>
    path(subject, 'adGroupCriteria', subject.ad_set?.id, subject.keyword?.id),
  ),
  'ad_group_criterion.criterion_id': int64(({ keyword }) => keyword?.id),
  'ad_group_criterion.ad_group': name(subject => path(subject, 'adGroups', subject.ad_set?.id)),
  'ad_group_criterion.keyword.text': text(({ keyword }) => keyword?.text),
  'ad_group_criterion.keyword.match_type': oneOf(
    ['UNSPECIFIED', 'UNKNOWN', 'EXACT', 'PHRASE', 'BROAD'],
    ({ keyword }) => keyword?.match_type,
  ),
  'ad_group_criterion.status': oneOf(STATUSES, ({ keyword }) => keyword?.status),
  'ad_group_criterion.negative': truth(() => false),
  'ad_group_criterion.type': oneOf(['UNSPECIFIED', 'UNKNOWN', 'KEYWORD'], () => 'KEYWORD'),
  'ad_group_criterion.quality_info.quality_score': {
    type: 'INT32',
    of: ({ keyword }) => keyword?.quality_score,
  },

  'keyword_view.resource_name': name(subject =>
    path(subject, 'keywordViews', subject.ad_set?.id, subject.keyword?.id),
  ),
} satisfies Record<string, Attribute>

export const ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map(Object.entries(TABLE))

/** The resource of an attribute's name. */
export const resourceOf = (field: string) => field.split('.')[0] ?? ''
