import type { Provider } from '#shared/platforms.ts'
import type { Dimension } from './catalogue.ts'
import { count, derived, money, nonAdditive, type Limits, type Words } from './metric.ts'

// Three products belong to this channel. Each has names of its own for most things: `platform_field` has that
// of LY Ads first, then that of Yahoo DSP where it differs.

const search: readonly Provider[] = ['ly_search']
const display: readonly Provider[] = ['ly_display']
const ly: readonly Provider[] = ['ly_search', 'ly_display']
const displayAndDsp: readonly Provider[] = ['ly_display', 'yahoo_dsp']

const delivery = {
  impressions: count('IMPS / Impressions', 'delivery', {
    en: ['Impressions', 'How often the ads were shown.'],
    'zh-TW': ['曝光次數', '廣告顯示的次數。'],
  }),
  clicks: count('CLICKS / Clicks', 'delivery', {
    en: ['Clicks', 'How often the ads were clicked.'],
    'zh-TW': ['點擊次數', '廣告被點擊的次數。'],
  }),
  ctr: derived(
    'CLICK_RATE',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'clicks', denominator: 'impressions' } },
    { en: ['CTR', 'Clicks divided by impressions.'], 'zh-TW': ['點閱率', '點擊次數除以曝光次數。'] },
  ),
  invalid_clicks: count(
    'INVALID_CLICKS',
    'delivery',
    {
      en: ['Invalid clicks', 'Clicks that Yahoo does not charge for, since nobody meant them.'],
      'zh-TW': ['無效點擊次數', 'Yahoo 判定為無效且不計費的點擊次數。'],
    },
    { providers: search, not_with: ['ad_group', 'ad', 'keyword', 'device_type'] },
  ),
  measured_impressions: count(
    'MEASURED_IMPS',
    'delivery',
    {
      en: ['Measured impressions', 'Impressions of which is known whether they could be seen.'],
      'zh-TW': ['可測量曝光次數', '可測量是否可視的曝光次數。'],
    },
    { providers: display },
  ),
  viewable_impressions: count(
    'VIEWABLE_IMPS / Viewable Impressions',
    'delivery',
    {
      en: ['Viewable impressions', 'Impressions of which enough was on screen for long enough.'],
      'zh-TW': ['可視曝光次數', '廣告有足夠面積與時間出現在畫面上的曝光次數。'],
    },
    { providers: displayAndDsp },
  ),
  viewable_clicks: count(
    'VIEWABLE_CLICKS',
    'delivery',
    {
      en: ['Viewable clicks', 'Clicks on viewable impressions.'],
      'zh-TW': ['可視點擊次數', '可視曝光所帶來的點擊次數。'],
    },
    { providers: display },
  ),
  viewability: derived(
    'VIEWABLE_IMPS_RATE',
    {
      group: 'delivery',
      unit: 'percent',
      formula: { numerator: 'viewable_impressions', denominator: 'measured_impressions' },
      providers: display,
    },
    {
      en: ['Viewability', 'Viewable impressions divided by measured impressions.'],
      'zh-TW': ['可視率', '可視曝光次數除以可測量曝光次數。'],
    },
  ),
  vctr: derived(
    'VIEWABLE_CLICK_RATE',
    {
      group: 'delivery',
      unit: 'percent',
      formula: { numerator: 'viewable_clicks', denominator: 'viewable_impressions' },
      providers: display,
    },
    {
      en: ['Viewable CTR', 'Viewable clicks divided by viewable impressions.'],
      'zh-TW': ['可視點閱率', '可視點擊次數除以可視曝光次數。'],
    },
  ),
}

