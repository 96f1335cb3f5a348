import type { agents as english } from '#web/i18n/en/agents.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const agents: TextsLike<typeof english> = {
  title: '代理商',
  detail: '引介客戶的代理商，以及其可獲得的佣金。',
  search: '搜尋代理商',
  field: {
    name: '名稱',
    tax_country: '國家',
    tax_id: '統一編號',
    address: '地址',
    commission_rate: '佣金',
    commission_base: '佣金計算基礎',
    contacts: '聯絡人',
    payment_terms: '付款條件',
    note: '備註',
    is_active: '啟用',
    is_active_hint: '停用後不再出現在選單中，既有廣告主不受影響。',
  },
  base: { fee: '服務費', media: '媒體費' },
  commission: { fee: '服務費的 {{rate}}', media: '媒體費的 {{rate}}' },
  advertisers: '廣告主',
  import: '匯入代理商',
  create: { title: '新增代理商', submit: '新增', done: '已新增 {{name}}' },
  edit: { title: '代理商', submit: '儲存', done: '已儲存 {{name}}' },
  delete: '刪除此代理商',
  empty: '尚無代理商',
  empty_detail: '有客戶透過代理商委託時，請在此新增。',
  nothing_found: '找不到代理商',
  clear: '清除篩選',
}
