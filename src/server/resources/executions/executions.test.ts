import { Client as PgClient } from 'pg'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Execution } from '#shared/api/executions.ts'
import { createRequestLimits, queueLimits } from '#server/http/request-limits.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const { db } = api
const PATH = '/api/gs-template-execution/'
/** The queue order of runs, without those of earlier tests. */
const enqueued = async () => (await allEnqueued()).filter(id => !earlier.has(id))
const earlier = new Set<string>()
beforeEach(async () => (await allEnqueued()).forEach(id => earlier.add(id)))
async function allEnqueued(): Promise<string[]> {
  const rows = await db.selectFrom('run').select('id').where('round', 'is not', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

const executionIn = (response: ApiResponse) => Execution.parse(response.body)
const runsOf = (report: number) =>
  db.selectFrom('run').selectAll().where('report', '=', report).orderBy('id').execute()
const end = (run: string, status: 'completed' | 'error' = 'completed') =>
  db.updateTable('run').set({ status, finished_at: new Date() }).where('id', '=', run).execute()

/** A report that can run. */
async function ready(client: Client, fields: object = {}): Promise<number> {
  const { id } = await client.report(fields)
  await db
    .updateTable('report')
    .set({
      spreadsheet_id: `sheet-${id}`,
      sheet_name: 'Data',
      target_state: 'ok',
      channels: JSON.stringify([
        {
          channel: 'fb',
          label: null,
          accounts: [1],
          metrics: ['cost'],
          filters: [],
          on_error: 'leave_empty',
        },
      ]),
    })
    .where('id', '=', id)
    .execute()
  return id
}
const share = (report: number, client: Client) =>
  db
    .insertInto('report_share')
    .values({ report, user_id: client.user.id, access: 'viewer', shared_by: null, folder: null })
    .execute()

describe('an execution', () => {
  it('of one report is one transaction of eight statements, and is read once it is committed', async () => {
    const client = await api.signedIn('superuser')
    const [first, second] = [await ready(client), await ready(client)]
    await client.post(PATH, { reports: [first] })
    const query = vi.spyOn(PgClient.prototype, 'query')
    const response = await client.post(PATH, { reports: [second] })
    const statements = query.mock.calls.map(([statement]: unknown[]) => String(statement).trim())
    query.mockRestore()
    expect(response.status).toBe(201)
    const from = statements.findIndex(text => text.startsWith('start transaction'))
    expect(statements.slice(from), statements.join('\n')).toHaveLength(10)
    expect(statements.indexOf('commit') - from).toBe(7)
  })

  it('runs one report and returns its progress', async () => {
    const client = await api.signedIn('external_user')
    const report = await ready(client)
    const response = await client.post(PATH, { reports: [report] })
    expect(response.status).toBe(201)
    const execution = executionIn(response)
    expect(execution).toMatchObject({ total: 1, completed: 0, error: 0, pending: 1 })
    expect(execution.reports).toMatchObject([{ report, status: 'queued', code: null }])
    expect(await enqueued()).toEqual(execution.reports.map(one => one.run))
    await end(execution.reports[0]?.run ?? '')
    expect(executionIn(await client.get(`${PATH}${execution.id}/`))).toMatchObject({
      completed: 1,
      pending: 0,
    })
  })

  it('runs many, in the requested order', async () => {
    const client = await api.signedIn('staff')
    const reports = [await ready(client), await ready(client), await ready(client)].toReversed()
    const execution = executionIn(await client.post(PATH, { reports: [...reports, reports[0]] }))
    expect(execution.reports.map(report => report.report)).toEqual(reports)
    expect(await enqueued()).toHaveLength(3)
  })

  it('runs a folder with its subfolders and the reports filed there, and nothing else', async () => {
    const [client, other] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    const folder = await client.folder()
    const inner = await client.folder({ parent: folder.id })
    const expected = [await ready(client, { folder: folder.id }), await ready(client, { folder: inner.id })]
    await ready(client)
    const shared = await ready(other)
    await share(shared, client)
    await db.updateTable('report_share').set({ folder: inner.id }).where('report', '=', shared).execute()
    const execution = executionIn(await client.post(PATH, { folder: folder.id }))
    expect(execution.reports.map(report => report.report)).toEqual([...expected, shared])
    expectRefusal(await other.post(PATH, { folder: folder.id }), 404, 'not_found')
    expect(executionIn(await client.post(PATH, { folder: (await client.folder()).id })).total).toBe(0)
  })

  it('runs a shared report with its owner’s access', async () => {
    const [owner, viewer] = [await api.signedIn('staff'), await api.signedIn('external_user')]
    const report = await ready(owner)
    await share(report, viewer)
    const execution = executionIn(await viewer.post(PATH, { reports: [report] }))
    expect(await runsOf(report)).toMatchObject([{ owner: owner.user.id, requested_by: viewer.user.id }])
    await db.deleteFrom('report_share').where('report', '=', report).execute()
    expect(executionIn(await viewer.get(`${PATH}${execution.id}/`))).toMatchObject({ total: 0, reports: [] })
  })

  it('of another person’s report is refused like one of no report', async () => {
    const [owner, outsider] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    const [foreign, own] = [await ready(owner), await ready(outsider)]
    const responses = await Promise.all(
      [foreign, 987_654_321].map(id => outsider.post(PATH, { reports: [own, id] })),
    )
    for (const response of responses) expectRefusal(response, 404, 'not_found')
    const [first, second] = responses.map(({ body }) => ({ ...(body as object), request_id: '' }))
    expect(first).toEqual(second)
    expect(await enqueued()).toEqual([])
  })

  it('of a deleted report is refused', async () => {
    const client = await api.signedIn('external_user')
    const report = await ready(client)
    await client.delete(`/api/gs-template-setting/${report}/`)
    expectRefusal(await client.post(PATH, { reports: [report] }), 404, 'not_found')
  })

  it('of a report with gaps names them; among many it is skipped, and no run is made', async () => {
    const client = await api.signedIn('external_user')
    const [{ id: gappy }, whole] = [await client.report(), await ready(client)]
    const refused = await client.post(PATH, { reports: [gappy] })
    expectRefusal(refused, 400, 'report_has_gaps')
    expect(refused.body).toMatchObject({
      gaps: expect.arrayContaining(['permission_not_set', 'channels_not_set']),
    })
    const headers = { 'idempotency-key': `skipped ${gappy}` }
    const execute = async () => await client.post(PATH, { reports: [gappy, whole] }, { headers })
    const execution = executionIn(await execute())
    expect(execution).toMatchObject({
      total: 1,
      error: 0,
      pending: 1,
      reports: [{ report: whole, status: 'queued' }],
      skipped: [
        {
          report: gappy,
          name: 'A report',
          code: 'report_has_gaps',
          gaps: ['page_not_set', 'permission_not_set', 'channels_not_set'],
          target_state: null,
        },
      ],
    })
    expect(await enqueued()).toHaveLength(1)
    expect(await runsOf(gappy)).toEqual([])
    const started = await db
      .selectFrom('audit')
      .select('object_id')
      .where('action', '=', 'report.run')
      .where('object_id', 'in', [String(gappy), String(whole)])
      .execute()
    expect(started).toEqual([{ object_id: String(whole) }])
    // The same key returns the same, also when the gap is closed by then.
    await db.updateTable('report').set({ name: 'Renamed' }).where('id', '=', gappy).execute()
    expect(executionIn(await execute())).toEqual({
      ...execution,
      skipped: execution.skipped.map(each => ({ ...each, name: 'Renamed' })),
    })
    expect((await client.get(PATH)).body).toMatchObject({ results: [{ total: 1, skipped: 1 }] })
  })

  it('of reports that all have gaps starts nothing, and says which', async () => {
    const [client, viewer] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    const folder = await client.folder()
    const gappy = [
      (await client.report({ folder: folder.id })).id,
      (await client.report({ folder: folder.id })).id,
    ]
    for (const report of gappy) await share(report, viewer)
    const response = await client.post(PATH, { folder: folder.id })
    expect(response.status).toBe(201)
    expect(executionIn(response)).toMatchObject({ total: 0, pending: 0, reports: [] })
    expect(executionIn(response).skipped.map(({ report }) => report)).toEqual(gappy)
    // Of those that are no longer visible neither the name nor their number is.
    const { id } = executionIn(await viewer.post(PATH, { reports: gappy }))
    await db
      .deleteFrom('report_share')
      .where('report', '=', gappy[0] ?? 0)
      .execute()
    expect(executionIn(await viewer.get(`${PATH}${id}/`)).skipped.map(({ report }) => report)).toEqual([
      gappy[1],
    ])
    expect((await viewer.get(PATH)).body).toMatchObject({ results: [{ total: 0, skipped: 1 }] })
  })

  it('sent twice with one key is one execution, even at the same moment; an empty key is none', async () => {
    const client = await api.signedIn('external_user')
    const reports = [await ready(client)]
    const execute = (key: string) => client.post(PATH, { reports }, { headers: { 'idempotency-key': key } })
    const responses = await Promise.all(Array.from({ length: 10 }, () => execute('once')))
    expect(responses.map(response => response.status)).toEqual(Array(10).fill(201))
    expect(new Set(responses.map(response => executionIn(response).id)).size).toBe(1)
    const [one, other] = [executionIn(await execute('')), executionIn(await execute(''))]
    expect(one.id).not.toBe(other.id)
    expect(await runsOf(reports[0] ?? 0)).toHaveLength(1)
  })

  it('a hundred times at once of the same reports starts one run each', async () => {
    const client = await api.signedIn('external_user')
    const reports = [await ready(client), await ready(client)]
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        client.post(PATH, { reports: index % 2 ? reports : reports.toReversed() }),
      ),
    )
    expect(responses.filter(response => response.status !== 201)).toEqual([])
    for (const report of reports) expect(await runsOf(report)).toHaveLength(1)
    expect(await enqueued()).toHaveLength(2)
  })
})

