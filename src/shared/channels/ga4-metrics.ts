import type { Dimension, MetricGroup } from './catalogue.ts'
import { count, derived, money, nonAdditive, type Words } from './metric.ts'

// Names are those of GA4's own interface where it has one. Metrics of a linked Google Ads account or Search
// Console can be combined with few dimensions; a session has many events, so that sessions by event would add
// up to more than there were.

const EVENTS = ['event_category', 'event_action'] as const satisfies readonly Dimension[]
const TRAFFIC = [
  'campaign',
  'keyword',
  'source',
  'medium',
  'source_medium',
  'ad_content',
] as const satisfies readonly Dimension[]

const notByEvent = { not_with: EVENTS }
const ofGoogleAds = { not_with: ['device_type', ...EVENTS] } as const
const ofSearchConsole = { not_with: [...TRAFFIC, ...EVENTS] } as const
/** Each day covers its own window of past days. */
const rolling = { only_with: ['date'], not_with: [...TRAFFIC, ...EVENTS] } as const

const delivery = {
  impressions: count(
    'advertiserAdImpressions',
    'delivery',
    {
      en: ['Impressions', 'How often ads of the linked Google Ads accounts were shown.'],
      'zh-TW': ['曝光次數', '已連結的 Google Ads 帳戶的廣告顯示次數。'],
    },
    ofGoogleAds,
  ),
  clicks: count(
    'advertiserAdClicks',
    'delivery',
    {
      en: ['Clicks', 'Clicks on ads of the linked Google Ads accounts.'],
      'zh-TW': ['點擊次數', '已連結的 Google Ads 帳戶的廣告點擊次數。'],
    },
    ofGoogleAds,
  ),
  ctr: derived(
    'advertiserAdClicks / advertiserAdImpressions',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'clicks', denominator: 'impressions' } },
    { en: ['CTR', 'Clicks divided by impressions.'], 'zh-TW': ['點閱率', '點擊次數除以曝光次數。'] },
  ),
  organic_impressions: count(
    'organicGoogleSearchImpressions',
    'delivery',
    {
      en: [
        'Organic search impressions',
        'How often Google Search showed the site, by the linked Search Console.',
      ],
      'zh-TW': ['自然搜尋曝光次數', '網站出現在 Google 搜尋結果的次數，來自已連結的 Search Console。'],
    },
    ofSearchConsole,
  ),
  organic_clicks: count(
    'organicGoogleSearchClicks',
    'delivery',
    {
      en: ['Organic search clicks', 'Clicks from Google Search to the site, by the linked Search Console.'],
      'zh-TW': ['自然搜尋點擊次數', '從 Google 搜尋結果點擊進入網站的次數，來自已連結的 Search Console。'],
    },
    ofSearchConsole,
  ),
  organic_ctr: derived(
    'organicGoogleSearchClickThroughRate',
    {
      group: 'delivery',
      unit: 'percent',
      formula: { numerator: 'organic_clicks', denominator: 'organic_impressions' },
    },
    {
      en: ['Organic search CTR', 'Organic search clicks divided by organic search impressions.'],
      'zh-TW': ['自然搜尋點閱率', '自然搜尋點擊次數除以自然搜尋曝光次數。'],
    },
  ),
}

const cost = {
  cost: money(
    'advertiserAdCost',
    'cost',
    {
      en: ['Cost', 'What ads of the linked Google Ads accounts have cost, and imported cost.'],
      'zh-TW': ['花費', '已連結的 Google Ads 帳戶的廣告花費，以及匯入的費用資料。'],
    },
    ofGoogleAds,
  ),
  cpc: derived(
    'advertiserAdCostPerClick',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
    { en: ['CPC', 'Cost divided by clicks.'], 'zh-TW': ['單次點擊成本', '花費除以點擊次數。'] },
  ),
  cpm: derived(
    'advertiserAdCost / advertiserAdImpressions * 1000',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'impressions', times: 1000 } },
    {
      en: ['CPM', 'Cost of a thousand impressions.'],
      'zh-TW': ['每千次曝光成本', '每一千次曝光的平均花費。'],
    },
  ),
  cpa: derived(
    'advertiserAdCostPerKeyEvent',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'conversions' } },
    {
      en: ['CPA', 'Cost divided by conversions.'],
      'zh-TW': ['單次轉換成本', '花費除以轉換次數。'],
    },
  ),
}

