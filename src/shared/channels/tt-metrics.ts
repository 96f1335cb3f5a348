import { count, derived, money, nonAdditive, type Limits } from './metric.ts'

// Names as in TikTok Ads Manager where it has them. Fields of the app group without `total_` count people,
// and total_complete_payment_rate is an amount, whatever its name says.

/** Audience reports, the only ones that know devices, know neither people nor websites, apps and shops. */
const withoutDevices = { not_with: ['device_type'] } as const satisfies Limits

const delivery = {
  impressions: count('impressions', 'delivery', {
    en: ['Impressions', 'How often the ads were shown.'],
    'zh-TW': ['曝光次數', '廣告顯示的次數。'],
  }),
  clicks: count('clicks', 'delivery', {
    en: ['Clicks', 'Clicks that led to the destination of the ad.'],
    'zh-TW': ['點擊次數', '前往廣告目標網址的點擊次數。'],
  }),
  ctr: derived(
    'ctr',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'clicks', denominator: 'impressions' } },
    { en: ['CTR', 'Clicks divided by impressions.'], 'zh-TW': ['點閱率', '點擊次數除以曝光次數。'] },
  ),
  clicks_all: count(
    'engagements',
    'delivery',
    {
      en: ['Clicks (all)', 'All clicks on the ads: also likes, comments, shares, follows and profiles.'],
      'zh-TW': ['點擊次數（全部）', '廣告上的所有點擊，包含按讚、留言、分享、追蹤與個人頁面。'],
    },
    withoutDevices,
  ),
  landing_page_views: count('total_landing_page_view', 'delivery', {
    en: ['Landing page views', 'How often the page behind the ad was loaded.'],
    'zh-TW': ['到達網頁瀏覽次數', '成功載入廣告到達網頁的次數。'],
  }),
}

const cost = {
  cost: money('spend', 'cost', {
    en: ['Cost', 'What the ads have cost.'],
    'zh-TW': ['花費', '廣告的花費金額。'],
  }),
  net_cost: money(
    'billed_cost',
    'cost',
    {
      en: ['Net cost', 'Cost without vouchers and credits. Known since September 2023, up to 11 hours late.'],
      'zh-TW': ['淨花費', '扣除優惠券與抵用金後的花費；2023 年 9 月起提供，最多延遲 11 小時。'],
    },
    withoutDevices,
  ),
  cpc: derived(
    'cpc',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
    { en: ['CPC', 'Cost divided by clicks.'], 'zh-TW': ['單次點擊成本', '花費除以點擊次數。'] },
  ),
  cpm: derived(
    'cpm',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'impressions', times: 1000 } },
    {
      en: ['CPM', 'Cost of a thousand impressions.'],
      'zh-TW': ['每千次曝光成本', '每一千次曝光的平均花費。'],
    },
  ),
  cpa: derived(
    'cost_per_conversion',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'conversions' } },
    { en: ['CPA', 'Cost divided by conversions.'], 'zh-TW': ['單次轉換成本', '花費除以轉換次數。'] },
  ),
  cost_per_result: derived(
    'cost_per_result',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'results' } },
    { en: ['Cost per result', 'Cost divided by results.'], 'zh-TW': ['單次成果成本', '花費除以成果。'] },
  ),
  cost_per_1000_reached: nonAdditive(
    'cost_per_1000_reached',
    { group: 'cost', unit: 'money', decimals: 2, ...withoutDevices },
    {
      en: ['Cost per 1,000 people reached', 'Cost of reaching a thousand people.'],
      'zh-TW': ['每千人觸及成本', '每觸及一千人的平均花費。'],
    },
  ),
}

