import type { Text } from '#shared/language.ts'
import type { NonAdditiveMetric } from './catalogue.ts'
import { count, derived, money, nonAdditive, texts, type Words } from './metric.ts'

// Names are those of Meta's own interface where it has one, so that people find the column that they know.
// One purchase appears under several action types at once: each metric reads exactly one, nothing is summed
// across them.

/** What a ranking's number means; the connector sends the position. */
const rankings = [
  { en: 'Below average (bottom 10%)', 'zh-TW': '低於平均（後 10%）' },
  { en: 'Below average (bottom 20%)', 'zh-TW': '低於平均（後 20%）' },
  { en: 'Below average (bottom 35%)', 'zh-TW': '低於平均（後 35%）' },
  { en: 'Average', 'zh-TW': '平均' },
  { en: 'Above average', 'zh-TW': '高於平均' },
] as const satisfies readonly Text[]

const delivery = {
  impressions: count('impressions', 'delivery', {
    en: ['Impressions', 'How often the ads were on screen.'],
    'zh-TW': ['曝光次數', '廣告顯示在螢幕上的次數。'],
  }),
  clicks: count('clicks', 'delivery', {
    en: ['Clicks', 'All clicks on the ads, those on reactions and profiles included.'],
    'zh-TW': ['點擊次數', '廣告上的所有點擊，包含心情與個人檔案等點擊。'],
  }),
  ctr: derived(
    'ctr',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'clicks', denominator: 'impressions' } },
    { en: ['CTR', 'Clicks divided by impressions.'], 'zh-TW': ['點閱率', '點擊次數除以曝光次數。'] },
  ),
  link_clicks: count('actions:link_click', 'delivery', {
    en: ['Link clicks', 'Clicks on links that lead on from the ad.'],
    'zh-TW': ['連結點擊次數', '點擊廣告內連結的次數。'],
  }),
  link_ctr: derived(
    'website_ctr',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'link_clicks', denominator: 'impressions' } },
    {
      en: ['Link CTR', 'Link clicks divided by impressions.'],
      'zh-TW': ['連結點閱率', '連結點擊次數除以曝光次數。'],
    },
  ),
  inline_link_clicks: count('inline_link_clicks', 'delivery', {
    en: ['Inline link clicks', 'Link clicks counted with a fixed window of one day after the click.'],
    'zh-TW': ['內嵌連結點擊次數', '以固定「點擊後 1 天」歸因計算的連結點擊次數。'],
  }),
  outbound_clicks: count('outbound_clicks:outbound_click', 'delivery', {
    en: ['Outbound clicks', 'Clicks on links that lead off Meta.'],
    'zh-TW': ['外連點擊次數', '將用戶帶離 Meta 平台的連結點擊次數。'],
  }),
  landing_page_views: count('actions:landing_page_view', 'delivery', {
    en: ['Landing page views', 'How often the page behind the ad was loaded after a click.'],
    'zh-TW': ['連結頁面瀏覽次數', '用戶點擊廣告後成功載入目標頁面的次數。'],
  }),
}

