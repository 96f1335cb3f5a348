import type { QueryClient } from '@tanstack/react-query'
import type { Execution } from '#shared/api/executions.ts'
import type { Notification } from '#shared/api/notifications.ts'
import type { IdentityReply } from '#shared/api/people.ts'
import { noticeText, noticeActionOf } from '#shared/notice-text.ts'
import { noticeActions } from '#shared/notices.ts'
import { meQuery } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { errorTextsIn, loadInnerTexts, nowSpoken } from '#web/i18n/i18n.ts'
import { translate } from '#web/i18n/translate.ts'
import { fetchNewest } from './data.ts'

/** At most this many are shown one by one. */
const MOST = 2

/** Shows new failures as toasts, except those of runs that the person is watching anyway. */
export async function showNoticeToasts(queries: QueryClient, ids: readonly number[]) {
  const [{ results }] = await Promise.all([fetchNewest(Math.min(ids.length + 5, 100)), loadInnerTexts()])
  const me = queries.getQueryData(meQuery.queryKey)
  const watched = watchedRuns(queries)
  const failures = results.filter(
    notice =>
      ids.includes(notice.id) &&
      (notice.severity === 'error' || notice.severity === 'warning') &&
      !(notice.run !== null && watched.has(notice.run)),
  )
  if (!me || failures.length === 0) return
  if (failures.length > MOST) showCount(failures.length)
  else for (const notice of failures.toReversed()) showOne(notice, me)
}

/** Runs whose progress or details are on the screen. */
function watchedRuns(queries: QueryClient): Set<string> {
  const active = queries.getQueryCache().findAll({ type: 'active' })
  const runs = active.flatMap(({ queryKey: [kind, id], state }) => {
    if (kind === 'run') return [String(id)]
    if (kind !== 'execution') return []
    const execution = state.data as Execution | undefined
    return execution?.reports.map(report => report.run) ?? []
  })
  return new Set(runs)
}

function showOne(notice: Notification, me: IdentityReply) {
  const { language } = nowSpoken()
  const errors = errorTextsIn(language)
  if (!errors) return
  const audience = me.identity === 'external_user' ? 'external' : 'internal'
  const { title, cause } = noticeText(notice, {
    language,
    errors,
    audience,
    specialists: me.specialists,
  })
  const offer = noticeActionOf(notice, audience)
  showToast({
    severity: notice.severity,
    message: title,
    sub_message: [
      cause,
      ...(offer
        ? [{ line_break: true } as const, { text: noticeActions[offer.action][language], to: offer.path }]
        : []),
    ],
  })
}

function showCount(count: number) {
  const { language, texts } = nowSpoken()
  showToast({
    severity: 'warning',
    message: translate(texts.notices ?? {}, 'many', { values: { count }, language }),
  })
}