const cost = {
  cost: money('COST / Advertiser Spending', 'cost', {
    en: ['Cost', 'What the ads have cost.'],
    'zh-TW': ['花費', '廣告的花費金額。'],
  }),
  cpc: derived(
    'AVG_CPC',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
    { en: ['CPC', 'Cost divided by clicks.'], 'zh-TW': ['單次點擊成本', '花費除以點擊次數。'] },
  ),
  cpm: derived(
    'AVG_CPM',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'impressions', times: 1000 } },
    {
      en: ['CPM', 'Cost of a thousand impressions.'],
      'zh-TW': ['每千次曝光成本', '每一千次曝光的平均花費。'],
    },
  ),
  vcpm: derived(
    'AVG_VCPM',
    {
      group: 'cost',
      unit: 'money',
      formula: { numerator: 'cost', denominator: 'viewable_impressions', times: 1000 },
      providers: displayAndDsp,
    },
    {
      en: ['Viewable CPM', 'Cost of a thousand viewable impressions.'],
      'zh-TW': ['每千次可視曝光成本', '每一千次可視曝光的平均花費。'],
    },
  ),
  cpa: derived(
    'COST_PER_CONV',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'conversions' } },
    { en: ['CPA', 'Cost divided by conversions.'], 'zh-TW': ['單次轉換成本', '花費除以轉換次數。'] },
  ),
  cpv: derived(
    'AVG_CPV',
    {
      group: 'cost',
      unit: 'money',
      formula: { numerator: 'cost', denominator: 'paid_video_views' },
      providers: display,
    },
    {
      en: ['CPV', 'Cost divided by paid video views.'],
      'zh-TW': ['單次影片觀看成本', '花費除以計費影片觀看次數。'],
    },
  ),
}

const audience = {
  reach: nonAdditive(
    'REACHES / Unique Viewers',
    {
      group: 'audience',
      unit: 'count',
      decimals: 0,
      providers: displayAndDsp,
      not_with: ['device_type'],
    },
    {
      en: [
        'Reach',
        'People who saw an ad at least once. Display ads know it for single days since the start of last month, for last week and for last month.',
      ],
      'zh-TW': [
        '觸及人數',
        '至少看過一次廣告的人數。多媒體廣告僅提供上個月 1 日起的每日資料，以及上週與上個月的資料。',
      ],
    },
  ),
  frequency: nonAdditive(
    'AVG_FREQUENCY / Average Frequency',
    {
      group: 'audience',
      unit: 'ratio',
      decimals: 2,
      providers: displayAndDsp,
      not_with: ['device_type'],
    },
    {
      en: ['Frequency', 'How often each person saw an ad on average; for the same days as reach.'],
      'zh-TW': ['頻率', '每人平均看到廣告的次數，提供期間同觸及人數。'],
    },
  ),
  viewable_reach: nonAdditive(
    'VIEWABLE_IMPRESSION_REACHES',
    {
      group: 'audience',
      unit: 'count',
      decimals: 0,
      providers: display,
      not_with: ['device_type'],
      not_beside: ['reach', 'frequency'],
    },
    {
      en: ['Viewable reach', 'People who had a viewable impression; for the same days as reach.'],
      'zh-TW': ['可視觸及人數', '至少有一次可視曝光的人數，提供期間同觸及人數。'],
    },
  ),
}

