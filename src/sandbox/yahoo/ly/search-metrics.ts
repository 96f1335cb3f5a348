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
// Halves stand for conversions that attribution gave to several clicks; sums of halves are exact.
const searchConversions = (count: Count) => count('web_purchases') + count('complete_registration') / 2
const searchAllConversions = (count: Count) => searchConversions(count) + count('web_leads')
const CONVERTING: readonly Metric[] = ['web_purchases', 'complete_registration']

export const SEARCH_METRICS: MetricLine[] = [
  metric(['COST', 'Cost', 'コスト', 'cost', 'LONG'], DELIVERY, ['spend'], count => count('spend')),
  metric(['IMPS', 'Impressions', 'インプレッション数', 'impressions', 'LONG'], DELIVERY, [], count =>
    count('impressions'),
  ),
  metric(['CLICKS', 'Clicks', 'クリック数', 'clicks', 'LONG'], DELIVERY, ['clicks'], count =>
    count('clicks'),
  ),
  metric(['CLICK_RATE', 'CTR', 'クリック率', 'ctr', 'DOUBLE'], DELIVERY, ['clicks'], count =>
    per(count('clicks'), count('impressions'), 100),
  ),
  metric(['AVG_CPC', 'Avg. CPC', '平均CPC', 'averageCpc', 'DOUBLE'], DELIVERY, ['spend', 'clicks'], count =>
    per(count('spend'), count('clicks')),
  ),
  metric(
    ['INVALID_CLICKS', 'Invalid clicks', '無効なクリック数', 'invalidClicks', 'LONG'],
    INVALID,
    ['invalid_clicks'],
    count => count('invalid_clicks'),
  ),
  metric(
    ['CONVERSIONS', 'Conversions', 'コンバージョン数', 'conversions', 'DOUBLE'],
    NOT_BY_MONTH,
    CONVERTING,
    searchConversions,
  ),
  metric(
    ['CONV_RATE', 'Conv. rate', 'コンバージョン率', 'convRate', 'DOUBLE'],
    RATIO,
    [...CONVERTING, 'clicks'],
    count => per(searchConversions(count), count('clicks'), 100),
  ),
  metric(
    ['CONV_VALUE', 'Conv. value', 'コンバージョンの価値', 'convValue', 'DOUBLE'],
    NOT_BY_MONTH,
    VALUE,
    count => count('web_purchase_value'),
  ),
  metric(
    ['COST_PER_CONV', 'Cost/conv.', 'コスト/コンバージョン数', 'costPerConv', 'DOUBLE'],
    RATIO,
    [...CONVERTING, 'spend'],
    count => per(count('spend'), searchConversions(count)),
  ),
  metric(
    [
      'VALUE_PER_CONV',
      'Conv. value/conv.',
      'コンバージョンの価値/コンバージョン数',
      'valuePerConv',
      'DOUBLE',
    ],
    NOT_BY_MONTH,
    [...CONVERTING, ...VALUE],
    count => per(count('web_purchase_value'), searchConversions(count)),
  ),
  metric(
    ['CONV_VALUE_PER_COST', 'Conv. value/cost', 'コンバージョンの価値/コスト', 'convValuePerCost', 'DOUBLE'],
    RATIO,
    [...VALUE, 'spend'],
    count => per(count('web_purchase_value'), count('spend')),
  ),
  metric(
    ['ALL_CONV', 'Conversions (all)', 'コンバージョン数（全て）', 'allConv', 'DOUBLE'],
    NOT_BY_MONTH,
    [...CONVERTING, 'web_leads'],
    searchAllConversions,
  ),
  metric(
    ['ALL_CONV_VALUE', 'Conv. value (all)', 'コンバージョンの価値（全て）', 'allConvValue', 'DOUBLE'],
    NOT_BY_MONTH,
    [...VALUE, 'web_leads'],
    allValue,
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
    ['custom_conversions'],
    count => count('custom_conversions') / 2 || null,
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
