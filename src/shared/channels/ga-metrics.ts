import type { Dimension } from './catalogue.ts'
import { count, derived, money, nonAdditive } from './metric.ts'

// Names are those that Universal Analytics had in its own interface.

/**
 * Beside an event, Universal Analytics counts only sessions that began with it: numbers of no use to anybody.
 */
const not_with: readonly Dimension[] = ['event_category', 'event_action']

const sessions = count(
  'ga:sessions',
  'audience',
  {
    en: ['Sessions', 'Visits to the site.'],
    'zh-TW': ['工作階段', '造訪網站的次數。'],
  },
  { not_with },
)

const users = nonAdditive(
  'ga:users',
  { group: 'audience', unit: 'count', decimals: 0 },
  {
    en: ['Users', 'People who visited at least once. Not the sum of days or sources.'],
    'zh-TW': ['使用者', '至少造訪過一次的人數；不等於各日或各來源的加總。'],
  },
)

const new_users = count(
  'ga:newUsers',
  'audience',
  {
    en: ['New users', 'People who visited for the first time.'],
    'zh-TW': ['新使用者', '首次造訪的人數。'],
  },
  { not_with },
)

const pageviews = count(
  'ga:pageviews',
  'engagement',
  {
    en: ['Pageviews', 'Pages that were loaded, repeated ones included.'],
    'zh-TW': ['瀏覽量', '載入網頁的總次數，包含重複瀏覽。'],
  },
  { not_with },
)

const transactions = count(
  'ga:transactions',
  'conversion',
  {
    en: ['Transactions', 'Purchases on the site.'],
    'zh-TW': ['交易次數', '網站上的購買次數。'],
  },
  { not_with },
)

const revenue = money(
  'ga:transactionRevenue',
  'conversion',
  {
    en: ['Revenue', 'Value of the transactions, in the currency of the view.'],
    'zh-TW': ['收益', '交易的總金額，以資料檢視的幣別計算。'],
  },
  { not_with },
)

const goal_completions = count(
  'ga:goalCompletionsAll',
  'conversion',
  {
    en: ['Goal completions', 'Completions of all goals of the view together.'],
    'zh-TW': ['目標達成次數', '資料檢視中所有目標的達成總次數。'],
  },
  { not_with },
)

const events = {
  total_events: count('ga:totalEvents', 'engagement', {
    en: ['Total events', 'How often events happened.'],
    'zh-TW': ['事件總數', '事件發生的總次數。'],
  }),
  unique_events: nonAdditive(
    'ga:uniqueEvents',
    { group: 'engagement', unit: 'count', decimals: 0 },
    {
      en: ['Unique events', 'Events of one category, action and label, each counted once a session.'],
      'zh-TW': ['不重複事件', '類別、動作與標籤皆相同的事件，每個工作階段只計一次。'],
    },
  ),
  event_value: count('ga:eventValue', 'engagement', {
    en: ['Event value', 'Values that were sent along with the events, added up.'],
    'zh-TW': ['事件價值', '事件所附數值的總和。'],
  }),
  avg_event_value: derived(
    'ga:avgEventValue',
    {
      group: 'engagement',
      unit: 'ratio',
      formula: { numerator: 'event_value', denominator: 'total_events' },
    },
    {
      en: ['Average event value', 'Event value divided by total events.'],
      'zh-TW': ['平均事件價值', '事件價值除以事件總數。'],
    },
  ),
  sessions_with_event: nonAdditive(
    'ga:sessionsWithEvent',
    { group: 'engagement', unit: 'count', decimals: 0 },
    {
      en: ['Sessions with event', 'Visits in which such an event happened at least once.'],
      'zh-TW': ['有事件的工作階段', '至少發生一次該事件的工作階段數。'],
    },
  ),
  events_per_session: derived(
    'ga:eventsPerSessionWithEvent',
    {
      group: 'engagement',
      unit: 'ratio',
      formula: { numerator: 'total_events', denominator: 'sessions_with_event' },
    },
    {
      en: ['Events per session with event', 'Total events divided by sessions with event.'],
      'zh-TW': ['每次有事件工作階段的事件數', '事件總數除以有事件的工作階段數。'],
    },
  ),
}

