import { awAttentionMetrics } from './aw-attention-metrics.ts'
import { count, derived, money } from './metric.ts'

// Names are those of Google Ads' own interface where it has one. Averages and rates of the platform are never
// fetched: a ratio is computed from sums here, so that it is right for every row of a table.

/** Google counts conversions in fractions: one may be shared between several clicks. */
const FRACTIONS = { decimals: 2 } as const
const BROAD_ONLY = { not_with: ['ad_group', 'ad'] } as const

const delivery = {
  impressions: count('metrics.impressions', 'delivery', {
    en: ['Impressions', 'How often the ads were shown.'],
    'zh-TW': ['曝光次數', '廣告顯示的次數。'],
  }),
  clicks: count('metrics.clicks', 'delivery', {
    en: ['Clicks', 'How often the ads were clicked.'],
    'zh-TW': ['點擊次數', '廣告被點擊的次數。'],
  }),
  ctr: derived(
    'metrics.ctr',
    { group: 'delivery', unit: 'percent', formula: { numerator: 'clicks', denominator: 'impressions' } },
    { en: ['CTR', 'Clicks divided by impressions.'], 'zh-TW': ['點閱率', '點擊次數除以曝光次數。'] },
  ),
  invalid_clicks: count(
    'metrics.invalid_clicks',
    'delivery',
    {
      en: ['Invalid clicks', 'Clicks that Google found illegitimate and did not charge.'],
      'zh-TW': ['無效點擊次數', 'Google 判定為無效而未收費的點擊次數。'],
    },
    BROAD_ONLY,
  ),
  viewable_impressions: count('metrics.active_view_impressions', 'delivery', {
    en: ['Viewable impressions', 'Impressions at a place where they could be seen.'],
    'zh-TW': ['可視曝光次數', '廣告出現在可視位置的曝光次數。'],
  }),
  measurable_impressions: count('metrics.active_view_measurable_impressions', 'delivery', {
    en: ['Measurable impressions', 'Impressions whose viewability could be measured.'],
    'zh-TW': ['可評估的曝光次數', '可評估可視度的曝光次數。'],
  }),
  viewability: derived(
    'metrics.active_view_viewability',
    {
      group: 'delivery',
      unit: 'percent',
      formula: { numerator: 'viewable_impressions', denominator: 'measurable_impressions' },
    },
    {
      en: ['Viewability', 'Viewable impressions divided by measurable ones.'],
      'zh-TW': ['可視率', '可視曝光次數除以可評估的曝光次數。'],
    },
  ),
}

const cost = {
  cost: money('metrics.cost_micros', 'cost', {
    en: ['Cost', 'What the ads have cost.'],
    'zh-TW': ['花費', '廣告的花費金額。'],
  }),
  cpc: derived(
    'metrics.average_cpc',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'clicks' } },
    { en: ['CPC', 'Cost divided by clicks.'], 'zh-TW': ['單次點擊成本', '花費除以點擊次數。'] },
  ),
  cpm: derived(
    'metrics.average_cpm',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'impressions', times: 1000 } },
    {
      en: ['CPM', 'Cost of a thousand impressions.'],
      'zh-TW': ['每千次曝光成本', '每一千次曝光的平均花費。'],
    },
  ),
  cpa: derived(
    'metrics.cost_per_conversion',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'conversions' } },
    { en: ['CPA', 'Cost divided by conversions.'], 'zh-TW': ['單次轉換成本', '花費除以轉換次數。'] },
  ),
  cpv: derived(
    'metrics.trueview_average_cpv',
    { group: 'cost', unit: 'money', formula: { numerator: 'cost', denominator: 'video_views' } },
    {
      en: ['CPV', 'Cost divided by video views.'],
      'zh-TW': ['單次收視成本', '花費除以影片觀看次數。'],
    },
  ),
}

