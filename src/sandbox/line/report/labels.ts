// The words of the header row. LINE has changed them between releases; a parser must not rely on more than
// what stays the same.

export const LOCALES = ['ja', 'th', 'zh_TW', 'en'] as const
export type Locale = (typeof LOCALES)[number]

/** English, Japanese, Chinese; Thai files have the English words here. */
export type Words = readonly [en: string, ja: string, zh: string]

export const inLocale = ([en, ja, zh]: Words, locale: Locale): string =>
  locale === 'ja' ? ja : locale === 'zh_TW' ? zh : en

const same = (text: string): Words => [text, text, text]

export const KEYS = {
  day: ['Day', '日', '日期'],
  account_name: ['Ad account name', '広告アカウント名', '廣告帳號名稱'],
  account_id: ['Ad account ID', '広告アカウントID', '廣告帳號ID'],
  campaign_name: ['Campaign name', 'キャンペーン名', '廣告活動名稱'],
  campaign_objective: ['Campaign objective', 'キャンペーン目的', '廣告活動目的'],
  campaign_id: ['Campaign ID', 'キャンペーンID', '廣告活動ID'],
  ad_group_name: ['Ad group name', '広告グループ名', '廣告群組名稱'],
  ad_group_id: ['Ad group ID', '広告グループID', '廣告群組ID'],
  ad_name: ['Ad name', '広告名', '廣告名稱'],
  ad_id: ['Ad ID', '広告ID', '廣告ID'],
  title: ['Title', 'タイトル', '標題'],
  description: ['Description', 'ディスクリプション', '說明'],
  currency: ['Currency', '通貨', '貨幣'],
} as const satisfies Record<string, Words>

export const BREAKDOWNS = {
  os: same('OS'),
  gender: ['Gender', '性別', '性別'],
  age: ['Age', '年齢', '年齡'],
  area: ['Area', '地域', '地區'],
  interest: ['Interest', '興味・関心', '興趣'],
  behavior: ['Behavior', '行動', '行為'],
  status: ['Status', '属性', '屬性'],
  purchase_intent: ['Purchase intent', '購買意向', '購買意願'],
  service_group: ['Service group', '配信面', '投放版位'],
  carousel: ['Carousel slot', 'カルーセルスロット', '輪播順序'],
  image_size: ['Image size', '画像サイズ', '圖片尺寸'],
} as const satisfies Record<string, Words>

/** An event in brackets behind CV, CVR or CPA. */
export const ofEvent = (what: string, [en, ja, zh]: Words, all: boolean): Words => [
  `${what} (${en})${all ? ' (ALL)' : ''}`,
  `${what}（${ja}）${all ? '（すべて）' : ''}`,
  `${what}（${zh}）${all ? '（全部）' : ''}`,
]

export const EVENTS = {
  tag: ['conversions or LINE Tag clicks', 'コンバージョンまたはLINE Tagクリック', '轉換或LINE Tag點擊'],
  with_api: ['LINE tag + CV API', 'LINE Tag＋CV API', 'LINE Tag＋CV API'],
  all: ['All', 'すべて', '全部'],
  view_item: ['product details viewed', '商品詳細表示', '查看商品詳情'],
  add_to_cart: ['item added to cart', 'カート追加', '加入購物車'],
  checkout: ['checkout started', '購入手続き開始', '開始結帳'],
  purchase: ['purchased', '購入', '購買'],
  lead: ['lead generated', 'リード獲得', '取得名單'],
  reservation: ['reservation completed', '予約完了', '完成預約'],
  registration: ['signup completed', '会員登録完了', '完成註冊'],
} as const satisfies Record<string, Words>

/** Rates and costs of a count. */
export const rateOf = ([en, ja, zh]: Words): Words => [`${en} rate`, `${ja}率`, `${zh}率`]
export const costOf = ([en, ja, zh]: Words): Words => [
  `Cost per ${en.slice(0, 1).toLowerCase()}${en.slice(1)}`,
  `${ja}単価`,
  `${zh}成本`,
]
export const allOf = ([en, ja, zh]: Words): Words => [`${en} (ALL)`, `${ja}（すべて）`, `${zh}（全部）`]
