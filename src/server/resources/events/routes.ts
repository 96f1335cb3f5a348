import type { ServerResponse } from 'node:http'
import { decodeJwt } from 'jose'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SpreadsheetId } from '#shared/api/sheets.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { findSignedIn, sessionsSince, type SignedInUser } from '#server/http/session.ts'
import { serviceFor } from '#server/resources/sheets/service.ts'
import { missedEvents } from './missed.ts'
import { databaseClock } from './queries.ts'

const KEEP_ALIVE_MS = 20_000
/** Bytes that a client has not read yet; one that reads nothing is disconnected. */
const MOST_UNREAD_BYTES = 256 * 1024

const EventsQuery = z.object({ spreadsheet: SpreadsheetId.optional() })

const events = route('GET', '/api/events/', {
  summary:
    'Server-sent events: `run` when a run that you can see changes, `notification` when your notifications change, `spreadsheet` when a report has been written to the built-in spreadsheet of the query. The stream ends with the access token; reconnect with a new one. With `Last-Event-ID` it begins with what you have missed; `open` says whether that is all (`caught_up`), or you have to read again.',
  level: 'external_user',
  query: EventsQuery,
  transaction: 'own',
  // It never ends, so it may hold neither a share nor a slot.
  kind: null,
  async run({ user, query, reply, request, effects, db, now, slot }) {
    const watched = query.spreadsheet === undefined ? null : watchOf(query.spreadsheet, user, effects)
    if (watched && !(await watched.maySee())) throw refuse('not_found')
    slot.release()
    const { raw, ended, end } = openStream(reply)
    const send = (text: string) => {
      if (raw.writableLength > MOST_UNREAD_BYTES) end()
      else raw.write(text)
    }
    send('retry: 2000\n\n')
    let position = () => ''
    const sendEvent = ({ event, data }: { event: string; data: object }) =>
      send(`${position()}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    // Joined first, so that nothing falls between what was missed and what comes.
    const leave = effects.liveEvents.join({
      person: user,
      notify: sendEvent,
      end,
      ...(watched && { watched }),
    })
    try {
      const clock = await databaseClock(db)
      const begun = performance.now()
      const missed = await missedEvents(db, user, { position: request.headers['last-event-id'], now: clock })
      missed?.forEach(sendEvent)
      position = () => `id: ${Math.floor(clock + performance.now() - begun)}\n`
      sendEvent({ event: 'open', data: { caught_up: missed !== null } })
    } catch {
      // The database is away; whoever listens reads again.
      sendEvent({ event: 'open', data: { caught_up: false } })
    }
    const since = sessionsSince(now, effects.settings.session_days)
    const expiry = setTimeout(end, msLeftOf(request, now))
    // Signed out, closed, demoted: the token is no longer valid. A database that is away does not count.
    const beat = setInterval(() => {
      findSignedIn(db, { user_id: user.id, family: user.family }, since).then(
        known => (known ? send(`${position()}: here\n\n`) : end()),
        () => undefined,
      )
    }, KEEP_ALIVE_MS)
    effects.stopping.addEventListener('abort', end)
    if (effects.stopping.aborted) end()
    await ended
    effects.stopping.removeEventListener('abort', end)
    clearInterval(beat)
    clearTimeout(expiry)
    leave()
    raw.end()
  },
})

/** Who may see a built-in spreadsheet can change at any time, so its service is asked each time. */
function watchOf(spreadsheet: string, user: SignedInUser, effects: Effects) {
  const service = serviceFor(user, effects)
  const maySee = () =>
    service.file(spreadsheet).then(
      () => true,
      () => false,
    )
  return { spreadsheet, maySee }
}

/**
 * Takes the response out of the framework's control; `ended` resolves when the client has disconnected or
 * `end` was called.
 */
function openStream(reply: FastifyReply): { raw: ServerResponse; ended: Promise<void>; end: () => void } {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  reply.hijack()
  const { raw } = reply
  raw.once('close', () => end())
  if (raw.destroyed) end()
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  return { raw, ended, end: () => end() }
}

/** The token has been verified before; only its expiry is read here. */
function msLeftOf(request: FastifyRequest, now: Date): number {
  const { exp = 0 } = decodeJwt(request.headers.authorization?.replace(/^Bearer /i, '') ?? '')
  return Math.max(0, exp * 1000 - now.getTime())
}

export const eventsRoutes = [events]