const cost = {
  cost: money('spend', 'cost', {
    en: ['Cost', 'What the ads have cost.'],
    'zh-TW': ['花費', '廣告的花費金額。'],
  }),
  cpc: derived(
    'cpc',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
    { en: ['CPC', 'Cost divided by clicks.'], 'zh-TW': ['單次點擊成本', '花費除以點擊次數。'] },
  ),
  link_cpc: derived(
    'cost_per_action_type:link_click',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'link_clicks' } },
    {
      en: ['Cost per link click', 'Cost divided by link clicks.'],
      'zh-TW': ['單次連結點擊成本', '花費除以連結點擊次數。'],
    },
  ),
  cpm: derived(
    'cpm',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'impressions', times: 1000 } },
    {
      en: ['CPM', 'Cost of a thousand impressions.'],
      'zh-TW': ['每千次曝光成本', '每一千次曝光的平均花費。'],
    },
  ),
  cpp: nonAdditive(
    'cpp',
    { group: 'cost', unit: 'money', decimals: 2 },
    {
      en: ['Cost per 1,000 people reached', 'Cost of reaching a thousand people.'],
      'zh-TW': ['每千人觸及成本', '每觸及一千人的平均花費。'],
    },
  ),
  cpa: derived(
    'cost_per_action_type:omni_purchase',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'conversions' } },
    { en: ['CPA', 'Cost divided by conversions.'], 'zh-TW': ['單次轉換成本', '花費除以轉換次數。'] },
  ),
  cpl: derived(
    'cost_per_action_type:lead',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'leads' } },
    {
      en: ['Cost per lead', 'Cost divided by leads.'],
      'zh-TW': ['單次潛在顧客成本', '花費除以潛在顧客數。'],
    },
  ),
  cost_per_lpv: derived(
    'cost_per_action_type:landing_page_view',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'landing_page_views' } },
    {
      en: ['Cost per landing page view', 'Cost divided by landing page views.'],
      'zh-TW': ['單次連結頁面瀏覽成本', '花費除以連結頁面瀏覽次數。'],
    },
  ),
  cost_per_thruplay: derived(
    'cost_per_thruplay',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'thruplays' } },
    {
      en: ['Cost per ThruPlay', 'Cost divided by ThruPlays.'],
      'zh-TW': ['單次 ThruPlay 成本', '花費除以 ThruPlay 次數。'],
    },
  ),
}

const audience = {
  reach: nonAdditive(
    'reach',
    { group: 'audience', unit: 'count', decimals: 0 },
    {
      en: ['Reach', 'People who saw the ads at least once. Not the sum of days or campaigns.'],
      'zh-TW': ['觸及人數', '至少看過一次廣告的人數；不等於各日或各廣告活動的加總。'],
    },
  ),
  frequency: nonAdditive(
    'frequency',
    { group: 'audience', unit: 'ratio', decimals: 2 },
    {
      en: ['Frequency', 'How often each person saw the ads on average.'],
      'zh-TW': ['頻率', '平均每人看到廣告的次數。'],
    },
  ),
  unique_clicks: nonAdditive(
    'unique_clicks',
    { group: 'audience', unit: 'count', decimals: 0 },
    {
      en: ['Unique clicks', 'People who clicked at least once.'],
      'zh-TW': ['不重複點擊人數', '至少點擊過一次的人數。'],
    },
  ),
  unique_link_clicks: nonAdditive(
    'unique_inline_link_clicks',
    { group: 'audience', unit: 'count', decimals: 0 },
    {
      en: ['Unique link clicks', 'People who clicked a link at least once.'],
      'zh-TW': ['不重複連結點擊人數', '至少點擊過一次連結的人數。'],
    },
  ),
}