const audience = {
  sessions: count(
    'sessions',
    'audience',
    {
      en: ['Sessions', 'Visits. One that goes on past midnight counts on both days.'],
      'zh-TW': ['工作階段', '造訪次數；跨越午夜的工作階段會同時計入兩天。'],
    },
    { ...notByEvent, spans_days: true },
  ),
  users: people('totalUsers', {
    en: ['Total users', 'People who visited at least once. Not the sum of days or sources.'],
    'zh-TW': ['使用者總數', '至少造訪過一次的人數；不等於各日或各來源的加總。'],
  }),
  active_users: people('activeUsers', {
    en: ['Active users', 'People with an engaged session or a first visit: what GA4 shows as "Users".'],
    'zh-TW': ['活躍使用者', '有互動工作階段或首次造訪的人數，即 GA4 介面中的「使用者」。'],
  }),
  new_users: count('newUsers', 'audience', {
    en: ['New users', 'People who visited for the first time.'],
    'zh-TW': ['新使用者', '首次造訪的人數。'],
  }),
  returning_users: people('returningUsers', {
    en: ['Returning users', 'People who had visited before.'],
    'zh-TW': ['回訪使用者', '先前曾經造訪過的人數。'],
  }),
  scrolled_users: people('scrolledUsers', {
    en: ['Scrolled users', 'People who scrolled down at least 90% of a page.'],
    'zh-TW': ['捲動頁面的使用者', '捲動至頁面 90% 以上的人數。'],
  }),
  dau: nonAdditive(
    'active1DayUsers',
    { group: 'audience', unit: 'count', decimals: 0, ...rolling },
    {
      en: ['1-day active users', 'People active on the day.'],
      'zh-TW': ['1 天活躍使用者', '當天的活躍使用者人數。'],
    },
  ),
  wau: nonAdditive(
    'active7DayUsers',
    { group: 'audience', unit: 'count', decimals: 0, ...rolling },
    {
      en: ['7-day active users', 'People active in the 7 days that end with the day.'],
      'zh-TW': ['7 天活躍使用者', '截至當天為止 7 天內的活躍使用者人數。'],
    },
  ),
  mau: nonAdditive(
    'active28DayUsers',
    { group: 'audience', unit: 'count', decimals: 0, ...rolling },
    {
      en: ['28-day active users', 'People active in the 28 days that end with the day.'],
      'zh-TW': ['28 天活躍使用者', '截至當天為止 28 天內的活躍使用者人數。'],
    },
  ),
  sessions_per_user: nonAdditive(
    'sessionsPerUser',
    { group: 'audience', unit: 'ratio', decimals: 2, ...notByEvent },
    {
      en: ['Sessions per user', 'Sessions divided by active users.'],
      'zh-TW': ['每位使用者的工作階段數', '工作階段除以活躍使用者。'],
    },
  ),
}

