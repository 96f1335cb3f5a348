import type { Metric } from '#sandbox/dataset/metrics.ts'
import { shareOf } from '#sandbox/dataset/yahoo.ts'
import {
  allValue,
  type Count,
  impressionShare,
  lostToBudget,
  lostToRank,
  metric,
  type MetricLine,
  per,
  percent,
  share,
  VALUE,
} from './metric-line.ts'

const CONVERSION_SEGMENTS = ['CONVERSION_NAME', 'OBJECT_OF_CONVERSION_TRACKING']
const NOT_BY_MONTH = ['MONTH_OF_YEAR']
const DELIVERY = CONVERSION_SEGMENTS
const RATIO = [...CONVERSION_SEGMENTS, ...NOT_BY_MONTH]
const SHARE = ['CLICK_TYPE', ...RATIO]
const INVALID = [...RATIO, 'DEVICE']
const HISTORICAL = [...CONVERSION_SEGMENTS, 'CLICK_TYPE', 'DAY_OF_WEEK', 'DEVICE', 'NETWORK']
// Halves are conversions that attribution gave to several clicks; sums of halves are exact.
const searchConversions = (count: Count) => count('web_purchases') + count('complete_registration') / 2
const searchAllConversions = (count: Count) => searchConversions(count) + count('web_leads')
const CONVERTING: readonly Metric[] = ['web_purchases', 'complete_registration']

