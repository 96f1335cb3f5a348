import { count, derived, money, nonAdditive, type Limits } from './metric.ts'

// The names are those of LINE's own manager where it has one. A conversion of the website, as the LINE Tag
// sees it, and an event in an app are different things with nearly the same name, so that those of apps say
// so.

/** Files that are cut by system have no people. */
const notByDevice: Limits = { not_with: ['device_type'] }

/**
 * Only the online report has these: one row an entity for a whole range, so that days and weeks would take a
 * request each.
 */
const online: Limits = { not_with: ['date', 'week', 'device_type'] }

const delivery = {
  impressions: count('Impressions', 'delivery', {
    en: ['Impressions', 'How often the ads were shown.'],
    'zh-TW': ['曝光次數', '廣告顯示的次數。'],
  }),
  clicks: count('Clicks', 'delivery', {
    en: ['Clicks', 'How often the ads were clicked.'],
    'zh-TW': ['點擊次數', '廣告被點擊的次數。'],
  }),
  ctr: derived(
    'CTR',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'clicks', denominator: 'impressions' } },
    { en: ['CTR', 'Clicks divided by impressions.'], 'zh-TW': ['點閱率', '點擊次數除以曝光次數。'] },
  ),
  viewable_impressions: count(
    'viewableImp',
    'delivery',
    {
      en: ['Viewable impressions', 'Impressions that could really be seen. For months and whole ranges.'],
      'zh-TW': ['可視曝光次數', '實際可被看見的曝光次數；僅能以月或整段期間查詢。'],
    },
    online,
  ),
  impression_share: nonAdditive(
    'impShareRate',
    {
      group: 'delivery',
      unit: 'percent',
      decimals: 2,
      only_with: ['ad_group'],
      not_with: ['date', 'week', 'device_type', 'ad'],
    },
    {
      en: [
        'Impression share',
        'Impressions of an ad group, of all that it could have had. For months and whole ranges.',
      ],
      'zh-TW': ['曝光比重', '廣告群組實際曝光佔可獲得曝光的比例；僅能以月或整段期間查詢。'],
    },
  ),
}

const cost = {
  cost: money('Cost', 'cost', {
    en: ['Cost', 'What the ads have cost.'],
    'zh-TW': ['花費', '廣告的花費金額。'],
  }),
  cpc: derived(
    'CPC',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
    { en: ['CPC', 'Cost divided by clicks.'], 'zh-TW': ['單次點擊成本', '花費除以點擊次數。'] },
  ),
  cpm: derived(
    'CPM',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'impressions', times: 1000 } },
    {
      en: ['CPM', 'Cost of a thousand impressions.'],
      'zh-TW': ['每千次曝光成本', '每一千次曝光的平均花費。'],
    },
  ),
  cpa: derived(
    'CPA (conversions or LINE Tag clicks)',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'conversions' } },
    { en: ['CPA', 'Cost divided by conversions.'], 'zh-TW': ['單次轉換成本', '花費除以轉換次數。'] },
  ),
  cost_per_purchase: derived(
    'CPA (purchased)',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'purchases' } },
    {
      en: ['Cost per purchase', 'Cost divided by purchases.'],
      'zh-TW': ['單次購買成本', '花費除以購買次數。'],
    },
  ),
  cost_per_lead: derived(
    'CPA (lead generated)',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'leads' } },
    {
      en: ['Cost per lead', 'Cost divided by leads.'],
      'zh-TW': ['單次潛在顧客成本', '花費除以潛在顧客數。'],
    },
  ),
  friend_cost: money('Cost, of campaigns with the objective GAIN_FRIENDS', 'cost', {
    en: ['Cost of gaining friends', 'What the campaigns that gain friends have cost.'],
    'zh-TW': ['加好友花費', '以加好友為目的之廣告活動的花費。'],
  }),
  cost_per_friend: derived(
    'CPF',
    { group: 'cost', unit: 'money', formula: { numerator: 'friend_cost', denominator: 'friends_added' } },
    {
      en: ['Cost per friend', 'Cost of the campaigns that gain friends, divided by friends added.'],
      'zh-TW': ['單次加好友成本', '加好友廣告活動的花費除以加好友數。'],
    },
  ),
  cost_per_install: derived(
    'Cost per install',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'app_installs' } },
    {
      en: ['Cost per install', 'Cost divided by app installs after a click.'],
      'zh-TW': ['單次安裝成本', '花費除以點擊後的應用程式安裝次數。'],
    },
  ),
  cost_per_3s_view: derived(
    'Cost per 3-second playback',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'video_views' } },
    {
      en: ['Cost per 3-second view', 'Cost divided by video views of at least 3 seconds.'],
      'zh-TW': ['單次 3 秒觀看成本', '花費除以影片觀看至少 3 秒的次數。'],
    },
  ),
  cost_per_completion: derived(
    'Cost per complete video view',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'video_completions' } },
    {
      en: ['Cost per complete view', 'Cost divided by videos played to the end.'],
      'zh-TW': ['單次完整觀看成本', '花費除以影片完整觀看次數。'],
    },
  ),
}

