import type { Product } from './field.ts'

export type Language = 'EN' | 'JA'

/** What the dataset calls it, then the label in English and Japanese; the products spell some differently. */
const LABELS: Record<Product, Record<string, [string, string]>> = {
  ly_search: {
    pc: ['PC', 'PC'],
    smartphone: ['Smartphone', 'スマートフォン'],
    tablet: ['Tablet', 'タブレット'],
    other: ['Other', 'その他'],
    Other: ['Other', 'その他'],
    Standard: ['Standard', '標準'],
    Ad: ['Ad', '広告'],
    'Search site': ['Search site', 'ウェブサイト検索'],
    'Purchase / Sales': ['Purchase / Sales', '購入/販売'],
    'Sign-up': ['Sign-up', '会員登録'],
    Lead: ['Lead', '見込み顧客'],
    'Exact match': ['Exact match', '完全一致'],
    'Phrase match': ['Phrase match', 'フレーズ一致'],
    'Broad match': ['Broad match', 'インテントマッチ'],
    Monday: ['Monday', '月曜日'],
    Tuesday: ['Tuesday', '火曜日'],
    Wednesday: ['Wednesday', '水曜日'],
    Thursday: ['Thursday', '木曜日'],
    Friday: ['Friday', '金曜日'],
    Saturday: ['Saturday', '土曜日'],
    Sunday: ['Sunday', '日曜日'],
    January: ['January', '1月'],
    February: ['February', '2月'],
    March: ['March', '3月'],
    April: ['April', '4月'],
    May: ['May', '5月'],
    June: ['June', '6月'],
    July: ['July', '7月'],
    August: ['August', '8月'],
    September: ['September', '9月'],
    October: ['October', '10月'],
    November: ['November', '11月'],
    December: ['December', '12月'],
  },
  ly_display: {
    pc: ['PC', 'PC'],
    mobile: ['Mobile', 'モバイル'],
    smartphone: ['SmartPhone', 'スマートフォン'],
    tablet: ['Tablet', 'タブレット端末'],
    connected_tv: ['Connected TV', 'コネクテッドTV'],
    other: ['Other', 'その他'],
    Banner: ['Banner', 'バナー'],
  },
}

export const enumLabel = (product: Product, value: string, language: Language) =>
  LABELS[product][value]?.[language === 'EN' ? 0 : 1] ?? value
