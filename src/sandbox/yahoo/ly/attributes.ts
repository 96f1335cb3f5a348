import { nameOn } from '#sandbox/dataset/campaigns.ts'
import type { FieldType, Product, Subject } from './field.ts'

export type Level = 'account' | 'campaign' | 'ad_group' | 'ad' | 'keyword'
type AttributeLine = [Level, string, string, string, string, FieldType, (subject: Subject) => string | number]

const idOf = (id: string) => id.slice(-15)
/** Line breaks do happen in names: somebody pasted one. */
const adName = ({ ad, today }: Subject) =>
  nameOn(ad.ad_set.campaign, today) === 'Old stock' ? `${nameOn(ad, today)}\n"2"` : nameOn(ad, today)
const MATCH_TYPES = { exact: 'Exact match', phrase: 'Phrase match', broad: 'Broad match' } as const

export const ATTRIBUTES: Record<Product, AttributeLine[]> = {
  ly_search: [
    [
      'account',
      'ACCOUNT_ID',
      'Account ID',
      'アカウントID',
      'accountID',
      'STRING',
      ({ account }) => account.id,
    ],
    [
      'account',
      'ACCOUNT_NAME',
      'Account Name',
      'アカウント名',
      'accountName',
      'STRING',
      ({ account }) => account.name,
    ],
    [
      'campaign',
      'CAMPAIGN_ID',
      'CampaignID',
      'キャンペーンID',
      'campaignID',
      'LONG',
      ({ ad }) => idOf(ad.ad_set.campaign.id),
    ],
    [
      'campaign',
      'CAMPAIGN_NAME',
      'Campaign name',
      'キャンペーン名',
      'campaignName',
      'STRING',
      ({ ad, today }) => nameOn(ad.ad_set.campaign, today),
    ],
    [
      'campaign',
      'CAMPAIGN_TYPE',
      'Campaign type',
      'キャンペーンタイプ',
      'campaignType',
      'ENUM',
      () => 'Standard',
    ],
    [
      'ad_group',
      'ADGROUP_ID',
      'Ad group ID',
      '広告グループID',
      'adgroupID',
      'LONG',
      ({ ad }) => idOf(ad.ad_set.id),
    ],
    [
      'ad_group',
      'ADGROUP_NAME',
      'Ad group name',
      '広告グループ名',
      'adgroupName',
      'STRING',
      ({ ad, today }) => nameOn(ad.ad_set, today),
    ],
    ['ad', 'AD_ID', 'Ad ID', '広告ID', 'adID', 'LONG', ({ ad }) => idOf(ad.id)],
    ['ad', 'AD_NAME', 'Ad name', '広告名', 'adName', 'STRING', adName],
    [
      'keyword',
      'KEYWORD_ID',
      'Keyword ID',
      'キーワードID',
      'keywordID',
      'LONG',
      ({ keyword }) => keyword?.id ?? '',
    ],
    [
      'keyword',
      'KEYWORD',
      'Keyword',
      'キーワード',
      'keyword',
      'STRING',
      ({ keyword }) => keyword?.text ?? '',
    ],
    [
      'keyword',
      'KEYWORD_MATCH_TYPE',
      'Match Type',
      'マッチタイプ',
      'keywordMatchType',
      'ENUM',
      ({ keyword }) => (keyword ? MATCH_TYPES[keyword.match] : 'Other'),
    ],
    [
      'keyword',
      'QUALITY_INDEX',
      'Quality index',
      '品質インデックス',
      'qualityIndex',
      'LONG',
      ({ keyword }) => keyword?.quality ?? '',
    ],
    ['keyword', 'BID', 'Bid (JPY)', '入札価格', 'bid', 'LONG', ({ keyword }) => keyword?.bid ?? ''],
    [
      'keyword',
      'ADGROUP_BID',
      'Ad group bid',
      '広告グループの入札価格',
      'adGroupBid',
      'LONG',
      ({ ad }) => 30 + ((ad.ad_set.seed >>> 4) % 60),
    ],
    [
      'keyword',
      'FIRST_PAGE_BID_ESTIMATE',
      'First page bid estimate',
      '1ページ目掲載に必要な入札価格',
      'firstPageBidEstimate',
      'LONG',
      ({ keyword }) => (keyword ? Math.round(keyword.bid * 0.8) : ''),
    ],
    [
      'keyword',
      'TOP_OF_PAGE_BID_ESTIMATE',
      'Top of page bid estimate',
      '1ページ目上部掲載に必要な入札価格',
      'topOfPageBidEstimate',
      'LONG',
      ({ keyword }) => (keyword ? Math.round(keyword.bid * 1.3) : ''),
    ],
  ],
  ly_display: [
    ['account', 'ACCOUNT_ID', 'Account ID', 'アカウントID', 'accountID', 'LONG', ({ account }) => account.id],
    [
      'account',
      'ACCOUNT_NAME',
      'Account Name',
      'アカウント名',
      'accountName',
      'STRING',
      ({ account }) => account.name,
    ],
    [
      'campaign',
      'CAMPAIGN_ID',
      'Campaign ID',
      'キャンペーンID',
      'campaignID',
      'LONG',
      ({ ad }) => idOf(ad.ad_set.campaign.id),
    ],
    [
      'campaign',
      'CAMPAIGN_NAME',
      'Campaign Name',
      'キャンペーン名',
      'campaignName',
      'STRING',
      ({ ad, today }) => nameOn(ad.ad_set.campaign, today),
    ],
    [
      'ad_group',
      'ADGROUP_ID',
      'Ad Group ID',
      '広告グループID',
      'adgroupID',
      'LONG',
      ({ ad }) => idOf(ad.ad_set.id),
    ],
    [
      'ad_group',
      'ADGROUP_NAME',
      'Ad Group Name',
      '広告グループ名',
      'adgroupName',
      'STRING',
      ({ ad, today }) => nameOn(ad.ad_set, today),
    ],
    ['ad', 'AD_ID', 'Ad ID', '広告ID', 'adID', 'LONG', ({ ad }) => idOf(ad.id)],
    ['ad', 'AD_NAME', 'Ad Name', '広告名', 'adName', 'STRING', adName],
    ['ad', 'AD_TYPE', 'Ad type', '広告タイプ', 'adType', 'STRING', () => 'Banner'],
  ],
}

