import { count, derived, nonAdditive, type Words } from './metric.ts'

// Metrics of Google Ads about who watched, for how long, and what else could have been won.

/** People are counted over so many days at most, never by device, and only where Google knows them. */
function people(platformField: string, days: number, words: Words) {
  const limit = {
    en: ` Display, video, Demand Gen and app campaigns only; a row spans ${days} days at most.`,
    'zh-TW': `僅限多媒體、影片、需求開發與應用程式廣告活動；每列最多 ${days} 天。`,
  }
  return nonAdditive(
    platformField,
    { group: 'audience', unit: 'count', decimals: 0, not_with: ['device_type'] },
    {
      en: [words.en[0], words.en[1] + limit.en],
      'zh-TW': [words['zh-TW'][0], words['zh-TW'][1] + limit['zh-TW']],
    },
  )
}

const metTimes = (times: number, field: string) =>
  people(`metrics.${field}`, 31, {
    en: [`Reach ${times}+`, `People who saw the ads at least ${times} times.`],
    'zh-TW': [`觸及人數（${times} 次以上）`, `看過廣告至少 ${times} 次的人數。`],
  })

const audience = {
  reach: people('metrics.unique_users', 92, {
    en: ['Reach', 'People who saw the ads at least once. Not the sum of days or campaigns.'],
    'zh-TW': ['觸及人數', '至少看過一次廣告的人數；不等於各日或各廣告活動的加總。'],
  }),
  frequency: {
    ...people('metrics.average_impression_frequency_per_user', 92, {
      en: ['Frequency', 'How often each person saw the ads on average.'],
      'zh-TW': ['頻率', '平均每人看到廣告的次數。'],
    }),
    unit: 'ratio',
    decimals: 2,
  } as const,
  reach_2plus: metTimes(2, 'unique_users_two_plus'),
  reach_3plus: metTimes(3, 'unique_users_three_plus'),
  reach_4plus: metTimes(4, 'unique_users_four_plus'),
  reach_5plus: metTimes(5, 'unique_users_five_plus'),
  reach_10plus: metTimes(10, 'unique_users_ten_plus'),
}

const CALLS = { only_with: ['campaign'], not_with: ['ad'] } as const

const engagement = {
  interactions: count('metrics.interactions', 'engagement', {
    en: ['Interactions', 'What people mainly do with each kind of ad: clicks, video views and the like.'],
    'zh-TW': ['互動次數', '各類廣告的主要互動，例如點擊、影片觀看等。'],
  }),
  engagements: count('metrics.engagements', 'engagement', {
    en: ['Engagements', 'How often an ad was expanded or played with.'],
    'zh-TW': ['參與次數', '展開或操作廣告的次數。'],
  }),
  phone_calls: count(
    'metrics.phone_calls',
    'engagement',
    {
      en: ['Phone calls', 'Calls to the number in the ad.'],
      'zh-TW': ['來電次數', '撥打廣告中電話號碼的次數。'],
    },
    CALLS,
  ),
  phone_impressions: count(
    'metrics.phone_impressions',
    'engagement',
    {
      en: ['Phone impressions', 'How often the number was shown.'],
      'zh-TW': ['電話曝光次數', '廣告中電話號碼顯示的次數。'],
    },
    CALLS,
  ),
}

function quartile(percent: 25 | 50 | 75 | 100) {
  return {
    plays: count(`metrics.video_quartile_p${percent}_rate`, 'video', {
      en: [
        `Video plays to ${percent}%`,
        `Videos played to ${percent}% of their length: the platform's rate times impressions.`,
      ],
      'zh-TW': [`影片播放 ${percent}% 次數`, `影片播放至長度 ${percent}% 的次數（平台比率乘以曝光次數）。`],
    }),
    words: {
      en: [`Video played to ${percent}%`, `Video plays to ${percent}% divided by impressions.`],
      'zh-TW': [`影片播放 ${percent}% 比率`, `影片播放 ${percent}% 次數除以曝光次數。`],
    } satisfies Words,
  }
}
const [quarter, half, most, whole] = [quartile(25), quartile(50), quartile(75), quartile(100)]

function perImpression(platformField: string, numerator: string, words: Words) {
  const formula = { numerator, denominator: 'impressions' }
  return derived(platformField, { group: 'video', unit: 'percent', formula }, words)
}