const conversion = {
  conversions: fractions('CONVERSIONS / Conversions', {
    en: ['Conversions', 'Conversions that count for the goals of the campaigns.'],
    'zh-TW': ['轉換次數', '計入廣告活動目標的轉換次數。'],
  }),
  conversion_value: money('CONV_VALUE / Conversion Value', 'conversion', {
    en: ['Conversion value', 'Value of the conversions.'],
    'zh-TW': ['轉換價值', '轉換帶來的總價值。'],
  }),
  cvr: derived(
    'CONV_RATE',
    { group: 'conversion', unit: 'percent', formula: { numerator: 'conversions', denominator: 'clicks' } },
    { en: ['CVR', 'Conversions divided by clicks.'], 'zh-TW': ['轉換率', '轉換次數除以點擊次數。'] },
  ),
  roas: derived(
    'CONV_VALUE_PER_COST',
    { group: 'conversion', unit: 'ratio', formula: { numerator: 'conversion_value', denominator: 'cost' } },
    { en: ['ROAS', 'Conversion value divided by cost.'], 'zh-TW': ['廣告投資報酬率', '轉換價值除以花費。'] },
  ),
  value_per_conversion: derived(
    'VALUE_PER_CONV',
    {
      group: 'conversion',
      unit: 'money',
      formula: { numerator: 'conversion_value', denominator: 'conversions' },
    },
    {
      en: ['Value per conversion', 'Conversion value divided by conversions.'],
      'zh-TW': ['單次轉換價值', '轉換價值除以轉換次數。'],
    },
  ),
  all_conversions: fractions(
    'ALL_CONV',
    {
      en: ['All conversions', 'Conversions of every kind, also those that count for no goal.'],
      'zh-TW': ['所有轉換次數', '所有類型的轉換次數，包含未計入目標者。'],
    },
    { providers: ly },
  ),
  all_conversion_value: money(
    'ALL_CONV_VALUE',
    'conversion',
    {
      en: ['All conversion value', 'Value of all conversions.'],
      'zh-TW': ['所有轉換價值', '所有轉換帶來的總價值。'],
    },
    { providers: ly },
  ),
  click_conversions: count(
    'CONVERSIONS_VIA_AD_CLICK / Click Through Conversions',
    'conversion',
    {
      en: ['Click-through conversions', 'Conversions of people who had clicked an ad.'],
      'zh-TW': ['點擊後轉換次數', '點擊廣告後發生的轉換次數。'],
    },
    { providers: displayAndDsp },
  ),
  click_conversion_value: money(
    'CONV_VALUE_VIA_AD_CLICK',
    'conversion',
    {
      en: ['Click-through conversion value', 'Value of the conversions of people who had clicked an ad.'],
      'zh-TW': ['點擊後轉換價值', '點擊廣告後發生的轉換總價值。'],
    },
    { providers: display },
  ),
  view_through_conversions: count(
    'CONV_VALUE_VIA_VIEW_THROUGH / View Through Conversions',
    'conversion',
    {
      en: ['View-through conversions', 'Conversions of people who saw an ad and did not click it.'],
      'zh-TW': ['瀏覽後轉換次數', '看過廣告但未點擊的使用者所產生的轉換次數。'],
    },
    { providers: displayAndDsp },
  ),
  cross_device_conversions: fractions(
    'CROSS_DEVICE_CONVERSIONS',
    {
      en: ['Cross-device conversions', 'Conversions on another device than the one with the ad.'],
      'zh-TW': ['跨裝置轉換次數', '在看到廣告以外的裝置上發生的轉換次數。'],
    },
    { providers: ly },
  ),
}

const video = {
  video_views: count(
    'VIDEO_VIEWS / Video Starts',
    'video',
    {
      en: ['Video views', 'How often videos began to play.'],
      'zh-TW': ['影片觀看次數', '影片開始播放的次數。'],
    },
    { providers: displayAndDsp },
  ),
  paid_video_views: count(
    'PAID_VIDEO_VIEWS',
    'video',
    {
      en: ['Paid video views', 'Video views that were charged for.'],
      'zh-TW': ['計費影片觀看次數', '產生費用的影片觀看次數。'],
    },
    { providers: display },
  ),
  video_3s: count(
    'VIDEO_VIEWS_TO_3_SEC',
    'video',
    {
      en: ['Video plays of 3 seconds', 'Videos played for at least 3 seconds.'],
      'zh-TW': ['影片播放 3 秒次數', '影片播放至少 3 秒的次數。'],
    },
    { providers: display },
  ),
  video_10s: count(
    'VIDEO_VIEWS_TO_10_SEC',
    'video',
    {
      en: ['Video plays of 10 seconds', 'Videos played for at least 10 seconds.'],
      'zh-TW': ['影片播放 10 秒次數', '影片播放至少 10 秒的次數。'],
    },
    { providers: display },
  ),
  video_p25: played('VIDEO_VIEWS_TO_25 / Video 25% Complete', '25%', displayAndDsp),
  video_p50: played('VIDEO_VIEWS_TO_50 / Video 50% Complete', '50%', displayAndDsp),
  video_p75: played('VIDEO_VIEWS_TO_75 / Video 75% Complete', '75%', displayAndDsp),
  video_p95: played('VIDEO_VIEWS_TO_95', '95%', display),
  video_p100: played('VIDEO_VIEWS_TO_100 / Video 100% Complete', '100%', displayAndDsp),
  video_avg_time: nonAdditive(
    'AVG_DURATION_VIDEO_VIEWED',
    { group: 'video', unit: 'seconds', decimals: 1, providers: display, not_with: ['device_type'] },
    {
      en: ['Average video play time', 'Average time for which a video played, in seconds.'],
      'zh-TW': ['影片平均播放時間', '影片的平均播放時間（秒）。'],
    },
  ),
  video_avg_share: nonAdditive(
    'AVG_PERCENT_VIDEO_VIEWED',
    { group: 'video', unit: 'percent', decimals: 2, providers: display, not_with: ['device_type'] },
    {
      en: ['Average share of video played', 'How much of its length a video played on average.'],
      'zh-TW': ['影片平均播放比例', '影片平均播放長度佔全長的比例。'],
    },
  ),
}

