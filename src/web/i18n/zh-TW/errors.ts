import type { errors as english } from '#web/i18n/en/errors.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const errors: TextsLike<typeof english> = {
  offline: '您目前離線，請檢查網路連線；系統將自動重試。',
  unreachable: '無法連線至伺服器，請檢查網路連線；系統將自動重試。',
  unreadable: '無法解讀伺服器的回應。Sheetcast 可能已更新，請重新載入頁面。',
  request_id: '請求編號 {{id}}',
  options: '無法載入選項。',
  retry: '再試一次',
}