const engagement = {
  pageviews,
  unique_pageviews: nonAdditive(
    'ga:uniquePageviews',
    { group: 'engagement', unit: 'count', decimals: 0 },
    {
      en: ['Unique pageviews', 'Pages that were loaded, each counted once a session.'],
      'zh-TW': ['不重複瀏覽量', '瀏覽過的網頁數，同一網頁在每個工作階段只計一次。'],
    },
  ),
  bounces: count('ga:bounces', 'engagement', {
    en: ['Bounces', 'Visits of a single page.'],
    'zh-TW': ['跳出次數', '只瀏覽單一網頁的工作階段數。'],
  }),
  bounce_rate: derived(
    'ga:bounceRate',
    { group: 'engagement', unit: 'percent', formula: { numerator: 'bounces', denominator: 'sessions' } },
    { en: ['Bounce rate', 'Bounces divided by sessions.'], 'zh-TW': ['跳出率', '跳出次數除以工作階段。'] },
  ),
  session_duration: {
    ...count('ga:sessionDuration', 'engagement', {
      en: ['Session duration', 'Length of all visits together, in seconds.'],
      'zh-TW': ['工作階段總時間', '所有工作階段的時間總和（秒）。'],
    }),
    unit: 'seconds',
  },
  avg_session_duration: derived(
    'ga:avgSessionDuration',
    {
      group: 'engagement',
      unit: 'seconds',
      formula: { numerator: 'session_duration', denominator: 'sessions' },
    },
    {
      en: ['Average session duration', 'Session duration divided by sessions, in seconds.'],
      'zh-TW': ['平均工作階段時間', '工作階段總時間除以工作階段（秒）。'],
    },
  ),
  entrances: count('ga:entrances', 'engagement', {
    en: ['Entrances', 'Visits that began on a page.'],
    'zh-TW': ['入站次數', '由網頁開始的工作階段數。'],
  }),
  exits: count('ga:exits', 'engagement', {
    en: ['Exits', 'Visits that ended on a page.'],
    'zh-TW': ['離站次數', '在網頁結束的工作階段數。'],
  }),
} as const

const commerce = {
  transactions,
  revenue,
  cvr: derived(
    'ga:transactionsPerSession',
    {
      group: 'conversion',
      unit: 'percent',
      formula: { numerator: 'transactions', denominator: 'sessions' },
    },
    {
      en: ['CVR', 'Transactions divided by sessions.'],
      'zh-TW': ['轉換率', '交易次數除以工作階段。'],
    },
  ),
  aov: derived(
    'ga:revenuePerTransaction',
    { group: 'conversion', unit: 'money', formula: { numerator: 'revenue', denominator: 'transactions' } },
    {
      en: ['Average order value', 'Revenue divided by transactions.'],
      'zh-TW': ['平均訂單價值', '收益除以交易次數。'],
    },
  ),
  shipping: money('ga:transactionShipping', 'conversion', {
    en: ['Shipping', 'Shipping costs of the transactions.'],
    'zh-TW': ['運費', '交易的運費總額。'],
  }),
  tax: money('ga:transactionTax', 'conversion', {
    en: ['Tax', 'Taxes on the transactions.'],
    'zh-TW': ['稅金', '交易的稅金總額。'],
  }),
  item_quantity: count('ga:itemQuantity', 'conversion', {
    en: ['Quantity', 'Items that were sold.'],
    'zh-TW': ['商品數量', '售出的商品件數。'],
  }),
  item_revenue: money('ga:itemRevenue', 'conversion', {
    en: ['Product revenue', 'Value of the items that were sold.'],
    'zh-TW': ['商品收益', '售出商品的總金額。'],
  }),
  goal_completions,
  goal_value: money('ga:goalValueAll', 'conversion', {
    en: ['Goal value', 'Value of the goal completions.'],
    'zh-TW': ['目標價值', '目標達成的總價值。'],
  }),
}