export const SEARCH_METRICS: MetricLine[] = [
  metric(['COST', 'Cost', 'コスト', 'cost', 'LONG'], DELIVERY, {
    needs: ['spend'],
    value: count => count('spend'),
  }),
  metric(['IMPS', 'Impressions', 'インプレッション数', 'impressions', 'LONG'], DELIVERY, {
    needs: [],
    value: count => count('impressions'),
  }),
  metric(['CLICKS', 'Clicks', 'クリック数', 'clicks', 'LONG'], DELIVERY, {
    needs: ['clicks'],
    value: count => count('clicks'),
  }),
  metric(['CLICK_RATE', 'CTR', 'クリック率', 'ctr', 'DOUBLE'], DELIVERY, {
    needs: ['clicks'],
    value: count => per(count('clicks'), count('impressions'), 100),
  }),
  metric(['AVG_CPC', 'Avg. CPC', '平均CPC', 'averageCpc', 'DOUBLE'], DELIVERY, {
    needs: ['spend', 'clicks'],
    value: count => per(count('spend'), count('clicks')),
  }),
  metric(['INVALID_CLICKS', 'Invalid clicks', '無効なクリック数', 'invalidClicks', 'LONG'], INVALID, {
    needs: ['invalid_clicks'],
    value: count => count('invalid_clicks'),
  }),
  metric(['CONVERSIONS', 'Conversions', 'コンバージョン数', 'conversions', 'DOUBLE'], NOT_BY_MONTH, {
    needs: CONVERTING,
    value: searchConversions,
  }),
  metric(['CONV_RATE', 'Conv. rate', 'コンバージョン率', 'convRate', 'DOUBLE'], RATIO, {
    needs: [...CONVERTING, 'clicks'],
    value: count => per(searchConversions(count), count('clicks'), 100),
  }),
  metric(['CONV_VALUE', 'Conv. value', 'コンバージョンの価値', 'convValue', 'DOUBLE'], NOT_BY_MONTH, {
    needs: VALUE,
    value: count => count('web_purchase_value'),
  }),
  metric(['COST_PER_CONV', 'Cost/conv.', 'コスト/コンバージョン数', 'costPerConv', 'DOUBLE'], RATIO, {
    needs: [...CONVERTING, 'spend'],
    value: count => per(count('spend'), searchConversions(count)),
  }),
  metric(
    [
      'VALUE_PER_CONV',
      'Conv. value/conv.',
      'コンバージョンの価値/コンバージョン数',
      'valuePerConv',
      'DOUBLE',
    ],
    NOT_BY_MONTH,
    {
      needs: [...CONVERTING, ...VALUE],
      value: count => per(count('web_purchase_value'), searchConversions(count)),
    },
  ),
  metric(
    ['CONV_VALUE_PER_COST', 'Conv. value/cost', 'コンバージョンの価値/コスト', 'convValuePerCost', 'DOUBLE'],
    RATIO,
    { needs: [...VALUE, 'spend'], value: count => per(count('web_purchase_value'), count('spend')) },
  ),
  metric(['ALL_CONV', 'Conversions (all)', 'コンバージョン数（全て）', 'allConv', 'DOUBLE'], NOT_BY_MONTH, {
    needs: [...CONVERTING, 'web_leads'],
    value: searchAllConversions,
  }),
  metric(
    ['ALL_CONV_VALUE', 'Conv. value (all)', 'コンバージョンの価値（全て）', 'allConvValue', 'DOUBLE'],
    NOT_BY_MONTH,
    { needs: [...VALUE, 'web_leads'], value: allValue },
  ),
  metric(
    [
      'CROSS_DEVICE_CONVERSIONS',
      'Cross-device conv.',
      'クロスデバイスコンバージョン数',
      'crossDeviceConversions',
      'DOUBLE',
    ],
    [],
    { needs: ['custom_conversions'], value: count => count('custom_conversions') / 2 || null },
  ),
  share(
    ['IMPRESSION_SHARE', 'Impression share', 'インプレッションシェア', 'impressionShare'],
    SHARE,
    impressionShare,
  ),
  share(
    [
      'EXACT_MATCH_IMPRESSION_SHARE',
      'Exact match impression share',
      '完全一致のインプレッションシェア',
      'exactMatchImpressionShare',
    ],
    SHARE,
    figures => percent(30, 98, figures, 'exact'),
  ),
  share(
    [
      'BUDGET_LOST_IMPRESSION_SHARE',
      'Lost impression share (budget)',
      'インプレッションシェア損失率（予算）',
      'budgetLostImpressionShare',
    ],
    SHARE,
    lostToBudget,
  ),
  share(
    [
      'QUALITY_LOST_IMPRESSION_SHARE',
      'Lost impression share (rank)',
      'インプレッションシェア損失率（ランク）',
      'qualityLostImpressionShare',
    ],
    SHARE,
    lostToRank,
  ),
  share(
    [
      'ABSOLUTE_TOP_IMPRESSION_PERCENTAGE',
      'Search absolute top impression rate',
      'インプレッションにおけるページ最上部の割合',
      'absoluteTopImpressionPercentage',
    ],
    SHARE,
    figures => percent(2, 30, figures, 'absolute top'),
  ),
  share(
    [
      'TOP_IMPRESSION_PERCENTAGE',
      'Search top impression rate',
      'インプレッションにおけるページ上部の割合',
      'topImpressionPercentage',
    ],
    SHARE,
    figures => percent(31, 90, figures, 'top'),
  ),
  share(
    [
      'SEARCH_ABSOLUTE_TOP_IMPRESSION_SHARE',
      'Search absolute top impression share',
      'ページ最上部のインプレッションシェア',
      'searchAbsoluteTopImpressionShare',
    ],
    SHARE,
    figures => percent(1, 20, figures, 'absolute top share'),
  ),
  share(
    [
      'SEARCH_TOP_IMPRESSION_SHARE',
      'Search top impression share',
      'ページ上部のインプレッションシェア',
      'searchTopImpressionShare',
    ],
    SHARE,
    figures => percent(21, 60, figures, 'top share'),
  ),
  share(
    [
      'SEARCH_BUDGET_LOST_ABSOLUTE_TOP_IMPRESSION_SHARE',
      'Search absolute top impression share (budget)',
      'ページ最上部のインプレッションシェア損失率（予算）',
      'searchBudgetLostAbsoluteTopImpressionShare',
    ],
    SHARE,
    figures => percent(1, 40, figures, 'lost absolute top budget'),
  ),
  share(
    [
      'SEARCH_RANK_LOST_ABSOLUTE_TOP_IMPRESSION_SHARE',
      'Search absolute top lost impression share (rank)',
      'ページ最上部のインプレッションシェア損失率（ランク）',
      'searchRankLostAbsoluteTopImpressionShare',
    ],
    SHARE,
    figures => percent(1, 40, figures, 'lost absolute top rank'),
  ),
  share(
    [
      'SEARCH_BUDGET_LOST_TOP_IMPRESSION_SHARE',
      'Search top impression share (budget)',
      'ページ上部のインプレッションシェア損失率（予算）',
      'searchBudgetLostTopImpressionShare',
    ],
    SHARE,
    figures => percent(1, 20, figures, 'lost top budget'),
  ),
  share(
    [
      'SEARCH_RANK_LOST_TOP_IMPRESSION_SHARE',
      'Search top lost impression share (rank)',
      'ページ上部のインプレッションシェア損失率（ランク）',
      'searchRankLostTopImpressionShare',
    ],
    SHARE,
    figures => percent(1, 20, figures, 'lost top rank'),
  ),
  share(['SEARCH_CLICK_SHARE', 'Click share', 'クリックシェア', 'searchClickShare'], SHARE, figures =>
    percent(5, 70, figures, 'click'),
  ),
  share(
    [
      'HISTORICAL_QUALITY_SCORE',
      'Quality index (hist.)',
      '品質インデックス（履歴）',
      'historicalQualityScore',
    ],
    HISTORICAL,
    figures => 1 + Math.floor(shareOf(figures.subject, 'quality') * 10),
  ),
]
