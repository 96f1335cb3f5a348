import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { announceRun, announcedWrite } from '#server/resources/runs/queries.ts'
import { OWNER } from '#server/sheets/testing/sandbox.ts'
import { testService } from '#server/sheets/testing/service.ts'
import { openLiveEvents } from './live-events.ts'

const stopping = new AbortController()
const api = await testApi({ effects: { stopping: stopping.signal } })
const { db, effects, onNotify, origin, clock } = api
effects.liveEvents = await openLiveEvents(db, onNotify)
const service = await testService()
effects.settings.built_in_sheets = { sheets: service.origin, drive: service.origin }

async function listenAs(client: Client, query = '', position?: string) {
  const left = new AbortController()
  const response = await fetch(`${origin}/api/events/${query}`, {
    headers: {
      authorization: `Bearer ${client.token}`,
      ...(position !== undefined && { 'last-event-id': position }),
    },
    signal: left.signal,
  })
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readUntil = async (needle: string) => {
    while (!text.includes(needle)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`ended after ${text}`)
      text += value
    }
    return text
  }
  // Events from before anybody has joined are not received.
  await readUntil('retry:')
  return {
    response,
    readUntil,
    async readToEnd() {
      for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value
      return text
    },
    leave: () => left.abort(),
  }
}

const move = async (report: number, owner: number) => {
  const run = randomUUIDv7()
  await announceRun(db, { id: run, report, owner }, 'fetching')
  return run
}

