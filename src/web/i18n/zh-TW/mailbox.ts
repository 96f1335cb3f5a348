import type { mailbox as english } from '#web/i18n/en/mailbox.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const mailbox: TextsLike<typeof english> = {
  title: '示範信箱',
  detail: '原本會寄出的電子郵件都在這裡，不會離開這台電腦。',
  empty: '目前沒有信件',
  empty_detail: '您的報表失敗或恢復更新後，幾秒內就會在此看到通知信。',
  not_here: '此處沒有信箱',
  not_here_detail: '信件會直接寄給收件人，無法在此查看。',
  to: '收件人：{{to}}',
  from: '寄件人',
  receiver: '收件人',
  at: '寄送時間',
  form: '顯示方式',
  html: 'HTML',
  text: '純文字',
  back: '所有信件',
}
