import type { shares as english } from '#web/i18n/en/shares.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const shares: TextsLike<typeof english> = {
  try_again_in: '同時送出的請求過多，請於 {{seconds}} 秒後再試。',
  too_many_reports: '每人最多可擁有 {{limit}} 份報表，您已達上限。已刪除的報表在 30 天內仍會計入。',
  too_many_folders: '每人最多可擁有 {{limit}} 個資料夾，您已達上限。已刪除的資料夾在 30 天內仍會計入。',
  too_many_spreadsheets: '您在過去 24 小時內已建立 {{limit}} 份試算表，請稍後再試，或貼上現有試算表的網址。',
  too_many_issues: '您在過去 24 小時內已回報 {{limit}} 個問題，請稍後再試。',
}