describe('a hundred executions at once of one report', () => {
  it('start exactly one run, which the others join or are refused for', async () => {
    const client = await api.signedIn('external_user')
    const report = await ready(client)
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => client.post(PATH, { reports: [report] })),
    )
    expect(responses.filter(({ status }) => ![201, 409].includes(status))).toEqual([])
    expect(await runsOf(report)).toHaveLength(1)
  })

  it('start exactly one run also within the limits of one person, who is told when to retry', async () => {
    const client = await api.signedIn('external_user')
    const report = await ready(client)
    const before = api.effects.requestLimits
    api.effects.requestLimits = createRequestLimits({
      queues: queueLimits,
      writes: { per_minute: 120, burst: 360 },
    })
    try {
      const responses = await Promise.all(
        Array.from({ length: 100 }, () => client.post(PATH, { reports: [report] })),
      )
      const by_status = Map.groupBy(responses, ({ status }) => status)
      expect([...by_status.keys()].filter(status => ![201, 409, 429].includes(status))).toEqual([])
      expect(by_status.get(429)?.length).toBeGreaterThan(0)
      for (const { headers } of by_status.get(429) ?? [])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await runsOf(report)).toHaveLength(1)
    } finally {
      api.effects.requestLimits = before
    }
  })
})

describe('cancelling an execution', () => {
  it('ends waiting runs, asks fetching ones to stop, and lets writing ones finish', async () => {
    const client = await api.signedIn('external_user')
    const reports = [await ready(client), await ready(client), await ready(client)]
    const { id, reports: started } = executionIn(await client.post(PATH, { reports }))
    const [, fetching = '', writing = ''] = started.map(each => each.run)
    await db.updateTable('run').set({ status: 'fetching' }).where('id', '=', fetching).execute()
    await db.updateTable('run').set({ status: 'writing' }).where('id', '=', writing).execute()
    const after = executionIn(await client.delete(`${PATH}${id}/`))
    expect(after).toMatchObject({ error: 1, pending: 2 })
    expect(after.reports.map(report => report.status)).toEqual(['cancelled', 'fetching', 'writing'])
    const wishes = await db
      .selectFrom('run')
      .select('cancel_requested_at')
      .where('id', 'in', [fetching, writing])
      .orderBy('status')
      .execute()
    expect(wishes.map(run => run.cancel_requested_at !== null)).toEqual([true, false])
  })

  it('is only for its owner, and leaves a run that it only joined', async () => {
    const [owner, viewer] = [await api.signedIn('staff'), await api.signedIn('external_user')]
    const report = await ready(owner)
    await share(report, viewer)
    const mine = executionIn(await owner.post(PATH, { reports: [report] }))
    const joined = executionIn(await viewer.post(PATH, { reports: [report] }))
    expect(joined.reports[0]?.run).toBe(mine.reports[0]?.run)
    expectRefusal(await viewer.delete(`${PATH}${mine.id}/`), 404, 'not_found')
    expect(executionIn(await viewer.delete(`${PATH}${joined.id}/`))).toMatchObject({ pending: 1 })
    expect(executionIn(await owner.delete(`${PATH}${mine.id}/`))).toMatchObject({ error: 1 })
  })
})