const quality = {
  impression_share: share('IMPRESSION_SHARE', ['ad', 'device_type'], ly, {
    en: ['Impression share', 'Impressions as a share of all that the ads could have had.'],
    'zh-TW': ['曝光比重', '實際曝光次數佔可獲得曝光次數的比例。'],
  }),
  lost_is_budget: share('BUDGET_LOST_IMPRESSION_SHARE', ['ad_group', 'ad', 'keyword', 'device_type'], ly, {
    en: ['Impression share lost to budget', 'Impressions missed since the budget was too small.'],
    'zh-TW': ['因預算損失的曝光比重', '因預算不足而未獲得的曝光比例。'],
  }),
  lost_is_rank: share(
    'QUALITY_LOST_IMPRESSION_SHARE / RANK_LOST_IMPRESSION_SHARE',
    ['ad', 'device_type'],
    ly,
    {
      en: ['Impression share lost to rank', 'Impressions missed since the ads ranked too low.'],
      'zh-TW': ['因排名損失的曝光比重', '因廣告排名過低而未獲得的曝光比例。'],
    },
  ),
  exact_match_is: share('EXACT_MATCH_IMPRESSION_SHARE', [], search, {
    en: ['Exact match impression share', 'Impression share in searches for exactly the keywords.'],
    'zh-TW': ['完全比對曝光比重', '搜尋字詞與關鍵字完全相符時的曝光比重。'],
  }),
  top_is: share('SEARCH_TOP_IMPRESSION_SHARE', [], search, {
    en: ['Top impression share', 'Share of the possible impressions above the results.'],
    'zh-TW': ['頂端曝光比重', '於搜尋結果上方實際曝光佔可獲得曝光的比例。'],
  }),
  absolute_top_is: share('SEARCH_ABSOLUTE_TOP_IMPRESSION_SHARE', [], search, {
    en: ['Absolute top impression share', 'Share of the possible impressions in the very first place.'],
    'zh-TW': ['絕對頂端曝光比重', '於第一個廣告位置實際曝光佔可獲得曝光的比例。'],
  }),
  top_is_lost_budget: share('SEARCH_BUDGET_LOST_TOP_IMPRESSION_SHARE', [], search, {
    en: ['Top share lost to budget', 'Impressions above the results missed since the budget was too small.'],
    'zh-TW': ['因預算損失的頂端曝光比重', '因預算不足而未於頂端曝光的比例。'],
  }),
  top_is_lost_rank: share('SEARCH_RANK_LOST_TOP_IMPRESSION_SHARE', [], search, {
    en: ['Top share lost to rank', 'Impressions above the results missed since the ads ranked too low.'],
    'zh-TW': ['因排名損失的頂端曝光比重', '因廣告排名過低而未於頂端曝光的比例。'],
  }),
  absolute_top_is_lost_budget: share('SEARCH_BUDGET_LOST_ABSOLUTE_TOP_IMPRESSION_SHARE', [], search, {
    en: [
      'Absolute top share lost to budget',
      'Impressions in the first place missed since the budget was too small.',
    ],
    'zh-TW': ['因預算損失的絕對頂端曝光比重', '因預算不足而未於第一個位置曝光的比例。'],
  }),
  absolute_top_is_lost_rank: share('SEARCH_RANK_LOST_ABSOLUTE_TOP_IMPRESSION_SHARE', [], search, {
    en: [
      'Absolute top share lost to rank',
      'Impressions in the first place missed since the ads ranked too low.',
    ],
    'zh-TW': ['因排名損失的絕對頂端曝光比重', '因廣告排名過低而未於第一個位置曝光的比例。'],
  }),
  top_rate: share('TOP_IMPRESSION_PERCENTAGE', [], search, {
    en: ['Top impression rate', 'Share of the impressions that were above the results.'],
    'zh-TW': ['頂端曝光率', '所有曝光中顯示於搜尋結果上方的比例。'],
  }),
  absolute_top_rate: share('ABSOLUTE_TOP_IMPRESSION_PERCENTAGE', [], search, {
    en: ['Absolute top impression rate', 'Share of the impressions that were in the very first place.'],
    'zh-TW': ['絕對頂端曝光率', '所有曝光中顯示於第一個廣告位置的比例。'],
  }),
  click_share: share('SEARCH_CLICK_SHARE', [], search, {
    en: ['Click share', 'Clicks as a share of all that the ads could have had.'],
    'zh-TW': ['點擊比重', '實際點擊次數佔可獲得點擊次數的比例。'],
  }),
  quality_index: ofKeyword('QUALITY_INDEX', 'count', {
    en: ['Quality index', 'Quality of the keyword today, 1 to 10.'],
    'zh-TW': ['品質指數', '關鍵字目前的品質，1 至 10。'],
  }),
  quality_index_then: nonAdditive(
    'HISTORICAL_QUALITY_SCORE',
    {
      group: 'quality',
      unit: 'count',
      decimals: 0,
      providers: search,
      only_with: ['keyword'],
      not_with: ['device_type'],
    },
    {
      en: ['Quality index then', 'Quality of the keyword at the end of each period, 1 to 10.'],
      'zh-TW': ['品質指數（歷史）', '關鍵字於各期間當時的品質，1 至 10。'],
    },
  ),
  bid: ofKeyword('BID', 'money', {
    en: ['Bid', 'Bid of the keyword today.'],
    'zh-TW': ['出價', '關鍵字目前的出價。'],
  }),
  ad_group_bid: ofKeyword('ADGROUP_BID', 'money', {
    en: ['Ad group bid', 'Bid of the ad group today.'],
    'zh-TW': ['廣告群組出價', '廣告群組目前的出價。'],
  }),
  first_page_bid: ofKeyword('FIRST_PAGE_BID_ESTIMATE', 'money', {
    en: ['First page bid', 'Estimated bid for the first page of results.'],
    'zh-TW': ['首頁出價預估', '顯示於搜尋結果第一頁所需的預估出價。'],
  }),
  top_of_page_bid: ofKeyword('TOP_OF_PAGE_BID_ESTIMATE', 'money', {
    en: ['Top of page bid', 'Estimated bid for a place above the results.'],
    'zh-TW': ['頂端出價預估', '顯示於搜尋結果上方所需的預估出價。'],
  }),
}