const audience = {
  reach: nonAdditive(
    'Reach (estimated)',
    { group: 'audience', unit: 'count', decimals: 0, ...notByDevice },
    {
      en: [
        'Reach',
        'People who saw the ads at least once, as LINE estimates. Not the sum of days or campaigns. Many weeks or months take a while: each is a report of its own.',
      ],
      'zh-TW': [
        '觸及人數',
        '至少看過一次廣告的人數（LINE 推估值）；不等於各日或各廣告活動的加總。每週、每月各需一份報表，期數多時較費時。',
      ],
    },
  ),
  frequency: nonAdditive(
    'Impressions / Reach (estimated)',
    { group: 'audience', unit: 'ratio', decimals: 2, ...notByDevice },
    {
      en: ['Frequency', 'Impressions divided by reach.'],
      'zh-TW': ['頻率', '曝光次數除以觸及人數。'],
    },
  ),
  friends_added: count(
    'CV (conversions or LINE Tag clicks), of campaigns with the objective GAIN_FRIENDS',
    'audience',
    {
      en: ['Friends added', 'Conversions of the campaigns that gain friends for a LINE official account.'],
      'zh-TW': ['加好友數', '以增加 LINE 官方帳號好友為目的之廣告活動的轉換次數。'],
    },
  ),
}

const conversion = {
  conversions: count('CV (conversions or LINE Tag clicks)', 'conversion', {
    en: ['Conversions', 'Conversions after a click, as the LINE Tag sees them.'],
    'zh-TW': ['轉換次數', 'LINE Tag 記錄的點擊後轉換次數。'],
  }),
  conversion_value: money('CV value (purchased)', 'conversion', {
    en: ['Conversion value', 'Value of the purchases.'],
    'zh-TW': ['轉換價值', '購買的總金額。'],
  }),
  cvr: derived(
    'CVR (conversions or LINE Tag clicks)',
    { group: 'conversion', unit: 'percent', formula: { numerator: 'conversions', denominator: 'clicks' } },
    { en: ['CVR', 'Conversions divided by clicks.'], 'zh-TW': ['轉換率', '轉換次數除以點擊次數。'] },
  ),
  roas: derived(
    'ROAS',
    { group: 'conversion', unit: 'ratio', formula: { numerator: 'conversion_value', denominator: 'cost' } },
    { en: ['ROAS', 'Conversion value divided by cost.'], 'zh-TW': ['廣告投資報酬率', '轉換價值除以花費。'] },
  ),
  conversions_with_cv_api: count('CV (LINE tag + CV API)', 'conversion', {
    en: ['Conversions with CV API', 'Conversions of the LINE Tag and of the Conversion API together.'],
    'zh-TW': ['轉換次數（含 CV API）', 'LINE Tag 與 Conversion API 合計的轉換次數。'],
  }),
  conversions_all: count('CV (All)', 'conversion', {
    en: ['All conversions', 'Conversions of every source, those after an engaged view included.'],
    'zh-TW': ['所有轉換次數', '所有來源的轉換次數，包含互動觀看後的轉換。'],
  }),
  cv_api: count('CV API', 'conversion', {
    en: ['CV API conversions', 'Conversions reported by the Conversion API.'],
    'zh-TW': ['CV API 轉換次數', 'Conversion API 回傳的轉換次數。'],
  }),
  purchases: count('CV (purchased)', 'conversion', {
    en: ['Purchases', 'Purchases on the website.'],
    'zh-TW': ['購買次數', '網站上的購買次數。'],
  }),
  purchases_all: count('CV (purchased) (ALL)', 'conversion', {
    en: ['All purchases', 'Purchases on the website, those after an engaged view included.'],
    'zh-TW': ['所有購買次數', '網站上的購買次數，包含互動觀看後的購買。'],
  }),
  purchase_value_click: money('CV value (purchased) (click)', 'conversion', {
    en: ['Purchase value after clicks', 'Value of the purchases that followed a click.'],
    'zh-TW': ['點擊後購買金額', '點擊廣告後購買的總金額。'],
  }),
  add_to_cart: count('CV (item added to cart)', 'conversion', {
    en: ['Adds to cart', 'Items put into the cart on the website.'],
    'zh-TW': ['加入購物車次數', '網站上加入購物車的次數。'],
  }),
  checkout_started: count('CV (checkout started)', 'conversion', {
    en: ['Checkouts started', 'Checkouts begun on the website.'],
    'zh-TW': ['開始結帳次數', '網站上開始結帳的次數。'],
  }),
  view_item: count('CV (product details viewed)', 'conversion', {
    en: ['Product views', 'Product pages seen on the website.'],
    'zh-TW': ['商品檢視次數', '網站上檢視商品頁面的次數。'],
  }),
  leads: count('CV (lead generated)', 'conversion', {
    en: ['Leads', 'Contacts left on the website.'],
    'zh-TW': ['潛在顧客數', '網站上取得的潛在顧客（名單）數。'],
  }),
  reservations: count('CV (reservation completed)', 'conversion', {
    en: ['Reservations', 'Reservations made on the website.'],
    'zh-TW': ['預約次數', '網站上完成預約的次數。'],
  }),
  registrations: count('CV (signup completed)', 'conversion', {
    en: ['Registrations', 'Registrations on the website.'],
    'zh-TW': ['註冊次數', '網站上完成註冊的次數。'],
  }),
}

