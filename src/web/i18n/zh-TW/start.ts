import type { start as english } from '#web/i18n/en/start.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const start: TextsLike<typeof english> = {
  title: '新增報表',
  detail: '選擇客戶與起點，儲存前都可以再調整。',
  client: '客戶',
  accounts_other: '{{count}} 個帳戶',
  search_client: '搜尋客戶',
  no_client: '沒有符合「{{text}}」的客戶。',
  some_clients: '顯示 {{visible}} 個，共 {{count}} 個，其他請搜尋。',
  choose_client: '請先選擇客戶，範例將填入該客戶的帳戶。',
  examples: '範例',
  everything: '{{client}}的所有管道',
  no_accounts: '{{client}}沒有可用的帳戶',
  left_out: '不含 {{channels}}',
  copy: '複製現有報表',
  search_report: '搜尋報表',
  copy_of: '複製 {{name}}',
  no_clients_internal: '目前沒有指派給您且具廣告帳戶的客戶。請洽超級管理員，或從空白報表開始。',
  no_clients_external: '您目前沒有可用的廣告帳戶，通常是因為尚未授權，請聯絡您的服務專員。',
}
