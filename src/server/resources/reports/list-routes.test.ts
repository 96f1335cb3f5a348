import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { idsIn, ready as readyFor, reportIn, REPORTS } from './testing/requests.ts'

const api = await testApi()
const VIEWS = '/api/gs-template-view/'
const ready = () => readyFor(api)

const shareWith = (report: number, { user }: Client) =>
  api.db
    .insertInto('report_share')
    .values({ report, user_id: user.id, access: 'viewer', shared_by: null })
    .execute()
const marked = async (client: Client) => idsIn(await client.get(`${REPORTS}?favourite=true&ordering=id`))

describe('a favourite', () => {
  it('is marked by one person, for whom the list can be filtered by it', async () => {
    const owner = await ready()
    const [first, second] = [await owner.report(), await owner.report()]
    expect(await marked(owner)).toEqual([])
    expect((await owner.post(`${REPORTS}${first.id}/favourite/`)).status).toBe(204)
    expect((await owner.post(`${REPORTS}${first.id}/favourite/`)).status).toBe(204)
    expect(await marked(owner)).toEqual([first.id])
    expect(reportIn(await owner.get(`${REPORTS}${first.id}/`)).favourite).toBe(true)
    expect(reportIn(await owner.get(`${REPORTS}${second.id}/`)).favourite).toBe(false)
    expect((await owner.delete(`${REPORTS}${first.id}/favourite/`)).status).toBe(204)
    expect(await marked(owner)).toEqual([])
  })

  it('may be a report of somebody else, until that is shared no longer; undoing that brings it back', async () => {
    const [owner, reader] = [await ready(), await api.signedIn('staff')]
    const { id } = await owner.report()
    await shareWith(id, reader)
    await reader.post(`${REPORTS}${id}/favourite/`)
    expect(await marked(reader)).toEqual([id])
    expect(reportIn(await owner.get(`${REPORTS}${id}/`)).favourite).toBe(false)

    const bulk = (action: string) =>
      owner.post(`${REPORTS}bulk/`, { action, ids: [id], user: reader.user.id })
    await bulk('unshare')
    expect(await marked(reader)).toEqual([])
    await bulk('share_again')
    expect(await marked(reader)).toEqual([id])

    await bulk('unshare')
    await owner.post(`${REPORTS}${id}/share/`, { user: reader.user.id, access: 'viewer' })
    expect(await marked(reader)).toEqual([])
  })

  it('remains one when the report is transferred to the person, and none of the person who gave it away', async () => {
    const [owner, heir, boss] = [await ready(), await api.signedIn('staff'), await api.signedIn('superuser')]
    const { id } = await owner.report()
    await shareWith(id, heir)
    for (const person of [owner, heir]) await person.post(`${REPORTS}${id}/favourite/`)
    const body = { to: heir.user.id, reports: [id] }
    expect((await boss.post(`/api/user/${owner.user.id}/transfer-reports/`, body)).status).toBe(200)
    expect(await marked(heir)).toEqual([id])
    const left = await api.db
      .selectFrom('report_favourite')
      .select('user_id')
      .where('report', '=', id)
      .execute()
    expect(left).toEqual([{ user_id: heir.user.id }])
  })
})

