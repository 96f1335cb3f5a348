import type { code_step as english } from '#web/i18n/en/code-step.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const code_step: TextsLike<typeof english> = {
  title: '兩步驟驗證',
  detail: '請輸入驗證器應用程式顯示的驗證碼。',
  recovery_detail: '請輸入啟用時取得的任一組復原碼，每組僅能使用一次。',
  code: '驗證碼',
  recovery_code: '復原碼',
  use_recovery_code: '改用復原碼',
  use_app_code: '改用應用程式的驗證碼',
  code_required: '請輸入驗證碼。',
  code_wrong: '驗證碼不正確或已使用過。應用程式每 30 秒會產生新的驗證碼。',
  recovery_wrong: '復原碼不正確或已使用過。',
  back: '返回',
}