/** A view has up to twenty goals, known by their numbers only. */
const goals = {
  goal_1_completions: goal(1),
  goal_2_completions: goal(2),
  goal_3_completions: goal(3),
  goal_4_completions: goal(4),
  goal_5_completions: goal(5),
  goal_6_completions: goal(6),
  goal_7_completions: goal(7),
  goal_8_completions: goal(8),
  goal_9_completions: goal(9),
  goal_10_completions: goal(10),
  goal_11_completions: goal(11),
  goal_12_completions: goal(12),
  goal_13_completions: goal(13),
  goal_14_completions: goal(14),
  goal_15_completions: goal(15),
  goal_16_completions: goal(16),
  goal_17_completions: goal(17),
  goal_18_completions: goal(18),
  goal_19_completions: goal(19),
  goal_20_completions: goal(20),
}

/** Of the Google Ads accounts that are linked with the view. */
const ads = {
  impressions: count('ga:impressions', 'delivery', {
    en: ['Impressions', 'How often ads of the linked Google Ads accounts were shown.'],
    'zh-TW': ['曝光次數', '已連結 Google Ads 帳戶的廣告曝光次數。'],
  }),
  clicks: count('ga:adClicks', 'delivery', {
    en: ['Clicks', 'Clicks on ads of the linked Google Ads accounts.'],
    'zh-TW': ['點擊次數', '已連結 Google Ads 帳戶的廣告點擊次數。'],
  }),
  ctr: derived(
    'ga:CTR',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'clicks', denominator: 'impressions' } },
    { en: ['CTR', 'Clicks divided by impressions.'], 'zh-TW': ['點閱率', '點擊次數除以曝光次數。'] },
  ),
  cost: money('ga:adCost', 'cost', {
    en: ['Cost', 'What the ads of the linked Google Ads accounts have cost.'],
    'zh-TW': ['花費', '已連結 Google Ads 帳戶的廣告花費。'],
  }),
  cpc: derived(
    'ga:CPC',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
    { en: ['CPC', 'Cost divided by clicks.'], 'zh-TW': ['單次點擊成本', '花費除以點擊次數。'] },
  ),
  cpm: derived(
    'ga:CPM',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'impressions', times: 1000 } },
    {
      en: ['CPM', 'Cost of a thousand impressions.'],
      'zh-TW': ['每千次曝光成本', '每一千次曝光的平均花費。'],
    },
  ),
  cpa: derived(
    'ga:costPerTransaction',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'transactions' } },
    { en: ['CPA', 'Cost divided by transactions.'], 'zh-TW': ['單次轉換成本', '花費除以交易次數。'] },
  ),
  roas: derived(
    'ga:ROAS',
    { group: 'cost', unit: 'ratio', formula: { numerator: 'revenue', denominator: 'cost' } },
    {
      en: ['ROAS', 'Revenue divided by cost.'],
      'zh-TW': ['廣告投資報酬率', '收益除以花費。'],
    },
  ),
}

/** Every metric of Universal Analytics, in the order in which the editor shows them. */
export const gaMetrics = {
  sessions,
  users,
  new_users,
  ...engagement,
  ...events,
  ...commerce,
  ...goals,
  ...ads,
}

/** Metrics that can be combined with events, and those worth comparing where no event is a dimension. */
export const gaEventMetrics = {
  ...events,
  users,
  sessions,
  new_users,
  pageviews,
  transactions,
  revenue,
  goal_completions,
}

function goal(number: number) {
  return count(`ga:goal${number}Completions`, 'conversion', {
    en: [`Goal ${number} completions`, `Completions of the view's goal number ${number}.`],
    'zh-TW': [`目標 ${number} 達成次數`, `資料檢視中編號 ${number} 的目標達成次數。`],
  })
}
