import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Overview } from '#shared/api/overview.ts'
import { tzNames } from '#shared/testing/tz-names.ts'
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
  facts: { status?: 'completed' | 'error' | 'cancelled' | 'queued'; at: string; code?: string },
) {
  const { status = 'completed', at: instant, code = null } = facts
  const is_over = status !== 'queued'
  await api.db
    .insertInto('run')
    .values({
      id: randomUUID(),
      report,
      owner: who.user.id,
      trigger: 'click',
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

const share = (report: number, who: Client) =>
  api.db
    .insertInto('report_share')
    .values({ report, user_id: who.user.id, access: 'viewer', shared_by: null })
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
    const { failures } = await read(who)
    expect(failures.reports.map(({ name }) => name)).toEqual(['newer', 'cancelled since', 'older'])
    expect(failures.count).toBe(3)
  })

  it('do not include a report that only could not be started, as earlier versions recorded it', async () => {
    const who = await somebody()
    const { id } = await who.report({ name: 'incomplete' })
    await run(who, id, { at: '2026-11-20T01:00:00Z', status: 'error', code: 'page_not_set' })
    expect((await read(who)).failures).toEqual({ count: 0, reports: [] })
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
    expect([mine.completed, mine.failed, mine.failures.count, mine.to_come.count]).toEqual([2, 2, 2, 2])
    const theirs = await read(reader)
    expect([theirs.completed, theirs.failed, theirs.failures.count, theirs.to_come.count]).toEqual([
      1, 1, 1, 1,
    ])
    expect(theirs.recent.reports.map(({ report, updated_at }) => [report.name, updated_at])).toEqual([
      ['Shared', '2026-11-20T00:30:00.000Z'],
    ])
    expect(JSON.stringify(theirs)).not.toContain('Hidden')
    const none = await read(outsider)
    expect([none.completed, none.failed, none.failures.count, none.recent.count]).toEqual([0, 0, 0, 0])
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
    await sql`
      insert into run (id, report, owner, trigger, status, queued_at, finished_at)
      select gen_random_uuid(), id, owner, 'schedule', case when id % 50 = 0 then 'error' else 'completed' end,
        timestamptz '2026-11-20T00:50:00Z', timestamptz '2026-11-20T01:00:00Z'
      from report where owner = ${heavy.user.id}`.execute(api.db)
    await sql`vacuum analyze`.execute(api.db)
    for (const [person, most] of [
      [who, 500],
      // Their own, up to where the counting stops; nothing is read twice, except the report of each run,
      // which its policy checks.
      [heavy, 140_000],
    ] as const) {
      const before = await rowsRead()
      await read(person)
      expect((await rowsRead()) - before).toBeLessThan(most)
    }
    expect(await read(heavy)).toMatchObject({ completed: 10_000, failed: 400, to_come: { count: 10_000 } })
  })
})

/** Rows that the tables of reports and runs have returned so far, by an index or without one. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(api.db)
  const { rows } = await sql<{ count: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as count
    from pg_stat_user_tables where relname in ('report', 'run')`.execute(api.db)
  return rows[0]?.count ?? 0
}
