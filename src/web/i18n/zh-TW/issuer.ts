import type { issuer as english } from '#web/i18n/en/issuer.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const issuer: TextsLike<typeof english> = {
  title: '公司資料',
  detail: '文件上的公司資料。已送出的文件維持原內容。',
  part: { head: '文件抬頭', order: '委刊單', payment: '請款單', currency: '幣別' },
  printed: {
    head: '印於委刊單、對帳單與請款單的上方；商標以小尺寸印於白底。',
    order: '條款會依文件語言帶入新委刊單的最後，仍可逐張修改。',
    payment: '匯款帳號印於請款單的金額下方。',
    currency: '不單獨列印；花費以此幣別加總，客戶未設定請款幣別時，委刊單也以此幣別開始。',
  },
  field: {
    name: '名稱',
    tax_id: '統一編號',
    jp_tax_id: '登記號碼（日本）',
    address: '地址',
    phone: '電話',
    logo: '商標',
    bank: '匯款帳號',
    terms_en: '英文條款',
    terms_zh: '中文條款',
    base_currency: '本位幣',
    valid_days: '報價有效天數',
  },
  hint: {
    tax_id: '8 位數字；印於所有文件。',
    jp_tax_id: 'T 加 13 位數字；印於課日本消費稅的文件。',
  },
  logo: {
    alt: '商標',
    remove: '移除商標',
    refused: '請使用 512 kB 與 400 萬像素以內的 PNG 或 JPEG。',
  },
  days_range: '請輸入 1 至 {{most}} 天。',
  save: '儲存',
  reset: '捨棄變更',
  saved: '已儲存公司資料',
}