const conversion = {
  conversions: fractional('keyEvents', 'conversion', {
    en: ['Conversions', 'Key events, which GA4 called conversions until 2024. Attribution may split one.'],
    'zh-TW': ['轉換次數', '重要事件數（GA4 於 2024 年前稱為轉換）；歸因可能使數值帶有小數。'],
  }),
  conversion_value: money('purchaseRevenue', 'conversion', {
    en: ['Conversion value', 'Revenue of purchases, less refunds.'],
    'zh-TW': ['轉換價值', '購買收益扣除退款後的金額。'],
  }),
  cvr: derived(
    'keyEvents / sessions',
    { group: 'conversion', unit: 'percent', formula: { numerator: 'conversions', denominator: 'sessions' } },
    {
      en: ['CVR', 'Conversions divided by sessions. A session with two conversions counts twice.'],
      'zh-TW': ['轉換率', '轉換次數除以工作階段；同一工作階段的多次轉換會重複計算。'],
    },
  ),
  session_key_event_rate: nonAdditive(
    'sessionKeyEventRate',
    { group: 'conversion', unit: 'percent', decimals: 2, ...notByEvent },
    {
      en: ['Session key event rate', 'Share of sessions with at least one key event.'],
      'zh-TW': ['工作階段重要事件率', '至少發生一次重要事件的工作階段所佔比例。'],
    },
  ),
  roas: derived(
    'returnOnAdSpend',
    { group: 'conversion', unit: 'ratio', formula: { numerator: 'conversion_value', denominator: 'cost' } },
    {
      en: [
        'ROAS',
        'Conversion value divided by cost. Split by campaign or source: cost is that of ads alone.',
      ],
      'zh-TW': ['廣告投資報酬率', '轉換價值除以花費；花費僅含廣告，建議搭配廣告活動或來源檢視。'],
    },
  ),
  transactions: count('transactions', 'conversion', {
    en: ['Transactions', 'Purchases and other transactions with revenue.'],
    'zh-TW': ['交易次數', '帶來收益的購買等交易次數。'],
  }),
  purchases: count('ecommercePurchases', 'conversion', {
    en: ['Ecommerce purchases', 'Purchases in the shop.'],
    'zh-TW': ['電子商務購買次數', '完成購買的次數。'],
  }),
  revenue: money('purchaseRevenue', 'conversion', {
    en: ['Purchase revenue', 'Revenue of purchases, less refunds.'],
    'zh-TW': ['購買收益', '購買收益扣除退款後的金額。'],
  }),
  gross_revenue: money('grossPurchaseRevenue', 'conversion', {
    en: ['Gross purchase revenue', 'Revenue of purchases, refunds not deducted.'],
    'zh-TW': ['購買收益毛額', '未扣除退款的購買收益。'],
  }),
  total_revenue: money('totalRevenue', 'conversion', {
    en: ['Total revenue', 'Revenue of purchases, subscriptions and ads on the site, less refunds.'],
    'zh-TW': ['總收益', '購買、訂閱與網站廣告的收益扣除退款後的金額。'],
  }),
  refund_amount: money('refundAmount', 'conversion', {
    en: ['Refunds', 'Money given back for purchases.'],
    'zh-TW': ['退款金額', '購買後退還的金額。'],
  }),
  shipping: money('shippingAmount', 'conversion', {
    en: ['Shipping', 'Shipping cost of purchases.'],
    'zh-TW': ['運費', '購買的運費。'],
  }),
  tax: money('taxAmount', 'conversion', {
    en: ['Tax', 'Tax of purchases.'],
    'zh-TW': ['稅額', '購買的稅額。'],
  }),
  aov: derived(
    'averagePurchaseRevenue',
    { group: 'conversion', unit: 'money', formula: { numerator: 'revenue', denominator: 'transactions' } },
    {
      en: ['Average order value', 'Purchase revenue divided by transactions.'],
      'zh-TW': ['平均訂單價值', '購買收益除以交易次數。'],
    },
  ),
  arpu: nonAdditive(
    'averageRevenuePerUser',
    { group: 'conversion', unit: 'money', decimals: 2 },
    {
      en: ['Revenue per user', 'Total revenue divided by active users.'],
      'zh-TW': ['每位使用者平均收益', '總收益除以活躍使用者。'],
    },
  ),
  purchasers: people(
    'totalPurchasers',
    {
      en: ['Purchasers', 'People who bought at least once.'],
      'zh-TW': ['購買者總數', '至少購買過一次的人數。'],
    },
    'conversion',
  ),
  first_time_purchasers: people(
    'firstTimePurchasers',
    {
      en: ['First-time purchasers', 'People who bought for the first time.'],
      'zh-TW': ['首次購買者', '第一次購買的人數。'],
    },
    'conversion',
  ),
  add_to_carts: count('addToCarts', 'conversion', {
    en: ['Adds to cart', 'How often something was put into the cart.'],
    'zh-TW': ['加入購物車次數', '將商品加入購物車的次數。'],
  }),
  checkouts: count('checkouts', 'conversion', {
    en: ['Checkouts', 'How often a checkout was begun.'],
    'zh-TW': ['開始結帳次數', '開始結帳的次數。'],
  }),
  items_viewed: count('itemsViewed', 'conversion', {
    en: ['Items viewed', 'Units of items looked at.'],
    'zh-TW': ['已瀏覽商品數', '瀏覽的商品件數。'],
  }),
  items_added: count('itemsAddedToCart', 'conversion', {
    en: ['Items added to cart', 'Units of items put into the cart.'],
    'zh-TW': ['已加入購物車商品數', '加入購物車的商品件數。'],
  }),
  items_checked_out: count('itemsCheckedOut', 'conversion', {
    en: ['Items checked out', 'Units of items in begun checkouts.'],
    'zh-TW': ['結帳商品數', '開始結帳的商品件數。'],
  }),
  items_purchased: count('itemsPurchased', 'conversion', {
    en: ['Items purchased', 'Units of items bought.'],
    'zh-TW': ['已購買商品數', '購買的商品件數。'],
  }),
  item_revenue: money('itemRevenue', 'conversion', {
    en: ['Item revenue', 'Revenue of items, without shipping and tax.'],
    'zh-TW': ['商品收益', '商品帶來的收益，不含運費與稅額。'],
  }),
}

