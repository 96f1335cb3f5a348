import type { errors as english } from '../en/errors.ts'
import type { TextsLike } from '../texts.ts'

export const errors: TextsLike<typeof english> = {
  unreachable: '無法連線至伺服器，請檢查網路連線；系統將自動重試。',
  unreadable: '無法解讀伺服器的回應。Sheetcast 可能已更新，請重新載入頁面。',
  request_id: '請求編號 {{id}}',
  retry: '再試一次',
  reload: '重新載入頁面',
  wait: '稍後將自動繼續。',
  contact_pm: '請將請求編號提供給 PM。',
}
