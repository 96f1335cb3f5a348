import type { errors as english } from '../en/errors.ts'
import type { TextsLike } from '../texts.ts'

export const errors: TextsLike<typeof english> = {
  unreachable: '無法連線至伺服器，請檢查網路連線；系統將自動重試。',
  unreadable: '無法解讀伺服器的回應。Sheetcast 可能已更新，請重新載入頁面。',
  try_again_in: '同時送出的請求過多，請於 {{seconds}} 秒後再試。',
  too_many_reports: '每人最多可擁有 {{limit}} 份報表，您已達上限。已刪除的報表在 30 天內仍會計入。',
  too_many_folders: '每人最多可擁有 {{limit}} 個資料夾，您已達上限。已刪除的資料夾在 30 天內仍會計入。',
  too_many_issues: '您在過去 24 小時內已回報 {{limit}} 個問題，請稍後再試。',
  request_id: '請求編號 {{id}}',
  retry: '再試一次',
  offer: {
    field: '前往欄位',
    permission_settings: '權限設定',
    share_spreadsheet: '如何共用',
    run_again: '重新執行',
    fewer_cells: '減少資料量',
    edit_report: '編輯報表',
    support: '回報問題',
    wait: '查看執行狀況',
    contact_pm: '聯絡 PM',
  },
}