const engagement = {
  total_events: count('eventCount', 'engagement', {
    en: ['Total events', 'How many events there were.'],
    'zh-TW': ['事件總數', '發生的事件次數。'],
  }),
  unique_events: nonAdditive(
    'totalUsers',
    { group: 'engagement', unit: 'count', decimals: 0, only_with: ['event_action'] },
    {
      en: [
        'Users with event',
        'People with whom the event happened. GA4 has no unique events; this is what comes nearest.',
      ],
      'zh-TW': ['觸發事件的使用者', '觸發該事件的人數。GA4 沒有不重複事件，此為最接近的指標。'],
    },
  ),
  event_value: fractional('eventValue', 'engagement', {
    en: ['Event value', 'Sum of the values that events carry.'],
    'zh-TW': ['事件價值', '事件所帶價值參數的總和。'],
  }),
  event_count_per_user: nonAdditive(
    'eventCountPerUser',
    { group: 'engagement', unit: 'ratio', decimals: 2 },
    {
      en: ['Events per user', 'Events divided by active users.'],
      'zh-TW': ['每位使用者的事件數', '事件總數除以活躍使用者。'],
    },
  ),
  engaged_sessions: count(
    'engagedSessions',
    'engagement',
    {
      en: ['Engaged sessions', 'Sessions of more than 10 seconds, with a key event or with two pages.'],
      'zh-TW': ['互動工作階段', '持續超過 10 秒、發生重要事件或瀏覽兩頁以上的工作階段。'],
    },
    { ...notByEvent, spans_days: true },
  ),
  engagement_rate: derived(
    'engagementRate',
    {
      group: 'engagement',
      unit: 'percent',
      formula: { numerator: 'engaged_sessions', denominator: 'sessions' },
    },
    {
      en: ['Engagement rate', 'Engaged sessions divided by sessions.'],
      'zh-TW': ['參與度', '互動工作階段除以工作階段。'],
    },
  ),
  bounces: count(
    'sessions - engagedSessions',
    'engagement',
    {
      en: ['Bounces', 'Sessions that are not engaged ones.'],
      'zh-TW': ['跳出次數', '未達互動條件的工作階段。'],
    },
    { ...notByEvent, spans_days: true },
  ),
  bounce_rate: derived(
    'bounceRate',
    { group: 'engagement', unit: 'percent', formula: { numerator: 'bounces', denominator: 'sessions' } },
    {
      en: [
        'Bounce rate',
        'Share of sessions that are not engaged. Not the bounce rate of Universal Analytics.',
      ],
      'zh-TW': ['跳出率', '非互動工作階段所佔比例，定義與 Universal Analytics 的跳出率不同。'],
    },
  ),
  avg_session_duration: nonAdditive(
    'averageSessionDuration',
    { group: 'engagement', unit: 'seconds', decimals: 2, ...notByEvent },
    {
      en: ['Average session duration', 'Average length of a session, in seconds.'],
      'zh-TW': ['平均工作階段時間', '工作階段的平均時間（秒）。'],
    },
  ),
  engagement_time: {
    ...count('userEngagementDuration', 'engagement', {
      en: ['Engagement time', 'Time for which the site or app was in the foreground, in seconds.'],
      'zh-TW': ['參與時間', '網站或應用程式位於前景的時間（秒）。'],
    }),
    unit: 'seconds' as const,
  },
  pageviews: count('screenPageViews', 'engagement', {
    en: ['Views', 'Pages and app screens that were shown.'],
    'zh-TW': ['瀏覽次數', '網頁與應用程式畫面的瀏覽次數。'],
  }),
  views_per_session: derived(
    'screenPageViewsPerSession',
    { group: 'engagement', unit: 'ratio', formula: { numerator: 'pageviews', denominator: 'sessions' } },
    {
      en: ['Views per session', 'Views divided by sessions.'],
      'zh-TW': ['每個工作階段的瀏覽次數', '瀏覽次數除以工作階段。'],
    },
  ),
}

/** Every metric of GA4, group by group in the order in which the editor shows them. */
export const ga4Metrics = { ...audience, ...conversion, ...engagement, ...cost, ...delivery }

/** Counted in people by a sketch (HyperLogLog): each combination of dimensions has its own. */
function people(platformField: string, words: Words, group: MetricGroup = 'audience') {
  return nonAdditive(platformField, { group, unit: 'count', decimals: 0 }, words)
}

/** A count that may have a fraction. */
function fractional(platformField: string, group: MetricGroup, words: Words) {
  return { ...count(platformField, group, words), decimals: 2 }
}