const video = {
  video_views: count('metrics.video_trueview_views', 'video', {
    en: ['Video views', 'TrueView views: 30 seconds, the whole video, or an interaction.'],
    'zh-TW': ['影片觀看次數', 'TrueView 觀看次數：觀看 30 秒、看完影片或與影片互動。'],
  }),
  video_view_rate: perImpression('metrics.video_trueview_view_rate', 'video_views', {
    en: ['Video view rate', 'Video views divided by impressions.'],
    'zh-TW': ['影片觀看率', '影片觀看次數除以曝光次數。'],
  }),
  video_watch_time: {
    ...count('metrics.video_watch_time_duration_millis', 'video', {
      en: ['Video watch time', 'How long the videos were watched in all, in seconds.'],
      'zh-TW': ['影片觀看時間', '影片的總觀看時間（秒）。'],
    }),
    unit: 'seconds',
  } as const,
  video_p25: quarter.plays,
  video_p50: half.plays,
  video_p75: most.plays,
  video_p100: whole.plays,
  video_p25_rate: perImpression('metrics.video_quartile_p25_rate', 'video_p25', quarter.words),
  video_p50_rate: perImpression('metrics.video_quartile_p50_rate', 'video_p50', half.words),
  video_p75_rate: perImpression('metrics.video_quartile_p75_rate', 'video_p75', most.words),
  video_p100_rate: perImpression('metrics.video_quartile_p100_rate', 'video_p100', whole.words),
}

function share(platformField: string, words: Words, not_with: readonly ('ad_group' | 'ad')[] = []) {
  const facts = { group: 'quality', unit: 'percent', decimals: 2, not_with } as const
  return nonAdditive(platformField, facts, words)
}

const quality = {
  search_impression_share: share(
    'metrics.search_impression_share',
    {
      en: [
        'Search impression share',
        'Impressions on search divided by those that could have been had. 9.99% stands for less than 10%.',
      ],
      'zh-TW': ['搜尋廣告曝光比重', '搜尋曝光次數佔可獲得曝光的比例；9.99% 代表低於 10%。'],
    },
    ['ad'],
  ),
  search_lost_is_budget: share(
    'metrics.search_budget_lost_impression_share',
    {
      en: [
        'Search lost IS (budget)',
        'Share of search impressions lost because of the budget. 90.01% stands for more than 90%.',
      ],
      'zh-TW': ['搜尋廣告曝光比重損失（預算）', '因預算不足而損失的搜尋曝光比例；90.01% 代表高於 90%。'],
    },
    ['ad_group', 'ad'],
  ),
  search_lost_is_rank: share(
    'metrics.search_rank_lost_impression_share',
    {
      en: [
        'Search lost IS (rank)',
        'Share of search impressions lost because of ad rank. 90.01% stands for more than 90%.',
      ],
      'zh-TW': ['搜尋廣告曝光比重損失（排名）', '因廣告評級不佳而損失的搜尋曝光比例；90.01% 代表高於 90%。'],
    },
    ['ad'],
  ),
  search_top_is: share(
    'metrics.search_top_impression_share',
    {
      en: [
        'Search top impression share',
        'Share of the impressions above organic results that could have been had.',
      ],
      'zh-TW': ['搜尋廣告頂端曝光比重', '在自然搜尋結果上方獲得的曝光，佔可獲得曝光的比例。'],
    },
    ['ad'],
  ),
  search_abs_top_is: share(
    'metrics.search_absolute_top_impression_share',
    {
      en: [
        'Search absolute top impression share',
        'Share of the impressions in the very first place that could have been had.',
      ],
      'zh-TW': ['搜尋廣告絕對頂端曝光比重', '在最頂端第一個位置獲得的曝光，佔可獲得曝光的比例。'],
    },
    ['ad'],
  ),
  top_impr_pct: share('metrics.top_impression_percentage', {
    en: ['Top impression rate', 'Share of the search impressions that were above organic results.'],
    'zh-TW': ['頂端曝光率', '搜尋曝光中，出現在自然搜尋結果上方的比例。'],
  }),
  abs_top_impr_pct: share('metrics.absolute_top_impression_percentage', {
    en: [
      'Absolute top impression rate',
      'Share of the search impressions that were in the very first place.',
    ],
    'zh-TW': ['絕對頂端曝光率', '搜尋曝光中，出現在最頂端第一個位置的比例。'],
  }),
  content_impression_share: share(
    'metrics.content_impression_share',
    {
      en: [
        'Display impression share',
        'Impressions on the Display Network divided by those that could have been had.',
      ],
      'zh-TW': ['多媒體廣告曝光比重', '多媒體廣告聯播網的曝光次數佔可獲得曝光的比例。'],
    },
    ['ad'],
  ),
}

export const awAttentionMetrics = { ...audience, ...engagement, ...video, ...quality }
