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
const views = (name: string, en: string, { xml, of }: { xml: string; of: Metric }): MetricLine =>
  metric([name, en, en, xml, 'LONG'], ['CONVERSION_NAME'], { needs: [of], value: count => count(of) })

export const DISPLAY_METRICS: MetricLine[] = [
  metric(['IMPS', 'Impressions', 'インプレッション数', 'impressions', 'LONG'], ['CONVERSION_NAME'], {
    needs: [],
    value: count => count('impressions'),
  }),
  metric(['CLICKS', 'Clicks', 'クリック数', 'clicks', 'LONG'], ['CONVERSION_NAME'], {
    needs: ['clicks'],
    value: count => count('clicks'),
  }),
  metric(['CLICK', 'Clicks', 'クリック数', 'clicks', 'LONG'], ['CONVERSION_NAME'], {
    needs: ['clicks'],
    value: count => count('clicks'),
  }),
  metric(['COST', 'Cost', 'コスト', 'cost', 'DOUBLE'], ['CONVERSION_NAME'], {
    needs: COSTING,
    value: displayCost,
  }),
  metric(['CLICK_RATE', 'CTR', 'クリック率', 'ctr', 'DOUBLE'], ['CONVERSION_NAME'], {
    needs: ['clicks'],
    value: count => per(count('clicks'), count('impressions'), 100),
  }),
  metric(['AVG_CPC', 'Avg. CPC', '平均CPC', 'averageCpc', 'DOUBLE'], ['CONVERSION_NAME'], {
    needs: COSTING,
    value: count => per(displayCost(count), count('clicks')),
  }),
  metric(['AVG_CPM', 'Avg. CPM', '平均CPM', 'averageCpm', 'DOUBLE'], ['CONVERSION_NAME'], {
    needs: COSTING,
    value: count => per(displayCost(count), count('impressions'), 1000),
  }),
  metric(['CONVERSIONS', 'Conversions', 'コンバージョン数', 'conversions', 'LONG'], [], {
    needs: ['web_purchases', 'web_leads'],
    value: displayConversions,
  }),
  metric(['CONV_RATE', 'Conversion Rate', 'コンバージョン率', 'convRate', 'DOUBLE'], ['CONVERSION_NAME'], {
    needs: ['web_purchases', 'web_leads', 'clicks'],
    value: count => per(displayConversions(count), count('clicks'), 100),
  }),
  metric(
    ['COST_PER_CONV', 'Cost per Conversion', 'コスト/コンバージョン数', 'costPerConv', 'DOUBLE'],
    ['CONVERSION_NAME'],
    {
      needs: ['web_purchases', 'web_leads', ...COSTING],
      value: count => per(displayCost(count), displayConversions(count)),
    },
  ),
  metric(['CONV_VALUE', 'Conversion Value', 'コンバージョンの価値', 'convValue', 'LONG'], [], {
    needs: VALUE,
    value: count => count('web_purchase_value'),
  }),
  metric(
    [
      'CONV_VALUE_PER_COST',
      'Conversion Value per Cost',
      'コンバージョンの価値/コスト',
      'convValuePerCost',
      'DOUBLE',
    ],
    ['CONVERSION_NAME'],
    { needs: [...VALUE, ...COSTING], value: count => per(count('web_purchase_value'), displayCost(count)) },
  ),
  metric(['ALL_CONV', 'Conversions (all)', 'コンバージョン数（全て）', 'allConv', 'LONG'], [], {
    needs: ['web_purchases', 'web_leads', 'custom_conversions'],
    value: count => displayConversions(count) + count('custom_conversions'),
  }),
  metric(
    ['ALL_CONV_VALUE', 'Conversion Value (all)', 'コンバージョンの価値（全て）', 'allConvValue', 'LONG'],
    [],
    { needs: [...VALUE, 'web_leads'], value: allValue },
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
    { needs: ['web_purchases'], value: count => count('web_purchases') },
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
    { needs: VALUE, value: count => count('web_purchase_value') },
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
    { needs: ['view_throughs'], value: count => count('view_throughs') },
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
    { needs: ['add_to_cart'], value: count => count('add_to_cart') },
  ),
  views('VIDEO_VIEWS', 'Video Views', { xml: 'videoViews', of: 'video_plays' }),
  views('PAID_VIDEO_VIEWS', 'Paid Video Views', { xml: 'paidVideoViews', of: 'thruplays' }),
  views('VIDEO_VIEWS_TO_25', 'Video Views to 25%', { xml: 'videoViewsTo25', of: 'video_p25' }),
  views('VIDEO_VIEWS_TO_50', 'Video Views to 50%', { xml: 'videoViewsTo50', of: 'video_p50' }),
  views('VIDEO_VIEWS_TO_75', 'Video Views to 75%', { xml: 'videoViewsTo75', of: 'video_p75' }),
  views('VIDEO_VIEWS_TO_95', 'Video Views to 95%', { xml: 'videoViewsTo95', of: 'video_p95' }),
  views('VIDEO_VIEWS_TO_100', 'Video Views to 100%', { xml: 'videoViewsTo100', of: 'video_p100' }),
  views('VIDEO_VIEWS_TO_3_SEC', 'Video Views to 3 sec.', { xml: 'videoViewsTo3Sec', of: 'video_views' }),
  views('VIDEO_VIEWS_TO_10_SEC', 'Video Views to 10 sec.', { xml: 'videoViewsTo10Sec', of: 'video_30s' }),
  metric(['AVG_CPV', 'Avg. CPV', '平均CPV', 'averageCpv', 'DOUBLE'], ['CONVERSION_NAME'], {
    needs: [...COSTING, 'thruplays'],
    value: count => per(displayCost(count), count('thruplays')),
  }),
  metric(
    [
      'AVG_DURATION_VIDEO_VIEWED',
      'Avg. Duration Viewed (sec.)',
      '動画の平均再生時間（秒）',
      'averageDurationVideoViewed',
      'DOUBLE',
    ],
    ['CONVERSION_NAME'],
    {
      needs: ['watched_seconds', 'video_plays'],
      value: count => per(count('watched_seconds'), count('video_plays')),
    },
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
    {
      needs: ['watched_seconds', 'video_plays'],
      value: count => per(count('watched_seconds'), count('video_plays') * 15, 100),
    },
  ),
  metric(
    ['MEASURED_IMPS', 'Measured Impressions', '測定インプレッション数', 'measuredImps', 'LONG'],
    ['CONVERSION_NAME'],
    { needs: ['measurable_impressions'], value: count => count('measurable_impressions') },
  ),
  metric(
    ['VIEWABLE_IMPS', 'Viewable Impressions', 'ビューアブルインプレッション数', 'viewableImps', 'LONG'],
    ['CONVERSION_NAME'],
    { needs: ['viewable_impressions'], value: count => count('viewable_impressions') },
  ),
  metric(
    ['VIEWABLE_CLICKS', 'Viewable Clicks', 'ビューアブルクリック数', 'viewableClicks', 'LONG'],
    ['CONVERSION_NAME'],
    { needs: ['link_clicks'], value: count => count('link_clicks') },
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
    {
      needs: ['viewable_impressions'],
      value: count => per(count('viewable_impressions'), count('measurable_impressions'), 100),
    },
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
  metric(['IMPS', 'Impressions', 'インプレッション数', 'impressions', 'LONG'], [], {
    needs: [],
    value: count => count('impressions'),
  }),
  metric(['REACHES', 'Reach', 'リーチ数', 'reach', 'LONG'], [], {
    needs: [],
    value: (_, { reach }) => reach,
  }),
  metric(['AVG_FREQUENCY', 'Avg. Frequency', '平均フリークエンシー', 'averageFrequency', 'DOUBLE'], [], {
    needs: [],
    value: (count, { reach }) => per(count('impressions'), reach),
  }),
  metric(
    [
      'VIEWABLE_IMPRESSION_REACHES',
      'Reach (Viewable Impressions)',
      'リーチ数（ビューアブル）',
      'viewableImpressionReaches',
      'LONG',
    ],
    [],
    { needs: [], value: (_, { reach }) => Math.ceil(reach * 0.7) },
  ),
]