/** Every metric of Yahoo ads, group by group in the order in which the editor shows them. */
export const ygMetrics = { ...delivery, ...cost, ...audience, ...conversion, ...video, ...quality }

/** Search ads split a conversion among the clicks before it. */
function fractions(platformField: string, words: Words, limits: Limits = {}) {
  return { ...count(platformField, 'conversion', words, limits), decimals: 2 }
}

function played(platformField: string, part: string, providers: readonly Provider[]) {
  const words: Words = {
    en: [
      `Video plays to ${part}`,
      part === '100%' ? 'Videos played to the end.' : `Videos played to at least ${part} of their length.`,
    ],
    'zh-TW': [
      `影片播放 ${part} 次數`,
      part === '100%' ? '影片播放完畢的次數。' : `影片播放至長度 ${part} 以上的次數。`,
    ],
  }
  return count(platformField, 'video', words, { providers })
}

function share(
  platformField: string,
  not_with: readonly Dimension[],
  providers: readonly Provider[],
  words: Words,
) {
  const limits = { providers, ...(not_with.length > 0 && { not_with }) }
  return nonAdditive(platformField, { group: 'quality', unit: 'percent', decimals: 2, ...limits }, words)
}

/** A setting of the keyword as it is today, whatever the days of the row. */
function ofKeyword(platformField: string, unit: 'count' | 'money', { en, 'zh-TW': zh }: Words) {
  const words: Words = {
    en: [en[0], `${en[1]} Empty where keywords of one text have several.`],
    'zh-TW': [zh[0], `${zh[1]}相同文字的關鍵字數值不同時留空。`],
  }
  return nonAdditive(
    platformField,
    { group: 'quality', unit, decimals: 0, providers: search, only_with: ['keyword'] },
    words,
  )
}