const conversion = {
  conversions: count('actions:omni_purchase', 'conversion', {
    en: ['Conversions', 'Purchases on all surfaces, so that CPA, CVR and ROAS agree.'],
    'zh-TW': ['轉換次數', '所有管道的購買次數，與單次轉換成本、轉換率、廣告投資報酬率一致。'],
  }),
  conversion_value: money('action_values:omni_purchase', 'conversion', {
    en: ['Conversion value', 'Value of the conversions.'],
    'zh-TW': ['轉換價值', '轉換帶來的總價值。'],
  }),
  cvr: derived(
    'actions:omni_purchase / clicks',
    { group: 'conversion', unit: 'percent', formula: { numerator: 'conversions', denominator: 'clicks' } },
    { en: ['CVR', 'Conversions divided by clicks.'], 'zh-TW': ['轉換率', '轉換次數除以點擊次數。'] },
  ),
  roas: derived(
    'purchase_roas',
    { group: 'conversion', unit: 'ratio', formula: { numerator: 'conversion_value', denominator: 'cost' } },
    { en: ['ROAS', 'Conversion value divided by cost.'], 'zh-TW': ['廣告投資報酬率', '轉換價值除以花費。'] },
  ),
  results: nonAdditive(
    'results',
    { group: 'conversion', unit: 'count', decimals: 0 },
    {
      en: [
        'Results',
        'What the campaigns aim at, as Ads Manager counts it. Empty where several kinds of results meet in one row.',
      ],
      'zh-TW': ['成果', '依廣告活動目標計算的成果，同廣告管理員；同一列混有多種成果類型時留空。'],
    },
  ),
  purchases: count('actions:omni_purchase', 'conversion', {
    en: ['Purchases', 'Purchases on the website, in the app, in shops and on Meta.'],
    'zh-TW': ['購買次數', '網站、應用程式、門市與 Meta 上的購買次數。'],
  }),
  purchase_value: money('action_values:omni_purchase', 'conversion', {
    en: ['Purchase value', 'Value of all purchases.'],
    'zh-TW': ['購買價值', '所有購買的總價值。'],
  }),
  website_purchases: count('actions:offsite_conversion.fb_pixel_purchase', 'conversion', {
    en: ['Website purchases', 'Purchases that the pixel counted on the website.'],
    'zh-TW': ['網站購買次數', '像素在網站上記錄的購買次數。'],
  }),
  website_purchase_value: money('action_values:offsite_conversion.fb_pixel_purchase', 'conversion', {
    en: ['Website purchase value', 'Value of the purchases on the website.'],
    'zh-TW': ['網站購買價值', '網站購買的總價值。'],
  }),
  app_purchases: count('actions:app_custom_event.fb_mobile_purchase', 'conversion', {
    en: ['App purchases', 'Purchases in the mobile app.'],
    'zh-TW': ['應用程式購買次數', '在行動應用程式內的購買次數。'],
  }),
  add_to_cart: count('actions:omni_add_to_cart', 'conversion', {
    en: ['Adds to cart', 'How often something was put into the cart, on all surfaces.'],
    'zh-TW': ['加到購物車次數', '所有管道中商品加到購物車的次數。'],
  }),
  website_add_to_cart: count('actions:offsite_conversion.fb_pixel_add_to_cart', 'conversion', {
    en: ['Website adds to cart', 'How often something was put into the cart on the website.'],
    'zh-TW': ['網站加到購物車次數', '網站上商品加到購物車的次數。'],
  }),
  initiate_checkout: count('actions:omni_initiated_checkout', 'conversion', {
    en: ['Checkouts initiated', 'How often a checkout was begun, on all surfaces.'],
    'zh-TW': ['開始結帳次數', '所有管道中開始結帳的次數。'],
  }),
  view_content: count('actions:omni_view_content', 'conversion', {
    en: ['Content views', 'How often a product or content page was looked at.'],
    'zh-TW': ['內容瀏覽次數', '瀏覽商品或內容頁面的次數。'],
  }),
  search: count('actions:omni_search', 'conversion', {
    en: ['Searches', 'How often people searched on the website or in the app.'],
    'zh-TW': ['搜尋次數', '在網站或應用程式內搜尋的次數。'],
  }),
  complete_registration: count('actions:omni_complete_registration', 'conversion', {
    en: ['Registrations completed', 'How often a registration was completed.'],
    'zh-TW': ['完成註冊次數', '完成註冊的次數。'],
  }),
  leads: count('actions:lead', 'conversion', {
    en: ['Leads', 'Leads from forms on Meta and from the website.'],
    'zh-TW': ['潛在顧客數', '來自 Meta 表單與網站的潛在顧客數。'],
  }),
  form_leads: count('actions:onsite_conversion.lead_grouped', 'conversion', {
    en: ['On-Meta leads', 'Leads from forms on Meta.'],
    'zh-TW': ['Meta 表單潛在顧客數', '透過 Meta 表單取得的潛在顧客數。'],
  }),
  website_leads: count('actions:offsite_conversion.fb_pixel_lead', 'conversion', {
    en: ['Website leads', 'Leads that the pixel counted on the website.'],
    'zh-TW': ['網站潛在顧客數', '像素在網站上記錄的潛在顧客數。'],
  }),
  messaging_started: count('actions:onsite_conversion.messaging_conversation_started_7d', 'conversion', {
    en: ['Messaging conversations started', 'Conversations begun after at least seven days of silence.'],
    'zh-TW': ['訊息對話開始次數', '至少 7 天無互動後新開始的訊息對話次數。'],
  }),
  messaging_first_reply: count('actions:onsite_conversion.messaging_first_reply', 'conversion', {
    en: ['New messaging contacts', 'People who wrote to the business for the first time.'],
    'zh-TW': ['新訊息聯繫對象', '首次傳送訊息給商家的人數。'],
  }),
  app_installs: count('actions:omni_app_install', 'conversion', {
    en: ['App installs', 'How often the app was installed.'],
    'zh-TW': ['應用程式安裝次數', '應用程式的安裝次數。'],
  }),
}