const audience = {
  reach: nonAdditive(
    'reach',
    { group: 'audience', unit: 'count', decimals: 0, ...withoutDevices },
    {
      en: [
        'Reach',
        'People who saw the ads at least once, up to 16 hours late. Not the sum of days or campaigns.',
      ],
      'zh-TW': ['觸及人數', '至少看過一次廣告的人數，最多延遲 16 小時；不等於各日或各廣告活動的加總。'],
    },
  ),
  frequency: nonAdditive(
    'frequency',
    { group: 'audience', unit: 'ratio', decimals: 2, ...withoutDevices },
    {
      en: ['Frequency', 'How often each person saw the ads on average.'],
      'zh-TW': ['頻率', '平均每人看到廣告的次數。'],
    },
  ),
}

const conversion = {
  conversions: count('conversion', 'conversion', {
    en: [
      'Conversions',
      'What the ad groups are optimized for, on the day of the ad. Recent days grow within the attribution window.',
    ],
    'zh-TW': ['轉換次數', '廣告群組最佳化目標的轉換，計入廣告互動當日；近期數字會在歸因期間內增加。'],
  }),
  conversion_value: money(
    'total_complete_payment_rate + total_purchase_value + total_onsite_shopping_value',
    'conversion',
    {
      en: ['Conversion value', 'Value of the purchases on the website, in the app and in the shop.'],
      'zh-TW': ['轉換價值', '網站、應用程式與商店購買的總價值。'],
    },
    withoutDevices,
  ),
  cvr: derived(
    'conversion / clicks',
    { group: 'conversion', unit: 'percent', formula: { numerator: 'conversions', denominator: 'clicks' } },
    { en: ['CVR', 'Conversions divided by clicks.'], 'zh-TW': ['轉換率', '轉換次數除以點擊次數。'] },
  ),
  roas: derived(
    'conversion value / spend',
    { group: 'conversion', unit: 'ratio', formula: { numerator: 'conversion_value', denominator: 'cost' } },
    { en: ['ROAS', 'Conversion value divided by cost.'], 'zh-TW': ['廣告投資報酬率', '轉換價值除以花費。'] },
  ),
  real_time_conversions: count('real_time_conversion', 'conversion', {
    en: ['Conversions by conversion time', 'Conversions on the day on which they happened.'],
    'zh-TW': ['轉換次數（依轉換時間）', '計入轉換發生當日的轉換次數。'],
  }),
  cta_conversions: count(
    'cta_conversion',
    'conversion',
    {
      en: ['Click-through conversions', 'Conversions of people who had clicked the ad.'],
      'zh-TW': ['點擊後轉換次數', '點擊廣告後發生的轉換次數。'],
    },
    withoutDevices,
  ),
  vta_conversions: count(
    'vta_conversion',
    'conversion',
    {
      en: ['View-through conversions', 'Conversions of people who had seen the ad without clicking it.'],
      'zh-TW': ['瀏覽後轉換次數', '看過廣告但未點擊而發生的轉換次數。'],
    },
    withoutDevices,
  ),
  results: nonAdditive(
    'result',
    { group: 'conversion', unit: 'count', decimals: 0 },
    {
      en: ['Results', 'What the campaigns aim at, as Ads Manager counts it; people where they aim at reach.'],
      'zh-TW': ['成果', '依廣告活動目標計算的成果，同廣告管理員；以觸及為目標時計算人數。'],
    },
  ),
  secondary_goal_results: count(
    'secondary_goal_result',
    'conversion',
    {
      en: ['Secondary goal results', 'What the campaigns aim at beside their goal.'],
      'zh-TW': ['次要目標成果', '廣告活動次要目標的成果。'],
    },
    withoutDevices,
  ),
  leads: count(
    'onsite_form',
    'conversion',
    {
      en: ['Leads (TikTok form)', 'Forms sent within TikTok.'],
      'zh-TW': ['潛在顧客數（TikTok 表單）', '在 TikTok 內提交的表單數。'],
    },
    withoutDevices,
  ),
}