describe('the executions of a person', () => {
  it('are listed with their progress, and to nobody else', async () => {
    const [client, other] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const reports = [await ready(client, { name: 'One' }), await ready(client, { name: 'Two' })]
    const first = executionIn(await client.post(PATH, { reports }))
    await end(first.reports[0]?.run ?? '')
    await end(first.reports[1]?.run ?? '', 'error')
    const second = executionIn(await client.post(PATH, { reports: [reports[1]] }))
    expect((await client.get(`${PATH}?limit=10`)).body).toMatchObject({
      count: 2,
      results: [
        { id: second.id, total: 1, pending: 1, names: ['Two'] },
        { id: first.id, total: 2, completed: 1, error: 1, pending: 0, names: ['One', 'Two'] },
      ],
    })
    expect((await client.get(`${PATH}?limit=1&offset=1`)).body).toMatchObject({ results: [{ id: first.id }] })
    expect((await other.get(PATH)).body).toMatchObject({ count: 0, results: [] })
  })

  it('leave out a report that is no longer shared', async () => {
    const [owner, viewer] = [await api.signedIn('staff'), await api.signedIn('external_user')]
    const report = await ready(owner, { name: 'Canary' })
    await share(report, viewer)
    await viewer.post(PATH, { reports: [report] })
    expect((await viewer.get(PATH)).body).toMatchObject({ results: [{ total: 1, names: ['Canary'] }] })
    await db.deleteFrom('report_share').where('report', '=', report).execute()
    expect((await viewer.get(PATH)).body).toMatchObject({ results: [{ total: 0, names: [] }] })
  })
})