const conversion = {
  conversions: {
    ...count('metrics.conversions', 'conversion', {
      en: ['Conversions', 'Conversions of primary actions, by the day of the click; may be fractions.'],
      'zh-TW': ['轉換次數', '主要轉換動作的次數，以點擊日期計算，可能為小數。'],
    }),
    ...FRACTIONS,
  },
  conversion_value: money('metrics.conversions_value', 'conversion', {
    en: ['Conversion value', 'Value of the conversions.'],
    'zh-TW': ['轉換價值', '轉換帶來的總價值。'],
  }),
  cvr: derived(
    'metrics.conversions / metrics.clicks',
    { group: 'conversion', unit: 'percent', formula: { numerator: 'conversions', denominator: 'clicks' } },
    {
      en: ['CVR', 'Conversions divided by clicks. Google itself divides by interactions.'],
      'zh-TW': ['轉換率', '轉換次數除以點擊次數；Google Ads 介面則是除以互動次數。'],
    },
  ),
  roas: derived(
    'metrics.conversions_value / metrics.cost_micros',
    { group: 'conversion', unit: 'ratio', formula: { numerator: 'conversion_value', denominator: 'cost' } },
    { en: ['ROAS', 'Conversion value divided by cost.'], 'zh-TW': ['廣告投資報酬率', '轉換價值除以花費。'] },
  ),
  all_conversions: {
    ...count('metrics.all_conversions', 'conversion', {
      en: ['All conversions', 'Conversions of primary and secondary actions.'],
      'zh-TW': ['所有轉換次數', '主要與次要轉換動作的總次數。'],
    }),
    ...FRACTIONS,
  },
  all_conversion_value: money('metrics.all_conversions_value', 'conversion', {
    en: ['All conversion value', 'Value of all conversions.'],
    'zh-TW': ['所有轉換價值', '所有轉換的總價值。'],
  }),
  view_through_conversions: count('metrics.view_through_conversions', 'conversion', {
    en: ['View-through conversions', 'Conversions after an ad was seen but not clicked.'],
    'zh-TW': ['瀏覽後轉換次數', '看到廣告但未點擊，之後完成的轉換次數。'],
  }),
  cross_device_conversions: {
    ...count('metrics.cross_device_conversions', 'conversion', {
      en: ['Cross-device conversions', 'Conversions on another device than the click.'],
      'zh-TW': ['跨裝置轉換次數', '點擊與轉換發生在不同裝置的次數。'],
    }),
    ...FRACTIONS,
  },
  conversions_by_conv_date: {
    ...count('metrics.conversions_by_conversion_date', 'conversion', {
      en: ['Conversions (by conversion date)', 'Conversions by the day on which they happened.'],
      'zh-TW': ['轉換次數（依轉換日期）', '以轉換發生日期計算的轉換次數。'],
    }),
    ...FRACTIONS,
  },
  conv_value_by_conv_date: money('metrics.conversions_value_by_conversion_date', 'conversion', {
    en: [
      'Conversion value (by conversion date)',
      'Value of the conversions by the day on which they happened.',
    ],
    'zh-TW': ['轉換價值（依轉換日期）', '以轉換發生日期計算的轉換價值。'],
  }),
  platform_comparable_conversions: {
    ...count('metrics.platform_comparable_conversions', 'conversion', {
      en: [
        'Platform-comparable conversions',
        'Conversions counted as other ad platforms do, to compare Demand Gen campaigns.',
      ],
      'zh-TW': ['平台可比較轉換次數', '以其他廣告平台方式計算的轉換次數，供比較需求開發廣告活動。'],
    }),
    ...FRACTIONS,
  },
  new_customer_ltv: money(
    'metrics.new_customer_lifetime_value',
    'conversion',
    {
      en: ['New customer lifetime value', 'Expected value of the customers who were won.'],
      'zh-TW': ['新客戶終身價值', '新客戶的預期終身價值。'],
    },
    BROAD_ONLY,
  ),
  orders: {
    ...count('metrics.orders', 'conversion', {
      en: ['Orders', 'Purchases with cart data.'],
      'zh-TW': ['訂單數', '附有購物車資料的購買次數。'],
    }),
    ...FRACTIONS,
  },
  revenue: money('metrics.revenue_micros', 'conversion', {
    en: ['Revenue', 'Revenue of the orders, from cart data.'],
    'zh-TW': ['收益', '訂單的收益，來自購物車資料。'],
  }),
  gross_profit: money('metrics.gross_profit_micros', 'conversion', {
    en: ['Gross profit', 'Revenue of the orders less the cost of goods, from cart data.'],
    'zh-TW': ['毛利', '訂單收益減去商品成本，來自購物車資料。'],
  }),
  units_sold: {
    ...count('metrics.units_sold', 'conversion', {
      en: ['Units sold', 'Pieces in the orders, from cart data.'],
      'zh-TW': ['售出件數', '訂單中的商品件數，來自購物車資料。'],
    }),
    ...FRACTIONS,
  },
  aov: derived(
    'metrics.average_order_value_micros',
    { group: 'conversion', unit: 'money', formula: { numerator: 'revenue', denominator: 'orders' } },
    {
      en: ['Average order value', 'Revenue divided by orders.'],
      'zh-TW': ['平均訂單價值', '收益除以訂單數。'],
    },
  ),
}

/** Every metric of Google Ads, group by group in the order in which the editor shows them. */
export const awMetrics = { ...delivery, ...cost, ...conversion, ...awAttentionMetrics }