const website = {
  page_views: count(
    'total_pageview',
    'conversion',
    {
      en: ['Page views (website)', 'Pages of the website that were looked at.'],
      'zh-TW': ['網頁瀏覽次數（網站）', '網站頁面的瀏覽次數。'],
    },
    withoutDevices,
  ),
  view_content: count(
    'page_content_view_events',
    'conversion',
    {
      en: ['Content views (website)', 'How often a product or content page was looked at.'],
      'zh-TW': ['內容瀏覽次數（網站）', '瀏覽商品或內容頁面的次數。'],
    },
    withoutDevices,
  ),
  add_to_cart: count(
    'web_event_add_to_cart',
    'conversion',
    {
      en: ['Adds to cart (website)', 'How often something was put into the cart.'],
      'zh-TW': ['加入購物車次數（網站）', '商品加入購物車的次數。'],
    },
    withoutDevices,
  ),
  add_to_cart_value: money(
    'total_web_event_add_to_cart_value',
    'conversion',
    {
      en: ['Value of adds to cart (website)', 'Value of what was put into the cart.'],
      'zh-TW': ['加入購物車價值（網站）', '加入購物車商品的總價值。'],
    },
    withoutDevices,
  ),
  initiate_checkout: count(
    'initiate_checkout',
    'conversion',
    {
      en: ['Checkouts initiated (website)', 'How often a checkout was begun.'],
      'zh-TW': ['開始結帳次數（網站）', '開始結帳的次數。'],
    },
    withoutDevices,
  ),
  place_order: count(
    'on_web_order',
    'conversion',
    {
      en: ['Orders placed (website)', 'How often an order was placed.'],
      'zh-TW': ['下單次數（網站）', '在網站上下單的次數。'],
    },
    withoutDevices,
  ),
  place_order_value: money(
    'total_on_web_order_value',
    'conversion',
    {
      en: ['Value of orders (website)', 'Value of the orders placed.'],
      'zh-TW': ['下單價值（網站）', '網站訂單的總價值。'],
    },
    withoutDevices,
  ),
  complete_payment: count(
    'complete_payment',
    'conversion',
    {
      en: ['Purchases (website)', 'Payments completed on the website.'],
      'zh-TW': ['購買次數（網站）', '在網站上完成付款的次數。'],
    },
    withoutDevices,
  ),
  complete_payment_value: money(
    'total_complete_payment_rate',
    'conversion',
    {
      en: ['Purchase value (website)', 'Value of the payments completed on the website.'],
      'zh-TW': ['購買價值（網站）', '網站完成付款的總價值。'],
    },
    withoutDevices,
  ),
  complete_payment_roas: derived(
    'complete_payment_roas',
    {
      group: 'conversion',
      unit: 'ratio',
      formula: { numerator: 'complete_payment_value', denominator: 'cost' },
    },
    {
      en: ['ROAS of purchases (website)', 'Purchase value of the website divided by cost.'],
      'zh-TW': ['購買廣告投資報酬率（網站）', '網站購買價值除以花費。'],
    },
  ),
  registrations: count(
    'user_registration',
    'conversion',
    {
      en: ['Registrations (website)', 'How often a registration was completed.'],
      'zh-TW': ['註冊次數（網站）', '在網站上完成註冊的次數。'],
    },
    withoutDevices,
  ),
  form_submissions: count(
    'form',
    'conversion',
    {
      en: ['Form submissions (website)', 'Forms sent on the website.'],
      'zh-TW': ['表單提交次數（網站）', '在網站上提交表單的次數。'],
    },
    withoutDevices,
  ),
  contacts: count(
    'online_consult',
    'conversion',
    {
      en: ['Contacts (website)', 'How often somebody got in touch on the website.'],
      'zh-TW': ['聯絡次數（網站）', '透過網站聯絡商家的次數。'],
    },
    withoutDevices,
  ),
  button_clicks: count(
    'button_click',
    'conversion',
    {
      en: ['Button clicks (website)', 'Clicks on buttons that are counted on the website.'],
      'zh-TW': ['按鈕點擊次數（網站）', '網站上按鈕的點擊次數。'],
    },
    withoutDevices,
  ),
  subscribe: count(
    'on_web_subscribe',
    'conversion',
    {
      en: ['Subscriptions (website)', 'How often somebody subscribed on the website.'],
      'zh-TW': ['訂閱次數（網站）', '在網站上訂閱的次數。'],
    },
    withoutDevices,
  ),
}

