import type { industries as english } from '#web/i18n/en/industries.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const industries: TextsLike<typeof english> = {
  title: '產業',
  detail: '客戶所屬的產業，花費可依產業加總。',
  search: '搜尋產業',
  name: '英文名稱',
  name_zh: '中文名稱',
  advertisers: '廣告主',
  actions: '操作',
  actions_of: '{{name}} 的操作',
  import: '匯入產業',
  create: { title: '新增產業', submit: '新增', done: '已新增 {{name}}' },
  rename: {
    action: '重新命名',
    title: '重新命名 {{name}}',
    submit: '重新命名',
    done: '已重新命名為 {{name}}',
  },
  merge: {
    action: '併入其他產業',
    title: '合併 {{name}}',
    detail_other: '其 {{count}} 個廣告主將改屬另一產業，並刪除此產業。',
    into: '併入',
    choose: '選擇產業',
    submit: '合併',
    done: '已合併 {{name}}',
  },
  empty: '尚無產業',
  empty_detail: '新增客戶所屬的產業。',
  nothing_found: '找不到產業',
  clear: '清除搜尋',
}