describe('the runs of a report', () => {
  it('are listed newest first, page by page, to everybody who sees the report', async () => {
    const [client, outsider] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    const report = await ready(client)
    const run_ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const run = executionIn(await client.post(PATH, { reports: [report] })).reports[0]?.run ?? ''
      await end(run)
      run_ids.unshift(run)
    }
    const path = `/api/gs-template-setting/${report}/runs/`
    expect((await client.get(`${path}?limit=2`)).body).toMatchObject({
      count: 3,
      next: expect.any(String),
      previous: null,
      results: run_ids.slice(0, 2).map(id => ({ id })),
    })
    expect((await client.get(`${path}?limit=2&offset=2`)).body).toMatchObject({
      next: null,
      results: [{ id: run_ids[2] }],
    })
    expect((await client.get(`${path}?ordering=queued_at`)).body).toMatchObject({
      results: run_ids.toReversed().map(id => ({ id })),
    })
    expectRefusal(await outsider.get(path), 404, 'not_found')
    expectRefusal(await outsider.get(`${path}${run_ids[0]}/`), 404, 'not_found')
  })

  it('show the platform’s messages to the agency’s own people only', async () => {
    const [client, staff] = [await api.signedIn('external_user'), await api.signedIn('staff')]
    const report = await ready(client)
    await share(report, staff)
    const { id, reports } = executionIn(await client.post(PATH, { reports: [report] }))
    const run = reports[0]?.run ?? ''
    const secret = 'Unsupported get request 4711'
    const block = { channel: 'fb', label: 'Meta ads', status: 'error', rows: 0, code: 'platform_error' }
    await end(run, 'error')
    await db
      .updateTable('run')
      .set({
        code: 'platform_error',
        detail: JSON.stringify({ platform_message: secret, service_message: secret, last: 'platform_error' }),
        blocks: JSON.stringify([{ ...block, platform_message: secret }]),
      })
      .where('id', '=', run)
      .execute()
    const path = `/api/gs-template-setting/${report}/runs/`
    for (const address of [path, `${path}${run}/`, `${PATH}${id}/`, `/api/gs-template-setting/${report}/`])
      expect(JSON.stringify((await client.get(address)).body), address).not.toContain(secret)
    expect(JSON.stringify((await staff.get(`${path}${run}/`)).body)).toContain(secret)
    expect((await client.get(`${path}${run}/`)).body).toMatchObject({ detail: { last: 'platform_error' } })
  })

  it('can be retried', async () => {
    const client = await api.signedIn('external_user')
    const report = await ready(client)
    const first = executionIn(await client.post(PATH, { reports: [report] })).reports[0]?.run ?? ''
    await end(first, 'error')
    const again = await client.post(`/api/gs-template-setting/${report}/runs/${first}/retry/`)
    expect(again.status).toBe(201)
    expect(executionIn(again)).toMatchObject({ pending: 1 })
    expect(await runsOf(report)).toMatchObject([{ trigger: 'click' }, { trigger: 'retry' }])
  })
})