const appAndShop = {
  app_installs: count(
    'app_install',
    'conversion',
    {
      en: ['App installs', 'How often the app was installed, on the day of the ad.'],
      'zh-TW': ['應用程式安裝次數', '應用程式的安裝次數，計入廣告互動當日。'],
    },
    withoutDevices,
  ),
  real_time_app_installs: count(
    'real_time_app_install',
    'conversion',
    {
      en: ['App installs by conversion time', 'App installs on the day on which they happened.'],
      'zh-TW': ['應用程式安裝次數（依轉換時間）', '計入安裝當日的應用程式安裝次數。'],
    },
    withoutDevices,
  ),
  app_registrations: count(
    'total_registration',
    'conversion',
    {
      en: ['App registrations', 'How often a registration was completed in the app.'],
      'zh-TW': ['應用程式註冊次數', '在應用程式內完成註冊的次數。'],
    },
    withoutDevices,
  ),
  unique_app_registrations: nonAdditive(
    'registration',
    { group: 'conversion', unit: 'count', decimals: 0, ...withoutDevices },
    {
      en: ['People registered in the app', 'People who completed a registration in the app.'],
      'zh-TW': ['應用程式註冊人數', '在應用程式內完成註冊的人數。'],
    },
  ),
  app_purchases: count(
    'total_purchase',
    'conversion',
    {
      en: ['App purchases', 'Purchases in the app.'],
      'zh-TW': ['應用程式購買次數', '在應用程式內的購買次數。'],
    },
    withoutDevices,
  ),
  app_purchase_value: money(
    'total_purchase_value',
    'conversion',
    {
      en: ['App purchase value', 'Value of the purchases in the app.'],
      'zh-TW': ['應用程式購買價值', '應用程式內購買的總價值。'],
    },
    withoutDevices,
  ),
  shop_purchases: count(
    'onsite_shopping',
    'conversion',
    {
      en: ['Purchases (TikTok Shop)', 'Purchases in the shop within TikTok.'],
      'zh-TW': ['購買次數（TikTok Shop）', '在 TikTok Shop 內的購買次數。'],
    },
    withoutDevices,
  ),
  shop_revenue: money(
    'total_onsite_shopping_value',
    'conversion',
    {
      en: ['Gross revenue (TikTok Shop)', 'Value of the purchases in the shop within TikTok.'],
      'zh-TW': ['總營收（TikTok Shop）', 'TikTok Shop 內購買的總價值。'],
    },
    withoutDevices,
  ),
}

const engagement = {
  likes: count('likes', 'engagement', {
    en: ['Likes', 'Likes of the ads.'],
    'zh-TW': ['按讚數', '廣告獲得的按讚數。'],
  }),
  comments: count('comments', 'engagement', {
    en: ['Comments', 'Comments on the ads.'],
    'zh-TW': ['留言數', '廣告獲得的留言數。'],
  }),
  shares: count('shares', 'engagement', {
    en: ['Shares', 'How often the ads were shared.'],
    'zh-TW': ['分享數', '廣告獲得的分享次數。'],
  }),
  follows: count('follows', 'engagement', {
    en: ['Follows', 'Followers gained through the ads.'],
    'zh-TW': ['追蹤數', '透過廣告新增的追蹤者數。'],
  }),
  profile_visits: count('profile_visits', 'engagement', {
    en: ['Profile visits', 'How often the profile was opened from the ads.'],
    'zh-TW': ['個人頁面造訪次數', '從廣告前往個人頁面的次數。'],
  }),
  music_clicks: count('clicks_on_music_disc', 'engagement', {
    en: ['Clicks on music disc', 'Clicks on the music of the ads.'],
    'zh-TW': ['音樂唱片點擊次數', '點擊廣告音樂唱片的次數。'],
  }),
  live_views: count(
    'live_views',
    'engagement',
    {
      en: ['Live views', 'How often the live video was opened from the ads.'],
      'zh-TW': ['直播觀看次數', '從廣告進入直播觀看的次數。'],
    },
    withoutDevices,
  ),
}

