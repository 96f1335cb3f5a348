import { reportAccess } from '#shared/access.ts'
import { RunEvent } from '#shared/api/executions.ts'
import { SpreadsheetEvent } from '#shared/api/sheets.ts'
import { Id } from '#shared/api/list.ts'
import { NotificationEvent } from '#shared/api/notifications.ts'
import type { Db } from '#server/db/connect.ts'
import type { Listen } from '#server/db/listen.ts'
import type { LiveEvents, LiveListener } from '#server/http/effects.ts'
import { NOTICE_CHANNEL } from '#server/resources/notifications/queries.ts'
import { RUN_CHANNEL, WRITE_CHANNEL } from '#server/resources/runs/queries.ts'
import { findCircle, type Circle } from './queries.ts'

// How long a person may still get events of a report that is no longer shared with them; only that it
// changed, nothing of its content.
const HOLDS_MS = 30_000
const MOST_CACHED = 10_000
/** Streams of one person in one process, tabs and devices together; the oldest is closed first. */
const MOST_STREAMS = 20

/**
 * Notifies all subscribers of runs that have changed, each only of reports that they may see (one query a
 * report, however many have joined), and of their own notifications.
 */
export async function openLiveEvents(db: Db, listen: Listen): Promise<LiveEvents> {
  const listeners = new Set<LiveListener>()
  const circleOf = cachedFor(HOLDS_MS, (report: number) => findCircle(db, report))
  // In the order in which they happened: a late query result must not set a run back.
  let delivered = Promise.resolve()
  await listen(RUN_CHANNEL, payload => {
    if (listeners.size === 0) return
    // A newer version that runs in parallel may send events that are unknown here.
    const { data: event } = RunEvent.safeParse(JSON.parse(payload))
    if (!event) return
    // Without a result the database is away: pages with a run reload it anyway.
    const circle = circleOf(event.report).catch(() => null)
    delivered = delivered.then(async () => notifyAll(listeners, await circle, event))
  })
  await listen(NOTICE_CHANNEL, payload => {
    const { data: notice } = Notice.safeParse(JSON.parse(payload))
    if (!notice) return
    for (const { person, notify } of listeners)
      if (person.id === notice.user_id)
        notify({ event: 'notification', data: { notification: notice.notification } })
  })
  await listen(WRITE_CHANNEL, payload => {
    const { data } = SpreadsheetEvent.safeParse(JSON.parse(payload))
    if (data) for (const listener of listeners) void notifyOfWrite(listener, data)
  })
  return {
    join(listener) {
      const own = [...listeners].filter(({ person }) => person.id === listener.person.id)
      if (own.length >= MOST_STREAMS) own[0]?.end()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    count: () => listeners.size,
  }
}

/** Whose spreadsheet it is only the spreadsheet service knows. */
async function notifyOfWrite({ watched, notify }: LiveListener, data: SpreadsheetEvent) {
  if (watched?.spreadsheet === data.spreadsheet && (await watched.maySee().catch(() => false)))
    notify({ event: 'spreadsheet', data })
}

/** The recipient, beside the payload. */
const Notice = NotificationEvent.extend({ user_id: Id })

function notifyAll(listeners: Set<LiveListener>, circle: Circle | null, event: RunEvent) {
  if (!circle) return
  for (const { person, notify } of listeners) {
    const access = circle.shares.get(person.id)
    if (reportAccess(person, circle, access ? { access } : null)) notify({ event: 'run', data: event })
  }
}

/** Caches the result for so long; failures are not cached. */
function cachedFor<T>(ms: number, load: (key: number) => Promise<T>) {
  const cache = new Map<number, { promise: Promise<T>; until: number }>()
  return (key: number): Promise<T> => {
    const now = performance.now()
    const before = cache.get(key)
    if (before && before.until > now) return before.promise
    if (cache.size >= MOST_CACHED) cache.clear()
    const promise = load(key)
    cache.set(key, { promise, until: now + ms })
    promise.catch(() => cache.delete(key))
    return promise
  }
}
