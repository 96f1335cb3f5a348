import type { notices as en } from '#web/i18n/en/notices.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const notices: TextsLike<typeof en> = {
  title: '通知',
  read_all: '全部標示為已讀',
  read: '標示為已讀',
  read_this: '標示為已讀：{{title}}',
  unread: '未讀：',
  empty: '目前沒有通知',
  empty_detail: '報表失敗、恢復更新或有人與您共用報表時，會在此通知您。',
  more: '顯示更多',
  mail_settings: '電子郵件設定',
  today: '今天',
  yesterday: '昨天',
  many: '有 {{count}} 項報表或管道需要處理，請查看通知。',
}
