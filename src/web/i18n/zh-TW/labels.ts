import type { labels as english } from '#web/i18n/en/labels.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const labels: TextsLike<typeof english> = {
  search: '搜尋指標',
  scope: '適用範圍',
  scope_agency: '全公司',
  channel: '管道',
  all_channels: '所有管道',
  only_own: '僅顯示已改名',
  order:
    '報表優先採用廣告主的名稱，其次為全公司的名稱；個別管道的名稱優先於所有管道的名稱。未設定時顯示指標原名。',
  read_only: '全公司適用的指標名稱由主管修改。',
  list: '指標與其名稱',
  original: '指標',
  label: '報表中的名稱',
  field: { label: '英文名稱', label_zh: '中文名稱' },
  unchanged: '使用原名',
  inherited: '沿用上層設定',
  change: '改名',
  change_of: '將「{{name}}」改名',
  reset: '還原',
  reset_of: '還原「{{name}}」的名稱',
  save: '儲存',
  cancel: '取消',
  count_other: '{{count}} 個指標',
  none_own: '此範圍尚無改名的指標',
  none_own_detail: '關閉篩選後，即可將指標改為客戶慣用的名稱。',
  nothing_found: '找不到指標',
}
