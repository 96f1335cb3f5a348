import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { Execution, RunList } from '#shared/api/executions.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { nextRunId } from '#server/resources/runs/testing/reports.ts'
import type { Plan } from '#server/table/plan.ts'
import { testAccount, testPlan } from '#server/table/testing/table.ts'

const api = await testApi()
const { db } = api
const SHEET_ID = 7

/** A report that has run three times; all its tables but the first are kept. */
async function history(client: Client) {
  const { id: report } = await client.report({ name: 'Daily' })
  const spreadsheet_id = `sheet-${report}`
  const block = {
    channel: 'fb',
    label: null,
    accounts: [1],
    metrics: ['cost'],
    filters: [],
    on_error: 'leave_empty',
  }
  await db
    .updateTable('report')
    .set({
      spreadsheet_id,
      sheet_name: 'Data',
      sheet_id: SHEET_ID,
      start_cell: 'B3',
      target_state: 'ok',
      channels: JSON.stringify([block]),
    })
    .where('id', '=', report)
    .execute()
  const [oldest, older, latest] = [await ran(1, false), await ran(2), await ran(3)]
  return { report, gone: oldest, older, latest, path: `/api/gs-template-setting/${report}/runs/` }

  async function ran(day: number, has_table = true): Promise<string> {
    const id = nextRunId()
    const at = new Date(Date.UTC(2026, 10, day))
    await db
      .insertInto('run')
      .values({
        id,
        report,
        owner: client.user.id,
        trigger: 'schedule',
        status: 'completed',
        queued_at: at,
        finished_at: at,
        rows: 2,
        plan: JSON.stringify({ plan: testPlan({ blocks: [] }), target: {} }),
        table_rows: 2,
        table_columns: '[]',
        table_attempt: 1,
        written: JSON.stringify({
          spreadsheet_id,
          sheet_id: SHEET_ID,
          rect: [2, 1, 5, 3],
          head: 'h',
          fmt: 't',
        }),
      })
      .execute()
    if (has_table)
      await db
        .insertInto('run_chunk')
        .values({ run: id, attempt: 1, seq: 0, first_row: 0, rows: 3, bytes: Buffer.from('x') })
        .execute()
    return id
  }
}

const share = (report: number, client: Client, access: 'viewer' | 'editor') =>
  db
    .insertInto('report_share')
    .values({ report, user_id: client.user.id, access, shared_by: null, folder: null })
    .execute()
/** The restore has written its table to the target of the others. */
const end = (run: string) =>
  sql`
    update run set status = 'completed', finished_at = now(), written = origin.written
    from run origin where origin.id = run.restores and run.id = ${run}`.execute(db)
const isEnqueued = async (run: string) =>
  (await db.selectFrom('run').select('round').where('id', '=', run).executeTakeFirstOrThrow()).round !== null
const runIn = (body: unknown) => Execution.parse(body).reports[0]?.run ?? ''

