import { isInternal } from '#shared/access.ts'
import {
  NotificationList,
  NotificationQuery,
  ReadNotifications,
  ReadReply,
  type Notification,
} from '#shared/api/notifications.ts'
import type { Language, Text } from '#shared/language.ts'
import { noticeText, type NoticeReader } from '#shared/notice-text.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { pageOf } from '#server/http/list.ts'
import { route } from '#server/http/route.ts'
import { errorTexts } from './compose.ts'
import { countUnread, listNotices, markRead, noticeBatches, presentNotice } from './queries.ts'
import { listSpecialists } from './specialist-queries.ts'

const PATH = '/api/notifications/'

const list = route('GET', PATH, {
  summary: 'List your notifications of the last 90 days.',
  level: 'external_user',
  query: NotificationQuery,
  reply: NotificationList,
  async run({ query, user, db, request }) {
    const { count, unread, rows } = await listNotices(db, user, query)
    return { ...pageOf(request.url, query, { count, results: rows.map(presentNotice) }), unread }
  },
  csv: async ({ query, user, db }) => {
    const audience = isInternal(user) ? 'internal' : 'external'
    const specialists = await listSpecialists(db, user)
    return csvOf(title, columnsFor({ audience, specialists }), noticeBatches(db, user, query))
  },
})

const title: Text = { en: 'Notifications', 'zh-TW': '通知' }

function columnsFor(
  reader: Pick<NoticeReader, 'audience' | 'specialists'>,
): readonly CsvColumn<Notification>[] {
  const words = (notice: Notification, language: Language) =>
    noticeText(notice, { ...reader, language, errors: errorTexts[language] })
  return [
    { header: { en: 'ID', 'zh-TW': '編號' }, cell: notice => notice.id },
    { header: { en: 'Time ({zone})', 'zh-TW': '時間（{zone}）' }, cell: notice => new Date(notice.at) },
    { header: { en: 'What', 'zh-TW': '內容' }, cell: (notice, language) => words(notice, language).title },
    { header: { en: 'Why', 'zh-TW': '原因' }, cell: (notice, language) => words(notice, language).cause },
    { header: { en: 'Report', 'zh-TW': '報表' }, cell: notice => notice.report?.name ?? null },
    {
      header: { en: 'Read ({zone})', 'zh-TW': '已讀時間（{zone}）' },
      cell: ({ read_at }) => (read_at === null ? null : new Date(read_at)),
    },
  ]
}

const read = route('POST', `${PATH}read/`, {
  summary: 'Mark some or all of your notifications as read.',
  level: 'external_user',
  body: ReadNotifications,
  reply: ReadReply,
  async run({ body, user, db, now }) {
    await markRead(db, body, { user_id: user.id, at: now })
    return { unread: await countUnread(db, user) }
  },
})

export const notificationsRoutes = [list, read]
