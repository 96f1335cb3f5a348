import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Attention, Overview } from '#shared/api/overview.ts'
import { tzNames } from '#shared/testing/tz-names.ts'
import { rowsRead } from '#server/db/testing/rows-read.ts'
import { testApi, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const read = async (who: Client, timezone?: string): Promise<Overview> => {
  const { status, body } = await who.get(`/api/overview/${timezone ? `?timezone=${timezone}` : ''}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Overview
}
const at = (instant: string) => {
  api.clock.now = new Date(instant)
}

beforeEach(() => at('2026-11-20T02:00:00Z'))

/** A person of their own for each test. */
const somebody = () => api.signedIn('staff')

async function run(
  who: Client,
  report: number,
  facts: {
    status?: 'completed' | 'error' | 'cancelled' | 'queued'
    at: string
    code?: string
    trigger?: 'click' | 'schedule' | 'retry'
  },
) {
  const { status = 'completed', at: instant, code = null, trigger = 'click' } = facts
  const is_over = status !== 'queued'
  await api.db
    .insertInto('run')
    .values({
      id: randomUUID(),
      report,
      owner: who.user.id,
      trigger,
      status,
      code,
      queued_at: new Date(Date.parse(instant) - 60_000),
      finished_at: is_over ? new Date(instant) : null,
    })
    .execute()
}

const due = (report: number, next_run_at: string) =>
  api.db
    .updateTable('report')
    .set({ next_run_at: new Date(next_run_at) })
    .where('id', '=', report)
    .execute()

const share = (report: number, who: Client, access: 'viewer' | 'editor' = 'viewer') =>
  api.db
    .insertInto('report_share')
    .values({ report, user_id: who.user.id, access, shared_by: null })
    .execute()

describe('today', () => {
  it("begins and ends at the reader's own midnight", async () => {
    at('2026-11-20T15:55:00Z')
    const who = await somebody()
    const { id } = await who.report()
    // 23:30 on the 19th and 00:30 on the 20th in Taipei; midnight there is 16:00 in Greenwich.
    await run(who, id, { at: '2026-11-19T15:30:00Z' })
    await run(who, id, { at: '2026-11-19T16:30:00Z', status: 'error', code: 'platform_error' })
    expect(await read(who, 'Asia/Taipei')).toMatchObject({ day: '2026-11-20', completed: 0, failed: 1 })
    expect(await read(who)).toMatchObject({ timezone: 'Asia/Taipei', completed: 0, failed: 1 })
    // In Los Angeles the 20th began at 08:00 in Greenwich; in Auckland it is the 21st since 11:00.
    await run(who, id, { at: '2026-11-20T08:00:00Z' })
    const west = await read(who, 'America/Los_Angeles')
    expect(west).toMatchObject({ day: '2026-11-20', completed: 1, failed: 0 })
    const east = await read(who, 'Pacific/Auckland')
    expect(east).toMatchObject({ day: '2026-11-21', completed: 0, failed: 0 })
    at('2026-11-20T16:00:00Z')
    expect(await read(who, 'Asia/Taipei')).toMatchObject({ day: '2026-11-21', completed: 0, failed: 0 })
  })

  it('has 25 hours when the clocks are set back', async () => {
    const who = await somebody()
    const { id } = await who.report()
    await run(who, id, { at: '2026-11-01T07:00:00Z' })
    await run(who, id, { at: '2026-11-02T07:59:00Z' })
    await run(who, id, { at: '2026-11-02T08:00:00Z' })
    at('2026-11-01T20:00:00Z')
    expect(await read(who, 'America/Los_Angeles')).toMatchObject({ day: '2026-11-01', completed: 2 })
  })

  it('includes what is still scheduled before midnight, and when', async () => {
    const who = await somebody()
    const [today, tonight, tomorrow] = [await who.report(), await who.report(), await who.report()]
    await due(tonight.id, '2026-11-20T15:59:00Z')
    await due(today.id, '2026-11-20T07:00:00Z')
    await due(tomorrow.id, '2026-11-20T16:00:00Z')
    const { to_come, due: next } = await read(who, 'Asia/Taipei')
    expect(to_come).toEqual({ count: 2, next_at: '2026-11-20T07:00:00.000Z' })
    expect(next.map(({ id }) => id)).toEqual([today.id, tonight.id, tomorrow.id])
    await due(today.id, '2026-11-22T07:00:00Z')
    await due(tonight.id, '2026-11-22T07:00:00Z')
    await due(tomorrow.id, '2026-11-22T07:00:00Z')
    expect((await read(who, 'Asia/Taipei')).to_come).toEqual({ count: 0, next_at: null })
  })

  it('includes runs in progress', async () => {
    const who = await somebody()
    const { id } = await who.report()
    await run(who, id, { at: '2026-11-20T02:00:00Z', status: 'queued' })
    expect(await read(who)).toMatchObject({ running: 1, completed: 0 })
  })

  it.each(['Asia/Kolkata', 'Asia/Calcutta', 'GMT', 'Etc/GMT-8', 'Europe/Kyiv', 'US/Pacific'])(
    'may be that of a browser in %s',
    async timezone => {
      expect(await read(await somebody(), timezone)).toMatchObject({ timezone, unknown_timezone: null })
    },
  )

  it("is the organisation's in a zone that nobody knows, and says so", async () => {
    expect(await read(await somebody(), 'Mars/Olympus')).toMatchObject({
      timezone: 'Asia/Taipei',
      unknown_timezone: 'Mars/Olympus',
      day: '2026-11-20',
    })
  })

  it('can be computed by the database in every zone that a report may have', async () => {
    const { rows } = await sql<{ name: string }>`
      select name from unnest(${tzNames}::text[]) name
      where not exists (select from pg_timezone_names known where known.name = name.name)`.execute(api.db)
    expect(rows.map(({ name }) => name)).toEqual([])
  })
})

describe('the failures', () => {
  it('are the reports whose last run failed, the latest first, without those that have run well since', async () => {
    const who = await somebody()
    const names = ['mended', 'older', 'newer', 'cancelled since', 'deleted', 'long ago']
    const ids = new Map<string, number>()
    for (const name of names) ids.set(name, (await who.report({ name })).id)
    const of = (name: string) => ids.get(name) ?? 0
    const failed = { status: 'error', code: 'platform_error' } as const
    await run(who, of('mended'), { ...failed, at: '2026-11-20T01:00:00Z' })
    await run(who, of('mended'), { at: '2026-11-20T01:10:00Z' })
    await run(who, of('older'), { at: '2026-11-18T01:00:00Z' })
    await run(who, of('older'), { ...failed, at: '2026-11-19T01:00:00Z' })
    await run(who, of('newer'), { ...failed, at: '2026-11-20T01:30:00Z' })
    await run(who, of('cancelled since'), { ...failed, at: '2026-11-19T02:00:00Z' })
    await run(who, of('cancelled since'), { status: 'cancelled', at: '2026-11-20T01:00:00Z' })
    await run(who, of('deleted'), { ...failed, at: '2026-11-20T01:00:00Z' })
    await who.delete(`/api/gs-template-setting/${of('deleted')}/`)
    await run(who, of('long ago'), { ...failed, at: '2026-10-01T01:00:00Z' })
    const { attention } = await read(who)
    const failures = attention.results.filter(({ reason }) => reason === 'failure')
    expect(failures.map(({ report }) => report.name)).toEqual(['newer', 'cancelled since', 'older'])
    expect(attention.failed).toBe(3)
    // What is said of it is how it ended, not that somebody has cancelled it since.
    expect(failures[1]?.outcome).toMatchObject({ status: 'error', code: 'platform_error' })
    expect(failures.map(({ updated_at }) => updated_at)).toEqual([null, null, '2026-11-18T01:00:00.000Z'])
  })
})

describe('the reports that need attention', () => {
  const list = async (who: Client, query = '') => {
    const { status, body } = await who.get(`/api/overview/attention/${query}`)
    expect(status).toBe(200)
    return body as Attention
  }
  const named = ({ results }: Attention) =>
    results.map(({ report, reason }) => [report.name, reason]).filter(([, reason]) => reason !== 'gap')
  const failed = { status: 'error', code: 'platform_error' } as const
  const ends = (report: number, date_end: string) =>
    api.db
      .updateTable('report')
      .set({ dynamic_range: 0, date_start: '2026-01-01', date_end, update_frequency: 2 })
      .where('id', '=', report)
      .execute()

  it('come in the order of urgency, each once, all of them page by page', async () => {
    const who = await somebody()
    const [manual, retried, scheduled, soon, ended, draft] = await Promise.all(
      ['manual', 'retried', 'scheduled', 'soon', 'ended', 'draft'].map(name => who.report({ name })),
    )
    if (!manual || !retried || !scheduled || !soon || !ended || !draft) throw new Error('No report')
    await run(who, manual.id, { ...failed, at: '2026-11-20T01:50:00Z' })
    await due(retried.id, '2026-11-21T01:00:00Z')
    await run(who, retried.id, { ...failed, at: '2026-11-20T01:20:00Z', trigger: 'retry' })
    await run(who, scheduled.id, { ...failed, at: '2026-11-20T01:00:00Z', trigger: 'schedule' })
    await ends(scheduled.id, '2026-11-08')
    await ends(soon.id, '2026-11-09')
    await ends(ended.id, '2026-11-01')
    const all = await list(who)
    expect(named(all)).toEqual([
      ['retried', 'scheduled_failure'],
      ['scheduled', 'scheduled_failure'],
      ['manual', 'failure'],
      ['ended', 'ending'],
      ['soon', 'ending'],
    ])
    expect(all.results.slice(3, 5).map(({ ending }) => ending)).toEqual([
      { state: 'ended', ends_on: '2026-11-16' },
      { state: 'soon', ends_on: '2026-11-24' },
    ])
    expect(all.results.at(-1)).toMatchObject({ report: { name: 'draft' }, reason: 'gap' })
    expect(all.count).toBe(6)
    const page = await list(who, '?limit=2&offset=2')
    expect(named(page)).toEqual(named(all).slice(2, 4))
    expect(page).toMatchObject({ count: 6, next: '/api/overview/attention/?limit=2&offset=4' })
    expect((await read(who)).attention).toMatchObject({ count: 6, failed: 3, results: all.results })
  })

  it('leave out what has been mended: by a success, by being set up, by being deleted or extended', async () => {
    const who = await somebody()
    const { id } = await who.report()
    await run(who, id, { ...failed, at: '2026-11-20T01:00:00Z', trigger: 'schedule' })
    await ends(id, '2026-11-09')
    const reasons = async () => (await list(who)).results.map(({ reason }) => reason)
    expect(await reasons()).toEqual(['scheduled_failure'])
    await run(who, id, { at: '2026-11-20T01:30:00Z' })
    expect(await reasons()).toEqual(['ending'])
    await ends(id, '2026-12-31')
    expect(await reasons()).toEqual(['gap'])
    const block = {
      channel: 'fb',
      label: null,
      accounts: [1],
      metrics: ['cost'],
      filters: [],
      on_error: 'leave_empty',
    }
    const channels = JSON.stringify([block])
    await sql`
      update report set start_cell = 'A1', sheet_name = 'T', spreadsheet_id = 'x', target_state = 'ok',
        channels = ${channels}::jsonb where id = ${id}`.execute(api.db)
    expect(await reasons()).toEqual([])
    await run(who, id, { ...failed, at: '2026-11-20T01:40:00Z' })
    expect(await reasons()).toEqual(['failure'])
    await who.delete(`/api/gs-template-setting/${id}/`)
    expect(await reasons()).toEqual([])
  })

  it('are for a reader those that failed, for an editor also those to change, and nobody elses', async () => {
    const [owner, reader, editor, outsider] = [
      await somebody(),
      await somebody(),
      await somebody(),
      await somebody(),
    ]
    const [broken, draft] = [await owner.report({ name: 'broken' }), await owner.report({ name: 'draft' })]
    await run(owner, broken.id, { ...failed, at: '2026-11-20T01:00:00Z' })
    for (const { id } of [broken, draft]) {
      await share(id, reader)
      await share(id, editor, 'editor')
    }
    const of = async (who: Client) =>
      (await list(who)).results.map(({ report, reason }) => `${report.name} ${reason}`)
    expect(await of(owner)).toEqual(['broken failure', 'draft gap'])
    expect(await of(reader)).toEqual(['broken failure'])
    expect(await of(editor)).toEqual(['broken failure', 'draft gap'])
    expect(await list(outsider)).toMatchObject({ count: 0, results: [] })
  })

  it('do not include a report that only could not be started, as earlier versions recorded it', async () => {
    const who = await somebody()
    const { id } = await who.report({ name: 'incomplete' })
    await run(who, id, { at: '2026-11-20T01:00:00Z', status: 'error', code: 'page_not_set' })
    const { attention } = await read(who)
    expect(attention.failed).toBe(0)
    expect(attention.results.map(({ reason }) => reason)).toEqual(['gap'])
  })
})

describe('the overview', () => {
  it('is of own and shared reports, and of nobody else', async () => {
    const [owner, reader, outsider] = [await somebody(), await somebody(), await somebody()]
    const visible = await owner.report({ name: 'Shared' })
    const hidden = await owner.report({ name: 'Hidden' })
    await share(visible.id, reader)
    for (const { id } of [visible, hidden]) {
      await run(owner, id, { at: '2026-11-20T00:30:00Z' })
      await run(owner, id, { at: '2026-11-20T01:00:00Z', status: 'error', code: 'channel_no_data' })
      await due(id, '2026-11-20T07:00:00Z')
    }
    const mine = await read(owner)
    expect([mine.completed, mine.failed, mine.attention.failed, mine.to_come.count]).toEqual([2, 2, 2, 2])
    const theirs = await read(reader)
    expect([theirs.completed, theirs.failed, theirs.attention.failed, theirs.to_come.count]).toEqual([
      1, 1, 1, 1,
    ])
    expect(theirs.recent.reports.map(({ report, updated_at }) => [report.name, updated_at])).toEqual([
      ['Shared', '2026-11-20T00:30:00.000Z'],
    ])
    expect([mine.recent.count, theirs.recent.count]).toEqual([2, 1])
    expect(JSON.stringify(theirs)).not.toContain('Hidden')
    const none = await read(outsider)
    expect([none.completed, none.failed, none.attention.failed, none.recent.count]).toEqual([0, 0, 0, 0])
  })

  it('lists what was changed last, of own and shared reports together', async () => {
    const [owner, reader] = [await somebody(), await somebody()]
    const names = Array.from({ length: 5 }, (_, index) => `own ${index + 1}`)
    const shared = await owner.report({ name: 'shared' })
    const gone = await reader.report({ name: 'gone' })
    const ids = [shared.id, gone.id]
    for (const name of names) ids.push((await reader.report({ name })).id)
    await share(shared.id, reader)
    await reader.delete(`/api/gs-template-setting/${gone.id}/`)
    const order = ['own 4', 'shared', 'own 1', 'own 5', 'own 3', 'own 2']
    for (const [index, name] of order.entries())
      await sql`update report set last_modified_at = timestamptz '2026-11-20T01:00:00Z' - ${index} * interval '1 minute'
        where name = ${name} and id = any(${ids}::bigint[])`.execute(api.db)
    const { recent } = await read(reader)
    expect(recent.reports.map(({ report }) => report.name)).toEqual(order)
    expect(recent.count).toBe(6)
  })

  it('says whether there is any account to report on', async () => {
    const who = await somebody()
    expect((await read(who)).has_accounts).toBe(false)
    await api.account({ advertiser: await api.advertiser('Somebody', [who.user.id]) })
    expect((await read(who)).has_accounts).toBe(true)
  })

  it('reads no table from end to end, however many reports others have', async () => {
    const [heavy, who] = [await somebody(), await somebody()]
    await heavy.report()
    const { id: template } = await who.report()
    await run(who, template, { at: '2026-11-20T01:00:00Z', status: 'error', code: 'platform_error' })
    await sql`
      insert into report (owner, name, timezone, header_language, arrangement, fill_zero, dimensions, channels, dynamic_range,
        update_frequency, next_run_at)
      select ${heavy.user.id}, 'Report ' || n, 'Asia/Taipei', 'en', 'joined', false, '["date"]', '[]', 1, 2,
        timestamptz '2026-11-20T07:00:00Z'
      from generate_series(1, 20000) n`.execute(api.db)
    // It would write each report again, and all of its indexes.
    await sql`alter table run disable trigger run_ended`.execute(api.db)
    await sql`
      insert into run (id, report, owner, trigger, status, queued_at, finished_at)
      select gen_random_uuid(), id, owner, 'schedule', case when id % 50 = 0 then 'error' else 'completed' end,
        timestamptz '2026-11-20T00:50:00Z', timestamptz '2026-11-20T01:00:00Z'
      from report where owner = ${heavy.user.id}`.execute(api.db)
    await sql`alter table run enable trigger run_ended`.execute(api.db)
    await sql`vacuum analyze`.execute(api.db)
    for (const [person, most] of [
      [who, 500],
      // Their own, up to where the counting stops; nothing is read twice, except the report of each run,
      // which its policy checks, and all of their own for what is still to be set up.
      [heavy, 115_000],
    ] as const) {
      const before = await rowsRead(api, ['report', 'run'])
      await read(person)
      expect((await rowsRead(api, ['report', 'run'])) - before).toBeLessThan(most)
    }
    expect(await read(heavy)).toMatchObject({ completed: 10_000, failed: 400, to_come: { count: 10_000 } })
  })
})

describe('the first steps', () => {
  it('tick themselves from what the reports show', async () => {
    const [who, other] = [await somebody(), await somebody()]
    const done = async () => {
      const { status, body } = await who.get('/api/overview/first-steps/')
      expect(status).toBe(200)
      return body
    }
    const foreign = await other.report()
    await share(foreign.id, who)
    expect(await done()).toEqual({ done: [], report: null })
    const { id } = await who.report()
    expect(await done()).toEqual({ done: ['report'], report: id })
    await sql`update report set target_state = 'ok' where id = ${id}`.execute(api.db)
    await run(who, id, { at: '2026-11-20T01:00:00Z' })
    expect(await done()).toMatchObject({ done: ['report', 'spreadsheet', 'run'] })
    await due(id, '2026-11-21T01:00:00Z')
    await share(id, other)
    expect(await done()).toMatchObject({ done: ['report', 'spreadsheet', 'run', 'schedule', 'share'] })
  })
})