const app = {
  app_installs: count('Installs (clicks)', 'conversion', {
    en: ['App installs', 'Installs of the app after a click.'],
    'zh-TW': ['應用程式安裝次數', '點擊廣告後的應用程式安裝次數。'],
  }),
  app_installs_view: count('Installs (views)', 'conversion', {
    en: ['App installs after views', 'Installs of the app after the ad was seen, without a click.'],
    'zh-TW': ['瀏覽後安裝次數', '僅看過廣告而未點擊的應用程式安裝次數。'],
  }),
  app_installs_total: count('Installs (clicks and views)', 'conversion', {
    en: ['App installs in all', 'Installs of the app after clicks and views.'],
    'zh-TW': ['應用程式安裝總數', '點擊後與瀏覽後的應用程式安裝次數合計。'],
  }),
  app_installs_skan: count('Installs (SKAN clicks)', 'conversion', {
    en: ['App installs (SKAN)', "Installs reported by Apple's SKAdNetwork."],
    'zh-TW': ['應用程式安裝次數（SKAN）', 'Apple SKAdNetwork 回報的安裝次數。'],
  }),
  app_opens: count('Open', 'conversion', {
    en: ['App opens', 'How often the app was opened.'],
    'zh-TW': ['應用程式開啟次數', '開啟應用程式的次數。'],
  }),
  app_view_item: count('View product', 'conversion', {
    en: ['Product views in the app', 'Products looked at in the app.'],
    'zh-TW': ['應用程式商品檢視次數', '在應用程式內檢視商品的次數。'],
  }),
  app_search: count('Search', 'conversion', {
    en: ['Searches in the app', 'Searches made in the app.'],
    'zh-TW': ['應用程式搜尋次數', '在應用程式內搜尋的次數。'],
  }),
  app_add_to_cart: count('Add-to-cart', 'conversion', {
    en: ['Adds to cart in the app', 'Items put into the cart in the app.'],
    'zh-TW': ['應用程式加入購物車次數', '在應用程式內加入購物車的次數。'],
  }),
  app_purchase: count('Purchase', 'conversion', {
    en: ['Purchases in the app', 'Purchases made in the app.'],
    'zh-TW': ['應用程式購買次數', '在應用程式內購買的次數。'],
  }),
  app_level_achieved: count('Level achieved', 'conversion', {
    en: ['Levels achieved', 'Levels reached in the app.'],
    'zh-TW': ['達成關卡次數', '在應用程式內達成關卡的次數。'],
  }),
  app_tutorial_complete: count('Tutorial complete', 'conversion', {
    en: ['Tutorials completed', 'Tutorials finished in the app.'],
    'zh-TW': ['完成教學次數', '在應用程式內完成教學的次數。'],
  }),
}

const video = {
  video_views: count('Video (viewed for at least three seconds)', 'video', {
    en: ['Video views', 'Videos played for at least 3 seconds.'],
    'zh-TW': ['影片觀看次數', '影片播放至少 3 秒的次數。'],
  }),
  video_starts: count(
    'videoStart',
    'video',
    {
      en: ['Video starts', 'How often videos began to play. For months and whole ranges.'],
      'zh-TW': ['影片開始播放次數', '影片開始播放的次數；僅能以月或整段期間查詢。'],
    },
    online,
  ),
  video_p25: count('Video (25% watched)', 'video', {
    en: ['Video plays to 25%', 'Videos played to at least 25% of their length.'],
    'zh-TW': ['影片播放 25% 次數', '影片播放至長度 25% 以上的次數。'],
  }),
  video_p50: count('Video (50% watched)', 'video', {
    en: ['Video plays to 50%', 'Videos played to at least 50% of their length.'],
    'zh-TW': ['影片播放 50% 次數', '影片播放至長度 50% 以上的次數。'],
  }),
  video_p75: count('Video (75% watched)', 'video', {
    en: ['Video plays to 75%', 'Videos played to at least 75% of their length.'],
    'zh-TW': ['影片播放 75% 次數', '影片播放至長度 75% 以上的次數。'],
  }),
  video_p95: count('Video (95% watched)', 'video', {
    en: ['Video plays to 95%', 'Videos played to at least 95% of their length.'],
    'zh-TW': ['影片播放 95% 次數', '影片播放至長度 95% 以上的次數。'],
  }),
  video_completions: count('Video (100% watched)', 'video', {
    en: ['Video plays to 100%', 'Videos played to the end.'],
    'zh-TW': ['影片播放 100% 次數', '影片播放完畢的次數。'],
  }),
}

/** Every metric of LINE ads, group by group in the order in which the editor shows them. */
export const lnMetrics = {
  ...delivery,
  ...cost,
  ...audience,
  ...conversion,
  ...app,
  ...video,
}