const engagement = {
  page_likes: count('actions:like', 'engagement', {
    en: ['Page likes', 'Likes that the page gained.'],
    'zh-TW': ['粉絲專頁按讚數', '粉絲專頁獲得的按讚數。'],
  }),
  page_engagement: count('actions:page_engagement', 'engagement', {
    en: ['Page engagement', 'Everything that people did with the page and its posts.'],
    'zh-TW': ['粉絲專頁互動次數', '用戶與粉絲專頁及其貼文的互動總次數。'],
  }),
  post_engagement: count('actions:post_engagement', 'engagement', {
    en: ['Post engagement', 'Everything that people did with the advertised posts.'],
    'zh-TW': ['貼文互動次數', '用戶與廣告貼文的互動總次數。'],
  }),
  engagement_rate: derived(
    'actions:post_engagement / impressions',
    {
      group: 'engagement',
      unit: 'percent',
      formula: { numerator: 'post_engagement', denominator: 'impressions' },
    },
    {
      en: ['Engagement rate', 'Post engagement divided by impressions.'],
      'zh-TW': ['貼文互動率', '貼文互動次數除以曝光次數。'],
    },
  ),
  post_reactions: count('actions:post_reaction', 'engagement', {
    en: ['Post reactions', 'Likes and other reactions to the posts.'],
    'zh-TW': ['貼文心情數', '貼文獲得的讚與其他心情數。'],
  }),
  post_comments: count('actions:comment', 'engagement', {
    en: ['Post comments', 'Comments on the posts.'],
    'zh-TW': ['貼文留言數', '貼文獲得的留言數。'],
  }),
  post_shares: count('actions:post', 'engagement', {
    en: ['Post shares', 'How often the posts were shared.'],
    'zh-TW': ['貼文分享次數', '貼文被分享的次數。'],
  }),
  post_saves: count('actions:onsite_conversion.post_save', 'engagement', {
    en: ['Post saves', 'How often the posts were saved.'],
    'zh-TW': ['貼文儲存次數', '貼文被儲存的次數。'],
  }),
  ig_profile_visits: count('instagram_profile_visits', 'engagement', {
    en: ['Instagram profile visits', 'How often the Instagram profile was visited from the ad.'],
    'zh-TW': ['Instagram 個人檔案瀏覽次數', '從廣告前往 Instagram 個人檔案的瀏覽次數。'],
  }),
}