describe('the stream of events', () => {
  it('has runs of visible reports, and of no others', async () => {
    const [owner, viewer, outsider, superuser] = await Promise.all([
      api.signedIn('staff'),
      api.signedIn('external_user'),
      api.signedIn('external_user'),
      api.signedIn('superuser'),
    ])
    const report = await owner.report()
    const other = await outsider.report()
    await db
      .insertInto('report_share')
      .values({ report: report.id, user_id: viewer.user.id, access: 'viewer', shared_by: null, folder: null })
      .execute()
    const streams = await Promise.all([owner, viewer, outsider, superuser].map(client => listenAs(client)))
    const hidden = await move(other.id, outsider.user.id)
    const visible = await move(report.id, owner.user.id)
    const last = await move(other.id, outsider.user.id)
    const [to_owner, to_viewer, to_outsider, to_superuser] = await Promise.all([
      streams[0]?.readUntil(visible),
      streams[1]?.readUntil(visible),
      streams[2]?.readUntil(last),
      streams[3]?.readUntil(last),
    ])
    expect(to_owner).toContain(`"report":${report.id},"owner":${owner.user.id},"status":"fetching"`)
    for (const text of [to_owner, to_viewer]) expect(text).not.toContain(hidden)
    expect(to_outsider).toContain(hidden)
    expect(to_outsider).not.toContain(visible)
    expect(to_superuser).toContain(hidden)
    expect(to_superuser).toContain(visible)
    expect(streams[0]?.response.headers.get('content-type')).toContain('text/event-stream')
    expect(streams[0]?.response.headers.get('cache-control')).toBe('no-store')
    streams.forEach(stream => stream.leave())
  })

  it('has one’s own notifications, and that they were read', async () => {
    const [owner, outsider] = [await api.signedIn('external_user'), await api.signedIn('superuser')]
    const streams = await Promise.all([owner, outsider].map(client => listenAs(client)))
    await insertNotices(db, [{ user_id: owner.user.id, kind: 'login_failed' }], clock.now)
    const text = await streams[0]?.readUntil('event: notification')
    await owner.post('/api/notifications/read/', { all: true })
    await streams[0]?.readUntil('data: {"notification":null}')
    await insertNotices(db, [{ user_id: outsider.user.id, kind: 'login_expires' }], clock.now)
    const [, id] = /data: {"notification":(\d+)}/.exec(text ?? '') ?? []
    expect(id).toBeDefined()
    const to_outsider = await streams[1]?.readUntil('event: notification')
    expect(to_outsider).not.toContain(`{"notification":${id}}`)
    expect(to_outsider).not.toContain('null')
    streams.forEach(stream => stream.leave())
  })

  it('has what reports write to the spreadsheet that is open, for those who may see it', async () => {
    const [id, other] = [await service.owner.create(), await service.owner.create()]
    const owner = await api.signedIn('external_user', { email: OWNER })
    const reader = await api.signedIn('external_user', { email: 'client-b@borealis.demo' })
    expectRefusal(await reader.get(`/api/events/?spreadsheet=${id}`), 404, 'not_found')
    await service.owner.share(id, 'client-b@borealis.demo')
    const watched = `?spreadsheet=${id}`
    const streams = await Promise.all([
      listenAs(owner, watched),
      listenAs(reader, watched),
      listenAs(owner, `?spreadsheet=${other}`),
    ])
    const written = `event: spreadsheet\ndata: {"spreadsheet":"${id}"}`
    await sql`select ${announcedWrite(id)}`.execute(db)
    await streams[0]?.readUntil(written)
    await streams[1]?.readUntil(written)

    await service.owner.unshare(id, 'client-b@borealis.demo')
    await sql`select ${announcedWrite(id)}`.execute(db)
    await sql`select ${announcedWrite(other)}`.execute(db)
    expect(await streams[2]?.readUntil(other)).not.toContain(id)
    const last = await (await owner.report()).id
    await db
      .insertInto('report_share')
      .values({ report: last, user_id: reader.user.id, access: 'viewer', shared_by: null, folder: null })
      .execute()
    const run = await move(last, owner.user.id)
    const received = await streams[1]?.readUntil(run)
    expect(received?.split(written)).toHaveLength(2)
    streams.forEach(stream => stream.leave())
  })

  it('goes on where it was left: with what ended or began meanwhile, of visible reports', async () => {
    const [owner, viewer, outsider, superuser] = await Promise.all([
      api.signedIn('staff'),
      api.signedIn('external_user'),
      api.signedIn('external_user'),
      api.signedIn('superuser'),
    ])
    const report = await owner.report()
    await db
      .insertInto('report_share')
      .values({ report: report.id, user_id: viewer.user.id, access: 'viewer', shared_by: null, folder: null })
      .execute()
    const first = await listenAs(owner)
    const [, position = ''] = /id: (\d+)/.exec(await first.readUntil('"caught_up":false')) ?? []
    first.leave()
    const [ended, begun] = [randomUUIDv7(), randomUUIDv7()]
    const run = { report: report.id, owner: owner.user.id, trigger: 'click' } as const
    await db
      .insertInto('run')
      .values([
        {
          ...run,
          id: ended,
          status: 'completed',
          queued_at: sql<Date>`now() - interval '1 minute'`,
          finished_at: sql<Date>`now()`,
        },
        { ...run, id: begun, status: 'queued' },
      ])
      .execute()
    await insertNotices(db, [{ user_id: owner.user.id, kind: 'login_failed' }], clock.now)
    await db
      .updateTable('notification')
      .set({ at: sql<Date>`now()` })
      .where('user_id', '=', owner.user.id)
      .execute()
    // Of a shared report the newest run.
    for (const [client, expected] of [
      [owner, [ended, begun, '{"notification":null}']],
      [viewer, [begun]],
      [superuser, [ended, begun]],
      [outsider, []],
    ] as const) {
      const stream = await listenAs(client, '', position)
      const text = await stream.readUntil('"caught_up":true')
      expect([ended, begun, '{"notification":null}'].filter(part => text.includes(part))).toEqual(expected)
      stream.leave()
    }
  })

  it.each(['', 'x', '1', '99999999999999'])('begins anew after the position %j', async position => {
    const stream = await listenAs(await api.signedIn('staff'), '', position)
    expect(await stream.readUntil('"caught_up":')).toContain('"caught_up":false')
    stream.leave()
  })

  it('is for people who are signed in', async () => {
    expect((await api.anonymous.get('/api/events/')).status).toBe(401)
  })

  it('ends with the access token', async () => {
    const client = await api.signedIn('staff')
    const before = clock.now
    // The token has a tenth of a second left.
    clock.now = new Date(Math.floor(before.getTime() / 1000) * 1000 + 599_900)
    const stream = await listenAs(client).finally(() => (clock.now = before))
    expect(await stream.readToEnd()).toContain('retry')
  })

  it('closes a person’s oldest streams in favour of the newest', async () => {
    const client = await api.signedIn('staff')
    const streams = []
    for (let count = 0; count < 21; count++) streams.push(await listenAs(client))
    expect(await streams[0]?.readToEnd()).toContain('retry')
    const report = await client.report()
    const run = await move(report.id, client.user.id)
    await Promise.all(streams.slice(1).map(stream => stream.readUntil(run)))
    streams.forEach(stream => stream.leave())
  })

  it('ends when the process shuts down', async () => {
    const stream = await listenAs(await api.signedIn('staff'))
    stopping.abort()
    expect(await stream.readToEnd()).toContain('retry')
  })
})