/** The levels of each report type. */
export const REPORT_TYPES: Record<Product, Record<string, readonly Level[]>> = {
  ly_search: {
    ACCOUNT: ['account'],
    CAMPAIGN: ['account', 'campaign'],
    ADGROUP: ['account', 'campaign', 'ad_group'],
    AD: ['account', 'campaign', 'ad_group', 'ad'],
    KEYWORDS: ['account', 'campaign', 'ad_group', 'keyword'],
  },
  ly_display: {
    AD: ['account', 'campaign', 'ad_group', 'ad'],
    REACH: ['account', 'campaign', 'ad_group', 'ad'],
  },
}

type SegmentLine = [string, string, string, string, FieldType]
export const SEGMENTS: Record<Product, SegmentLine[]> = {
  ly_search: [
    ['DEVICE', 'Device', 'デバイス', 'device', 'ENUM'],
    ['DAY', 'Day', '日', 'day', 'STRING'],
    ['DAY_OF_WEEK', 'Day of the week', '曜日', 'dayOfWeek', 'ENUM'],
    ['QUARTER', 'Quarter', '四半期', 'quarter', 'STRING'],
    ['YEAR', 'Year', '年', 'year', 'STRING'],
    ['MONTH', 'Month', '毎月', 'month', 'STRING'],
    ['MONTH_OF_YEAR', 'Month of Year', '月', 'monthofYear', 'ENUM'],
    ['WEEK', 'Week (Mon-Sun)', '週（月～日）', 'week', 'STRING'],
    ['NETWORK', 'Show ads on', '広告を表示する検索画面', 'network', 'ENUM'],
    ['CLICK_TYPE', 'ClickType', 'クリック種別', 'clickType', 'ENUM'],
    ['CONVERSION_NAME', 'Conversion name', 'コンバージョン名', 'conversionName', 'STRING'],
    [
      'OBJECT_OF_CONVERSION_TRACKING',
      'Conversion Tracking Purpose',
      'コンバージョン測定の目的',
      'objectiveOfConversionTracking',
      'ENUM',
    ],
  ],
  ly_display: [
    ['DEVICE', 'Device', 'デバイス', 'device', 'STRING'],
    ['DAY', 'Daily', '日', 'day', 'STRING'],
    ['WEEK', 'Week (Mon-Sun)', '週（月～日）', 'week', 'STRING'],
    ['MONTH', 'Month', '月', 'month', 'STRING'],
    ['CONVERSION_NAME', 'Conversion Name', 'コンバージョン名', 'conversionName', 'STRING'],
  ],
}
