import type { Metric } from '#sandbox/dataset/metrics.ts'
import {
  allValue,
  type Count,
  impressionShare,
  lostToBudget,
  lostToRank,
  metric,
  type MetricLine,
  per,
  share,
  VALUE,
} from './metric-line.ts'

const DISPLAY_SHARE = ['CONVERSION_NAME', 'DEVICE', 'AD_ID', 'AD_NAME', 'AD_TYPE', 'SEARCHKEYWORD']

const displayConversions = (count: Count) => count('web_purchases') + count('web_leads')
const displayCost = (count: Count) => count('spend') + count('clicks') / 4
const COSTING: readonly Metric[] = ['spend', 'clicks']
const views = (name: string, en: string, xml: string, of: Metric): MetricLine =>
  metric([name, en, en, xml, 'LONG'], ['CONVERSION_NAME'], [of], count => count(of))

export const DISPLAY_METRICS: MetricLine[] = [
  metric(
    ['IMPS', 'Impressions', 'インプレッション数', 'impressions', 'LONG'],
    ['CONVERSION_NAME'],
    [],
    count => count('impressions'),
  ),
  metric(['CLICKS', 'Clicks', 'クリック数', 'clicks', 'LONG'], ['CONVERSION_NAME'], ['clicks'], count =>
    count('clicks'),
  ),
  metric(['CLICK', 'Clicks', 'クリック数', 'clicks', 'LONG'], ['CONVERSION_NAME'], ['clicks'], count =>
    count('clicks'),
  ),
  metric(['COST', 'Cost', 'コスト', 'cost', 'DOUBLE'], ['CONVERSION_NAME'], COSTING, displayCost),
  metric(['CLICK_RATE', 'CTR', 'クリック率', 'ctr', 'DOUBLE'], ['CONVERSION_NAME'], ['clicks'], count =>
    per(count('clicks'), count('impressions'), 100),
  ),
  metric(['AVG_CPC', 'Avg. CPC', '平均CPC', 'averageCpc', 'DOUBLE'], ['CONVERSION_NAME'], COSTING, count =>
    per(displayCost(count), count('clicks')),
  ),
  metric(['AVG_CPM', 'Avg. CPM', '平均CPM', 'averageCpm', 'DOUBLE'], ['CONVERSION_NAME'], COSTING, count =>
    per(displayCost(count), count('impressions'), 1000),
  ),
  metric(
    ['CONVERSIONS', 'Conversions', 'コンバージョン数', 'conversions', 'LONG'],
    [],
    ['web_purchases', 'web_leads'],
    displayConversions,
  ),
  metric(
    ['CONV_RATE', 'Conversion Rate', 'コンバージョン率', 'convRate', 'DOUBLE'],
    ['CONVERSION_NAME'],
    ['web_purchases', 'web_leads', 'clicks'],
    count => per(displayConversions(count), count('clicks'), 100),
  ),
  metric(
    ['COST_PER_CONV', 'Cost per Conversion', 'コスト/コンバージョン数', 'costPerConv', 'DOUBLE'],
    ['CONVERSION_NAME'],
    ['web_purchases', 'web_leads', ...COSTING],
    count => per(displayCost(count), displayConversions(count)),
  ),
  metric(['CONV_VALUE', 'Conversion Value', 'コンバージョンの価値', 'convValue', 'LONG'], [], VALUE, count =>
    count('web_purchase_value'),
  ),
  metric(
    [
      'CONV_VALUE_PER_COST',
      'Conversion Value per Cost',
      'コンバージョンの価値/コスト',
      'convValuePerCost',
      'DOUBLE',
    ],
    ['CONVERSION_NAME'],
    [...VALUE, ...COSTING],
    count => per(count('web_purchase_value'), displayCost(count)),
  ),
  metric(
    ['ALL_CONV', 'Conversions (all)', 'コンバージョン数（全て）', 'allConv', 'LONG'],
    [],
    ['web_purchases', 'web_leads', 'custom_conversions'],
    count => displayConversions(count) + count('custom_conversions'),
  ),
  metric(
    ['ALL_CONV_VALUE', 'Conversion Value (all)', 'コンバージョンの価値（全て）', 'allConvValue', 'LONG'],
    [],
    [...VALUE, 'web_leads'],
    allValue,
  ),
  metric(
    [
      'CONVERSIONS_VIA_AD_CLICK',
      'Conversions (via Ad Click)',
      'コンバージョン数（広告クリック経由）',
      'conversionsViaAdClick',
      'LONG',
    ],
    [],
    ['web_purchases'],
    count => count('web_purchases'),
  ),
  metric(
    [
      'CONV_VALUE_VIA_AD_CLICK',
      'Conversion Value (via Ad Click)',
      'コンバージョンの価値（広告クリック経由）',
      'convValueViaAdClick',
      'LONG',
    ],
    [],
    VALUE,
    count => count('web_purchase_value'),
  ),
  metric(
    [
      'CONV_VALUE_VIA_VIEW_THROUGH',
      'View-Through Conversions',
      'ビュースルーコンバージョン数',
      'viewThroughConversions',
      'LONG',
    ],
    [],
    ['view_throughs'],
    count => count('view_throughs'),
  ),
  metric(
    [
      'CROSS_DEVICE_CONVERSIONS',
      'Cross-device Conversions',
      'クロスデバイスコンバージョン数',
      'crossDeviceConversions',
      'LONG',
    ],
    [],
    ['add_to_cart'],
    count => count('add_to_cart'),
  ),
  views('VIDEO_VIEWS', 'Video Views', 'videoViews', 'video_plays'),
  views('PAID_VIDEO_VIEWS', 'Paid Video Views', 'paidVideoViews', 'thruplays'),
  views('VIDEO_VIEWS_TO_25', 'Video Views to 25%', 'videoViewsTo25', 'video_p25'),
  views('VIDEO_VIEWS_TO_50', 'Video Views to 50%', 'videoViewsTo50', 'video_p50'),
  views('VIDEO_VIEWS_TO_75', 'Video Views to 75%', 'videoViewsTo75', 'video_p75'),
  views('VIDEO_VIEWS_TO_95', 'Video Views to 95%', 'videoViewsTo95', 'video_p95'),
  views('VIDEO_VIEWS_TO_100', 'Video Views to 100%', 'videoViewsTo100', 'video_p100'),
  views('VIDEO_VIEWS_TO_3_SEC', 'Video Views to 3 sec.', 'videoViewsTo3Sec', 'video_views'),
  views('VIDEO_VIEWS_TO_10_SEC', 'Video Views to 10 sec.', 'videoViewsTo10Sec', 'video_30s'),
  metric(
    ['AVG_CPV', 'Avg. CPV', '平均CPV', 'averageCpv', 'DOUBLE'],
    ['CONVERSION_NAME'],
    [...COSTING, 'thruplays'],
    count => per(displayCost(count), count('thruplays')),
  ),
  metric(
    [
      'AVG_DURATION_VIDEO_VIEWED',
      'Avg. Duration Viewed (sec.)',
      '動画の平均再生時間（秒）',
      'averageDurationVideoViewed',
      'DOUBLE',
    ],
    ['CONVERSION_NAME'],
    ['watched_seconds', 'video_plays'],
    count => per(count('watched_seconds'), count('video_plays')),
  ),
  metric(
    [
      'AVG_PERCENT_VIDEO_VIEWED',
      'Avg. Percentage Viewed',
      '動画の平均再生率',
      'averagePercentVideoViewed',
      'DOUBLE',
    ],
    ['CONVERSION_NAME'],
    ['watched_seconds', 'video_plays'],
    count => per(count('watched_seconds'), count('video_plays') * 15, 100),
  ),
  metric(
    ['MEASURED_IMPS', 'Measured Impressions', '測定インプレッション数', 'measuredImps', 'LONG'],
    ['CONVERSION_NAME'],
    ['measurable_impressions'],
    count => count('measurable_impressions'),
  ),
  metric(
    ['VIEWABLE_IMPS', 'Viewable Impressions', 'ビューアブルインプレッション数', 'viewableImps', 'LONG'],
    ['CONVERSION_NAME'],
    ['viewable_impressions'],
    count => count('viewable_impressions'),
  ),
  metric(
    ['VIEWABLE_CLICKS', 'Viewable Clicks', 'ビューアブルクリック数', 'viewableClicks', 'LONG'],
    ['CONVERSION_NAME'],
    ['link_clicks'],
    count => count('link_clicks'),
  ),
  metric(
    [
      'VIEWABLE_IMPS_RATE',
      'Viewable Impression Rate',
      'ビューアブルインプレッション率',
      'viewableImpsRate',
      'DOUBLE',
    ],
    ['CONVERSION_NAME'],
    ['viewable_impressions'],
    count => per(count('viewable_impressions'), count('measurable_impressions'), 100),
  ),
  share(
    ['IMPRESSION_SHARE', 'Impression Share', 'インプレッションシェア', 'impressionShare'],
    DISPLAY_SHARE,
    impressionShare,
  ),
  share(
    [
      'BUDGET_LOST_IMPRESSION_SHARE',
      'Impression Share Lost (Budget)',
      'インプレッションシェア損失率（予算）',
      'budgetLostImpressionShare',
    ],
    [...DISPLAY_SHARE, 'ADGROUP_ID', 'ADGROUP_NAME'],
    lostToBudget,
  ),
  share(
    [
      'RANK_LOST_IMPRESSION_SHARE',
      'Impression Share Lost (Rank)',
      'インプレッションシェア損失率（ランク）',
      'rankLostImpressionShare',
    ],
    DISPLAY_SHARE,
    lostToRank,
  ),
]

export const REACH_METRICS: MetricLine[] = [
  metric(['IMPS', 'Impressions', 'インプレッション数', 'impressions', 'LONG'], [], [], count =>
    count('impressions'),
  ),
  metric(['REACHES', 'Reach', 'リーチ数', 'reach', 'LONG'], [], [], (_, { reach }) => reach),
  metric(
    ['AVG_FREQUENCY', 'Avg. Frequency', '平均フリークエンシー', 'averageFrequency', 'DOUBLE'],
    [],
    [],
    (count, { reach }) => per(count('impressions'), reach),
  ),
  metric(
    [
      'VIEWABLE_IMPRESSION_REACHES',
      'Reach (Viewable Impressions)',
      'リーチ数（ビューアブル）',
      'viewableImpressionReaches',
      'LONG',
    ],
    [],
    [],
    (_, { reach }) => Math.ceil(reach * 0.7),
  ),
]
