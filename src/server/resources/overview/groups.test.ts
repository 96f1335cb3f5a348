import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Grouping, OverviewGroups } from '#shared/api/overview-groups.ts'
import { rowsRead } from '#server/db/testing/rows-read.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
api.clock.now = new Date('2026-11-20T02:00:00Z')
const director = await api.signedIn('director', { department: 1 })
const manager = await api.signedIn('manager', { department: 2 })
const colleague = await api.signedIn('staff', { department: 2 })
const other = await api.signedIn('staff', { department: 3 })
const person = await api.signedIn('external_user')
const A = await api.advertiser('Aurora', [person.user.id, colleague.user.id])
const B = await api.advertiser('Borealis', [other.user.id])
const ofA = await api.account({ advertiser: A })
const yenOfA = await api.account({ advertiser: A, currency: 'JPY' })
const ofB = await api.account({ advertiser: B })

const reportOn = (who: Client, ...accounts: number[]) =>
  who.report({
    channels: [
      { channel: 'fb', label: null, accounts, metrics: ['cost'], filters: [], on_error: 'leave_empty' },
    ],
  })
async function run(who: Client, report: number, facts: { status: 'completed' | 'error'; at: string }) {
  const { status, at } = facts
  const queued_at = new Date(Date.parse(at) - 60_000)
  await api.db
    .insertInto('run')
    .values({
      id: randomUUID(),
      report,
      owner: who.user.id,
      trigger: 'schedule',
      status,
      code: status === 'error' ? 'platform_error' : null,
      queued_at,
      started_at: queued_at,
      finished_at: new Date(at),
    })
    .execute()
}
const read = async (who: Client, by: Grouping) => {
  const { status, body } = await who.get(`/api/overview/groups/?by=${by}&timezone=Asia/Taipei`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as OverviewGroups
}
const numbers = ({ groups }: OverviewGroups) =>
  Object.fromEntries(
    groups.map(({ id, name, reports, ran_today, failed, ending, attention }) => [
      name ?? id ?? 'none',
      [reports, ran_today, failed, ending, attention].join(' '),
    ]),
  )

const mended = await reportOn(colleague, ofA)
await run(colleague, mended.id, { status: 'error', at: '2026-11-20T00:30:00Z' })
await run(colleague, mended.id, { status: 'completed', at: '2026-11-20T01:00:00Z' })
const broken = await reportOn(colleague, ofA)
await run(colleague, broken.id, { status: 'error', at: '2026-11-19T01:00:00Z' })
const both = await reportOn(other, ofB)
await sql`insert into report_account (report, block, ad_account) values (${both.id}, 0, ${ofA})`.execute(
  api.db,
)
await run(other, both.id, { status: 'completed', at: '2026-11-20T01:00:00Z' })
const own = await reportOn(person, ofA)
await run(person, own.id, { status: 'completed', at: '2026-11-18T01:00:00Z' })
const gone = await reportOn(colleague, ofA)
await run(colleague, gone.id, { status: 'error', at: '2026-11-20T01:00:00Z' })
await colleague.delete(`/api/gs-template-setting/${gone.id}/`)
await sql`update report set start_cell = 'A1', sheet_name = 'T', spreadsheet_id = 'x', target_state = 'ok'`.execute(
  api.db,
)
await sql`
  update report set dynamic_range = 0, date_start = '2026-01-01', date_end = '2026-11-09', update_frequency = 2
  where id = ${own.id}`.execute(api.db)
const cost = (ad_account: number, day: string, units: number) => ({
  ad_account,
  day,
  cost: units * 1_000_000,
  impressions: 0,
  clicks: 0,
  conversions: 0,
})
await api.db
  .insertInto('spend_day')
  .values([
    cost(ofA, '2026-11-19', 5),
    cost(ofA, '2026-10-21', 2),
    cost(ofA, '2026-10-20', 100),
    cost(ofA, '2026-11-20', 100),
    cost(yenOfA, '2026-11-19', 700),
    cost(ofB, '2026-11-19', 40),
  ])
  .execute()

describe('the reports of an agency', () => {
  it('are counted by the team of their owner, what needs most attention first', async () => {
    const teams = await read(director, 'team')
    // Reports, runs of today, failed, ending, needing attention.
    expect(numbers(teams)).toEqual({ 2: '2 2 1 0 1', 3: '1 1 0 0 0', none: '1 0 0 1 1' })
    expect(teams.groups.map(({ id }) => id)).toEqual([2, null, 3])
    expect(teams.groups[0]?.spend).toEqual([
      { currency: 'TWD', cost: 7e6 },
      { currency: 'JPY', cost: 7e8 },
    ])
  })

  it('are counted by client, those of several for each of them', async () => {
    const clients = await read(director, 'client')
    expect(numbers(clients)).toEqual({ Aurora: '4 3 1 1 2', Borealis: '1 1 0 0 0' })
    expect(clients.groups.map(({ name, spend }) => [name, spend[0]?.cost])).toEqual([
      ['Aurora', 7e6],
      ['Borealis', 40e6],
    ])
  })

  it('are for a manager those of the own department and of its clients', async () => {
    expect(numbers(await read(manager, 'team'))).toEqual({ 2: '2 2 1 0 1' })
    expect(numbers(await read(manager, 'client'))).toEqual({ Aurora: '3 2 1 1 2' })
    expect(JSON.stringify([await read(manager, 'team'), await read(manager, 'client')])).not.toContain(
      'Borealis',
    )
    const alone = await api.signedIn('manager')
    expect(await read(alone, 'team')).toMatchObject({ count: 0, groups: [] })
  })

  it.each(['external_user', 'staff'] as const)('are not counted for %s', async identity => {
    const who = await api.signedIn(identity)
    expectRefusal(await who.get('/api/overview/groups/?by=team'), 403, 'forbidden')
  })

  it('need one index lookup for each failure and run of today, not the runs of a month', async () => {
    await sql`
      insert into run (id, report, owner, trigger, status, queued_at, started_at, finished_at)
      select gen_random_uuid(), ${mended.id}, owner, 'schedule', 'completed', at - interval '1 minute', at, at
      from (select ${colleague.user.id}::bigint as owner, timestamptz '2026-10-25T00:00:00Z' + n * interval '1 minute' as at
        from generate_series(1, 20000) n) past`.execute(api.db)
    await sql`vacuum analyze run`.execute(api.db)
    const before = await rowsRead(api, ['run'])
    expect(numbers(await read(director, 'team'))[2]).toBe('2 2 1 0 1')
    expect((await rowsRead(api, ['run'])) - before).toBeLessThan(1000)
  })
})