const video = {
  video_views: count('actions:video_view', 'video', {
    en: ['Video views', 'Videos played for at least 3 seconds.'],
    'zh-TW': ['影片觀看次數', '影片播放至少 3 秒的次數。'],
  }),
  video_plays: count('video_play_actions:video_view', 'video', {
    en: ['Video plays', 'How often videos began to play.'],
    'zh-TW': ['影片播放次數', '影片開始播放的次數。'],
  }),
  video_p25: count('video_p25_watched_actions:video_view', 'video', {
    en: ['Video plays to 25%', 'Videos played to at least 25% of their length.'],
    'zh-TW': ['影片播放 25% 次數', '影片播放至長度 25% 以上的次數。'],
  }),
  video_p50: count('video_p50_watched_actions:video_view', 'video', {
    en: ['Video plays to 50%', 'Videos played to at least 50% of their length.'],
    'zh-TW': ['影片播放 50% 次數', '影片播放至長度 50% 以上的次數。'],
  }),
  video_p75: count('video_p75_watched_actions:video_view', 'video', {
    en: ['Video plays to 75%', 'Videos played to at least 75% of their length.'],
    'zh-TW': ['影片播放 75% 次數', '影片播放至長度 75% 以上的次數。'],
  }),
  video_p95: count('video_p95_watched_actions:video_view', 'video', {
    en: ['Video plays to 95%', 'Videos played to at least 95% of their length.'],
    'zh-TW': ['影片播放 95% 次數', '影片播放至長度 95% 以上的次數。'],
  }),
  video_p100: count('video_p100_watched_actions:video_view', 'video', {
    en: ['Video plays to 100%', 'Videos played to the end.'],
    'zh-TW': ['影片播放 100% 次數', '影片播放完畢的次數。'],
  }),
  video_30s: count('video_30_sec_watched_actions:video_view', 'video', {
    en: ['Video plays of 30 seconds', 'Videos played for at least 30 seconds, or to the end.'],
    'zh-TW': ['影片播放 30 秒次數', '影片播放至少 30 秒或播放完畢的次數。'],
  }),
  thruplays: count('video_thruplay_watched_actions:video_view', 'video', {
    en: ['ThruPlays', 'Videos played to the end, or for at least 15 seconds.'],
    'zh-TW': ['ThruPlay 次數', '影片播放完畢或至少播放 15 秒的次數。'],
  }),
  video_avg_time: nonAdditive(
    'video_avg_time_watched_actions:video_view',
    { group: 'video', unit: 'seconds', decimals: 1 },
    {
      en: ['Average video play time', 'Average time for which a video played, in seconds.'],
      'zh-TW': ['影片平均播放時間', '影片的平均播放時間（秒）。'],
    },
  ),
}

const quality = {
  quality_ranking: ranking('quality_ranking', {
    en: ['Quality ranking', 'How good the ad seems beside others for the same people.'],
    'zh-TW': ['品質排名', '與競爭相同廣告受眾的廣告相比，此廣告的感知品質排名。'],
  }),
  engagement_rate_ranking: ranking('engagement_rate_ranking', {
    en: ['Engagement rate ranking', 'Expected engagement beside others for the same people.'],
    'zh-TW': ['互動率排名', '與競爭相同廣告受眾的廣告相比，此廣告的預期互動率排名。'],
  }),
  conversion_rate_ranking: ranking('conversion_rate_ranking', {
    en: ['Conversion rate ranking', 'Expected conversion rate beside others of the same goal.'],
    'zh-TW': ['轉換率排名', '與最佳化目標相同且競爭相同受眾的廣告相比，此廣告的預期轉換率排名。'],
  }),
}

/** Every metric of Meta ads, group by group in the order in which the editor shows them. */
export const fbMetrics = {
  ...delivery,
  ...cost,
  ...audience,
  ...conversion,
  ...engagement,
  ...video,
  ...quality,
}

/** Meta ranks single ads only, and never a part of one. */
function ranking(platform_field: string, words: Words) {
  return {
    ...texts(words),
    kind: 'non_additive',
    per_account: true,
    unit: 'text',
    decimals: 0,
    group: 'quality',
    platform_field,
    texts: rankings,
    only_with: ['ad'],
    not_with: ['device_type'],
  } satisfies NonAdditiveMetric
}