const video = {
  video_views: count('video_play_actions', 'video', {
    en: ['Video views', 'How often the videos began to play; replays are not counted.'],
    'zh-TW': ['影片觀看次數', '影片開始播放的次數，不含重播。'],
  }),
  video_2s: count('video_watched_2s', 'video', {
    en: ['2-second video views', 'Videos played for at least 2 seconds.'],
    'zh-TW': ['2 秒影片觀看次數', '影片播放至少 2 秒的次數。'],
  }),
  video_6s: count('video_watched_6s', 'video', {
    en: ['6-second video views', 'Videos played for at least 6 seconds.'],
    'zh-TW': ['6 秒影片觀看次數', '影片播放至少 6 秒的次數。'],
  }),
  video_p25: count('video_views_p25', 'video', {
    en: ['Video views at 25%', 'Videos played to at least 25% of their length.'],
    'zh-TW': ['影片觀看 25% 次數', '影片播放至長度 25% 以上的次數。'],
  }),
  video_p50: count('video_views_p50', 'video', {
    en: ['Video views at 50%', 'Videos played to at least 50% of their length.'],
    'zh-TW': ['影片觀看 50% 次數', '影片播放至長度 50% 以上的次數。'],
  }),
  video_p75: count('video_views_p75', 'video', {
    en: ['Video views at 75%', 'Videos played to at least 75% of their length.'],
    'zh-TW': ['影片觀看 75% 次數', '影片播放至長度 75% 以上的次數。'],
  }),
  video_p100: count('video_views_p100', 'video', {
    en: ['Video views at 100%', 'Videos played to the end.'],
    'zh-TW': ['影片觀看 100% 次數', '影片播放完畢的次數。'],
  }),
  avg_play_time: nonAdditive(
    'average_video_play',
    { group: 'video', unit: 'seconds', decimals: 2 },
    {
      en: ['Average play time per view', 'Average time for which a video played, in seconds.'],
      'zh-TW': ['每次觀看平均播放時間', '每次影片觀看的平均播放時間（秒）。'],
    },
  ),
  avg_play_time_per_user: nonAdditive(
    'average_video_play_per_user',
    { group: 'video', unit: 'seconds', decimals: 2, ...withoutDevices },
    {
      en: ['Average play time per person', 'Average time for which a person watched the videos, in seconds.'],
      'zh-TW': ['每人平均播放時間', '每人觀看影片的平均時間（秒）。'],
    },
  ),
  focused_6s: count(
    'engaged_view',
    'video',
    {
      en: ['6-second focused views', 'Videos watched for 6 seconds, or interacted with before.'],
      'zh-TW': ['6 秒專注觀看次數', '觀看影片至少 6 秒，或於此之前有互動的次數。'],
    },
    withoutDevices,
  ),
  focused_15s: count(
    'engaged_view_15s',
    'video',
    {
      en: ['15-second focused views', 'Videos watched for 15 seconds, or interacted with before.'],
      'zh-TW': ['15 秒專注觀看次數', '觀看影片至少 15 秒，或於此之前有互動的次數。'],
    },
    withoutDevices,
  ),
}

/** Every metric of TikTok ads, group by group in the order in which the editor shows them. */
export const ttMetrics = {
  ...delivery,
  ...cost,
  ...audience,
  ...conversion,
  ...website,
  ...appAndShop,
  ...engagement,
  ...video,
}
