import type { overview as english } from '../en/overview.ts'
import type { TextsLike } from '../texts.ts'

export const overview: TextsLike<typeof english> = {
  title: '總覽',
  greeting: '{{name}}，您好',
  ran: '上次執行成功',
  failed: '上次執行失敗',
  due: '已排程',
  running: '執行中',
  failures_title: '需要處理',
  next_title: '即將執行',
  recent_title: '最近修改',
  nothing_failed: '所有報表上次執行皆順利完成。',
  nothing_due: '目前沒有排程的報表。設定排程後，報表將自動更新試算表。',
  all_reports: '所有報表',
  empty_title: '尚無報表',
  empty_detail: '只需設定一次要哪些數據、放在哪裡，之後每天早上數據就在您的試算表中。',
  empty_action: '建立第一份報表',
  rows_other: '{{count}} 列',
  never_ran: '尚未執行',
}