describe('restoring a table', () => {
  it('queues a run of its own that names the run it restores, and who requested it', async () => {
    const client = await api.signedIn('external_user', { full_name: 'Mika' })
    const { report, older, latest, path } = await history(client)
    const states = async () =>
      RunList.parse((await client.get(path)).body).results.map(({ id, table }) => [id, table])
    expect(await states()).toEqual([
      [latest, 'current'],
      [older, 'kept'],
      [expect.any(String), null],
    ])
    const response = await client.post(`${path}${older}/write-back/`)
    expect(response.status).toBe(201)
    const run = runIn(response.body)
    expect(await isEnqueued(run)).toBe(true)
    const [listed] = RunList.parse((await client.get(path)).body).results
    expect(listed).toMatchObject({
      id: run,
      trigger: 'undo',
      status: 'queued',
      rows: 2,
      requested_by_name: 'Mika',
      restores: { run: older, at: '2026-11-02T00:00:00.000Z' },
      table: null,
    })
    const saved = await db.selectFrom('run').selectAll().where('id', '=', run).executeTakeFirstOrThrow()
    expect(saved.plan).toMatchObject({
      target: { spreadsheet_id: `sheet-${report}`, sheet_id: SHEET_ID, sheet_name: 'Data', start_cell: 'B3' },
    })
    const entries = await db
      .selectFrom('audit')
      .select(['actor', 'action', 'detail'])
      .where('object_id', '=', String(report))
      .where('action', '=', 'report.write_back')
      .execute()
    expect(entries).toMatchObject([
      { actor: client.user.id, action: 'report.write_back', detail: { table_of: older, run } },
    ])

    await end(run)
    expect((await states()).slice(0, 3)).toEqual([
      [run, 'current'],
      [latest, 'kept'],
      [older, 'current'],
    ])
    // Restored again in turn; a restore of a restore is about the table, not about the run that wrote it.
    const again = runIn((await client.post(`${path}${latest}/write-back/`)).body)
    await end(again)
    expectRefusal(await client.post(`${path}${again}/write-back/`), 409, 'table_is_current')
    const third = runIn((await client.post(`${path}${run}/write-back/`)).body)
    expect(await db.selectFrom('run').select('restores').where('id', '=', third).executeTakeFirst()).toEqual({
      restores: older,
    })
  })

  it('is one run however often it is requested', async () => {
    const client = await api.signedIn('staff')
    const { older, path } = await history(client)
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => client.post(`${path}${older}/write-back/`)),
    )
    expect(new Set(responses.map(({ body }) => runIn(body))).size).toBe(1)
    const headers = { 'idempotency-key': randomUUIDv7() }
    const first = await client.post(`${path}${older}/write-back/`, {}, { headers })
    await end(runIn(first.body))
    const second = await client.post(`${path}${older}/write-back/`, {}, { headers })
    expect(Execution.parse(second.body).id).toBe(Execution.parse(first.body).id)
    expectRefusal(await client.post(`${path}${older}/write-back/`), 409, 'table_is_current')
  })

  it('is refused where there is nothing to restore, or no target for it', async () => {
    const client = await api.signedIn('staff')
    const { report, gone: oldest, older, latest, path } = await history(client)
    const restore = (run: string) => client.post(`${path}${run}/write-back/`)
    expectRefusal(await restore(oldest), 409, 'table_not_kept')
    expectRefusal(await restore(latest), 409, 'table_is_current')
    expectRefusal(await restore(randomUUIDv7()), 404, 'not_found')
    const other = await history(client)
    expectRefusal(await restore(other.older), 404, 'not_found')

    const target = { start_cell: 'B3', sheet_id: SHEET_ID, spreadsheet_id: `sheet-${report}` }
    for (const moved of [
      { start_cell: 'B4' },
      { sheet_id: 8 },
      { sheet_id: null },
      { spreadsheet_id: 'another' },
    ]) {
      await db.updateTable('report').set(moved).where('id', '=', report).execute()
      expectRefusal(await restore(older), 409, 'target_changed')
      await db.updateTable('report').set(target).where('id', '=', report).execute()
    }
    // The spreadsheet is gone, or no longer shared.
    await db.updateTable('report').set({ target_state: 'not_shared' }).where('id', '=', report).execute()
    expectRefusal(await restore(older), 400, 'report_has_gaps')
    await db.updateTable('report').set({ target_state: 'ok' }).where('id', '=', report).execute()
    const left = await db.selectFrom('run').select('id').where('report', '=', report).execute()
    expect(left).toHaveLength(3)
  })

  it('is for people who may change the report', async () => {
    const [owner, viewer, editor, outsider] = await Promise.all([
      api.signedIn('staff'),
      api.signedIn('staff'),
      api.signedIn('staff'),
      api.signedIn('director'),
    ])
    const { report, older, path } = await history(owner)
    await share(report, viewer, 'viewer')
    await share(report, editor, 'editor')
    expectRefusal(await viewer.post(`${path}${older}/write-back/`), 403, 'forbidden')
    expectRefusal(await outsider.post(`${path}${older}/write-back/`), 404, 'not_found')
    expect((await editor.post(`${path}${older}/write-back/`)).status).toBe(201)
  })

  it('waits for no other run, and is not confused with one', async () => {
    const client = await api.signedIn('staff')
    const { report, older, latest, path } = await history(client)
    const execute = (reports: number[]) => client.post('/api/gs-template-execution/', { reports })
    const clicked = runIn((await execute([report])).body)
    expectRefusal(await client.post(`${path}${older}/write-back/`), 409, 'report_busy')
    await db.updateTable('run').set({ status: 'error' }).where('id', '=', clicked).execute()

    const undo = runIn((await client.post(`${path}${older}/write-back/`)).body)
    expectRefusal(await execute([report]), 409, 'report_busy')
    expectRefusal(await client.post(`${path}${clicked}/retry/`), 409, 'report_busy')
    const { report: other } = await history(client)
    const many = Execution.parse((await execute([other, report])).body)
    expect(many.reports.map(({ status, code }) => [status, code])).toEqual([['queued', null]])
    expect(many.skipped).toMatchObject([{ report, code: 'report_busy', gaps: [] }])
    expectRefusal(await client.post(`${path}${latest}/write-back/`), 409, 'report_busy')
    await end(undo)
    expect((await execute([report])).status).toBe(201)
  })

  it('shows a client no run, and restores no table, of an account that is not theirs', async () => {
    const owner = await api.signedIn('staff')
    const client = await api.signedIn('external_user')
    const advertiser = await api.advertiser(`Of ${client.user.username}`, [client.user.id])
    const [theirs, foreign] = [
      await api.account({ advertiser }),
      await api.account({ advertiser: await api.advertiser(`Not of ${client.user.username}`, []) }),
    ]
    const { report, older, latest, path } = await history(owner)
    const setPlan = (run: string, plan: object) =>
      db
        .updateTable('run')
        .set({ plan: JSON.stringify({ plan, target: {} }) })
        .where('id', '=', run)
        .execute()
    const planOver = (...ids: number[]) =>
      testPlan({ blocks: [{ accounts: ids }], accounts: ids.map(id => testAccount(id)) })
    await setPlan(older, planOver(foreign))
    await setPlan(latest, planOver(theirs))
    const compared = {
      status: 'compared',
      before: { run: older, at: '2026-11-02T00:00:00.000Z' },
      by: 'row',
      columns: [],
      columns_added: [],
      columns_removed: [],
      rows: { same: 0, changed: 0, added: 0, removed: 1 },
      count: 1,
      moved: [
        {
          kind: 'removed',
          key: ['A campaign of somebody else'],
          rows: { changed: 0, added: 0, removed: 1 },
          cells: [],
        },
      ],
    }
    await db
      .updateTable('run')
      .set({ changes: JSON.stringify(compared) })
      .where('report', '=', report)
      .execute()
    await db
      .insertInto('report_share')
      .values({ report, user_id: client.user.id, access: 'editor', shared_by: owner.user.id })
      .execute()
    const runsFor = async (who: Client) => RunList.parse((await who.get(path)).body)
    const of_owner = await runsFor(owner)
    expect(of_owner.results.map(run => run.id)).toContain(older)
    const of_client = await runsFor(client)
    expect(of_client.count).toBe(of_owner.count - 1)
    expect(of_client.results.map(run => run.id)).not.toContain(older)
    for (const response of [
      await client.get(`${path}${older}/`),
      await client.get(`${path}${older}/changes/`),
      await client.post(`${path}${older}/retry/`),
      await client.post(`${path}${older}/write-back/`),
    ])
      expectRefusal(response, 404, 'not_found')
    expect((await client.get(`${path}${latest}/changes/`)).body).toEqual({ status: 'not_kept' })
    expect((await owner.get(`${path}${latest}/changes/`)).body).toEqual(compared)
    expect(JSON.stringify((await client.get(`${path}?format=csv`)).body)).not.toContain('2026-11-02')
    const olderPlan = ({ requests, range }: Plan) => ({ range, questions: requests })
    const hidden: [string, object][] = [
      ['of an older version', olderPlan(planOver(foreign))],
      ['with one account of theirs', planOver(theirs, foreign)],
      ['that only keeps values of the account', { ...planOver(theirs), blocks: planOver(foreign).blocks }],
      ['of an account that is gone', planOver(2 ** 40)],
      ['that does not say its accounts', {}],
    ]
    for (const [name, plan] of hidden) {
      await setPlan(older, plan)
      expect((await client.get(`${path}${older}/`)).status, name).toBe(404)
    }
    await setPlan(older, olderPlan(planOver(theirs)))
    expect((await client.get(`${path}${older}/`)).status).toBe(200)
    await setPlan(older, planOver(foreign))
    // What was made with one's own access stays readable.
    await db.updateTable('run').set({ owner: client.user.id }).where('id', '=', older).execute()
    expect((await client.get(`${path}${older}/`)).status).toBe(200)
  })

  it('shows a client the names of people that the client may see, and of nobody else', async () => {
    const [client, outsider] = [
      await api.signedIn('external_user', { full_name: 'Alice' }),
      await api.signedIn('external_user', { full_name: 'Boris' }),
    ]
    const { report, older, latest, path } = await history(client)
    await db.updateTable('run').set({ requested_by: outsider.user.id }).where('id', '=', older).execute()
    await db.updateTable('run').set({ requested_by: client.user.id }).where('id', '=', latest).execute()
    const names = RunList.parse((await client.get(path)).body).results.map(run => run.requested_by_name)
    expect(names).toEqual(['Alice', null, null])
    await api.advertiser(`Both ${report}`, [client.user.id, outsider.user.id])
    const { body } = await client.get(path)
    expect(RunList.parse(body).results.map(run => run.requested_by_name)).toEqual(['Alice', 'Boris', null])
  })
})