describe('a saved view', () => {
  const filters = { search: 'weekly', ordering: '-last_run_at', status: 1, channel: 'fb', favourite: true }

  it('is saved, renamed, changed and deleted by its person, and nobody else sees it', async () => {
    const [me, other] = [await api.signedIn('external_user'), await api.signedIn('superuser')]
    const made = await me.post(VIEWS, { name: ' Mondays ', filters })
    expect(made).toMatchObject({ status: 201, body: { name: 'Mondays', filters } })
    const { id } = Object(made.body)
    const path = `${VIEWS}${id}/`
    expect((await me.patch(path, { name: 'Every week' })).body).toEqual({ id, name: 'Every week', filters })
    expect((await me.patch(path, { filters: { folder: 0 } })).body).toMatchObject({ filters: { folder: 0 } })
    expect((await me.get(VIEWS)).body).toEqual([{ id, name: 'Every week', filters: { folder: 0 } }])
    expect((await other.get(VIEWS)).body).toEqual([])
    expectRefusal(await other.patch(path, { name: 'Mine' }), 404, 'not_found')
    expectRefusal(await other.delete(path), 404, 'not_found')
    expect((await me.delete(path)).body).toEqual({ id })
    expectRefusal(await me.delete(path), 404, 'not_found')
  })

  it('has a name of its own, whatever its case; two people may choose the same', async () => {
    const [me, other] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const { id } = Object((await me.post(VIEWS, { name: 'Clients', filters: {} })).body)
    const taken = { name: ['name_taken'] } as const
    expectRefusal(await me.post(VIEWS, { name: 'CLIENTS', filters: {} }), 400, 'invalid', taken)
    const second = Object((await me.post(VIEWS, { name: 'Others', filters: {} })).body)
    expectRefusal(await me.patch(`${VIEWS}${second.id}/`, { name: 'clients' }), 400, 'invalid', taken)
    expect((await me.patch(`${VIEWS}${id}/`, { name: 'clients' })).status).toBe(200)
    expect((await other.post(VIEWS, { name: 'Clients', filters: {} })).status).toBe(201)
  })

  it('is one of at most thirty, and has no filters that the list has not', async () => {
    const me = await api.signedIn('staff')
    for (let count = 0; count < 30; count++)
      expect((await me.post(VIEWS, { name: `View ${count}`, filters: {} })).status).toBe(201)
    const tooMany = { name: ['field_too_many'] } as const
    expectRefusal(await me.post(VIEWS, { name: 'One more', filters: {} }), 400, 'invalid', tooMany)
    expect((await me.post(VIEWS, { name: 'x', filters: { owner: 1 } })).status).toBe(400)
  })
})

describe('the last run', () => {
  it('orders the list; what never ran is at the end either way', async () => {
    const owner = await ready()
    const [early, late, never] = [await owner.report(), await owner.report(), await owner.report()]
    const ranAt = (report: number, finished_at: string) =>
      api.db
        .insertInto('run')
        .values({
          id: randomUUID(),
          report,
          owner: owner.user.id,
          trigger: 'click',
          status: 'completed',
          finished_at: new Date(finished_at),
        })
        .execute()
    await ranAt(late.id, '2026-11-02T01:00:00Z')
    await ranAt(early.id, '2026-11-01T01:00:00Z')
    // Of an earlier run that ends later it is not the time.
    await ranAt(late.id, '2026-10-01T01:00:00Z')
    const ordered = async (ordering: string) => idsIn(await owner.get(`${REPORTS}?ordering=${ordering}`))
    expect(await ordered('last_run_at')).toEqual([early.id, late.id, never.id])
    expect(await ordered('-last_run_at')).toEqual([late.id, early.id, never.id])
  })

  it('counts from its end, not while it is under way', async () => {
    const owner = await ready()
    const { id } = await owner.report()
    const run = { id: randomUUID(), report: id, owner: owner.user.id, trigger: 'click' } as const
    const lastRunAt = () =>
      api.db.selectFrom('report').select('last_run_at').where('id', '=', id).executeTakeFirstOrThrow()
    await api.db
      .insertInto('run')
      .values({ ...run, status: 'queued' })
      .execute()
    expect((await lastRunAt()).last_run_at).toBe(null)
    const finished_at = new Date('2026-11-03T01:00:00Z')
    await api.db
      .updateTable('run')
      .set({ status: 'completed', finished_at })
      .where('id', '=', run.id)
      .execute()
    expect((await lastRunAt()).last_run_at).toEqual(finished_at)
  })
})

it('counts the reports that end soon and that have ended lately as the list does', async () => {
  const owner = await ready()
  api.clock.now = new Date('2026-11-20T04:00:00Z')
  for (const end of ['2026-11-08', '2026-11-01', '2026-11-02', '2026-06-01'])
    await owner.report({
      ...owner.body,
      start_cell: `A${Number(end.slice(-2)) * 100}`,
      date_range: { start: '2026-05-01', end, dynamic_range: 0 },
    })
  const listed = async (ending: string) =>
    idsIn(await owner.get(`${REPORTS}?limit=100&ending=${ending}`)).length
  const counted = (await owner.get(`${REPORTS}ending/`)).body
  expect(counted).toEqual({ soon: await listed('soon'), ended: await listed('ended') })
  expect(counted).toEqual({ soon: 1, ended: 2 })
})
