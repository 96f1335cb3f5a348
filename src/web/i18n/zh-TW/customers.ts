import type { customers as english } from '#web/i18n/en/customers.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const customers: TextsLike<typeof english> = {
  tax_country: '國家',
  tax_countries: { TW: '台灣', JP: '日本', other: '其他' },
  tax_ids: { TW: '統一編號', JP: '登記號碼', other: '稅籍編號' },
  tax_id_valid: '檢查碼正確',
  tax: {
    tw_vat: '應稅 5%',
    jp_ct: '消費稅（日本）10%',
    zero_rated: '零稅率',
    exempt: '免稅',
  },
  media_billing: { agency: '代理商請款', advance: '代墊', client: '客戶自付' },
  media_billing_detail: {
    agency: '媒體費與服務費一併開立發票並課稅。',
    advance: '媒體費代墊不課稅，僅服務費課稅。',
    client: '客戶直接付款給平台，僅收取服務費。',
  },
  state: { label: '狀態', any: '所有狀態', active: '啟用', inactive: '停用' },
  action: {
    delete: '刪除',
    deactivate: '停用',
    activate: '啟用',
    actions_of: '{{name}} 的操作',
  },
  conflict: {
    title: '其他人已在此期間儲存變更',
    detail: '對方變更了：{{fields}}。',
    elsewhere: '對方變更的內容不在此表單中。',
    merge: '保留我的變更',
    take_theirs: '放棄我的變更',
  },
  delete: {
    title: '要刪除 {{name}} 嗎？',
    detail: '刪除後無法復原。',
    done: '已刪除 {{name}}',
    in_use_title: '{{name}} 仍在使用中',
    in_use: '下列項目仍與其相關，因此無法刪除：',
    in_use_instead: '下列項目仍與其相關，因此無法刪除，可改為停用。',
    understood: '確定',
    uses: {
      advertisers_other: '{{count}} 個廣告主',
      accounts_other: '{{count}} 個帳戶',
      reports_other: '{{count}} 份報表',
      spreadsheets_other: '{{count}} 份試算表',
      quotations_other: '{{count}} 份委刊單',
      payments_other: '{{count}} 筆請款',
      metrics_other: '{{count}} 個計算指標',
      conversions_other: '{{count}} 個轉換定義',
      labels_other: '{{count}} 個指標名稱',
      adjustments_other: '{{count}} 筆花費調整',
      links_other: '{{count}} 個連結',
      statements_other: '{{count}} 個月的對帳單',
    },
  },
}
