import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testAgency } from './testing/agency.ts'
import type { RunEffects } from './run-report.ts'
import { GIVE_UP_AFTER_MS } from './failure.ts'
import { presentRun } from './present.ts'

const agency = await testAgency()
const { db, sandbox, service, report, run, block, attempt, queue, resume } = agency
afterEach(() => sandbox.setFaults([]))

const TAIWAN = 'Aurora Cosmetics Taiwan'
const OUTLET = 'Aurora Cosmetics Outlet'
const EMPTY = 'Delta Fitness new (empty)'
const REVOKED = 'Fjord Travel Japan (access revoked)'
const metaFault = (fault: object) => sandbox.setFaults([{ platform: 'meta', path: 'insights', ...fault }])
const sheetsFault = (fault: object) => sandbox.setFaults([{ platform: 'sheets', ...fault }])
const chunksOf = (id: string) => db.selectFrom('run_chunk').select('seq').where('run', '=', id).execute()

describe('a run', () => {
  it('writes the platform’s numbers, added up by day', async () => {
    const { id, spreadsheet_id } = await report({ blocks: [block([TAIWAN, OUTLET])] })
    const done = await run(id)
    expect(done).toMatchObject({ status: 'completed', rows: 10, columns: 3, partial: false, attempt: 1 })
    expect(done.blocks).toMatchObject([{ status: 'ok', code: null }])
    expect(done.platform_requests).toBeGreaterThanOrEqual(2)
    const cells = await service.values(spreadsheet_id)
    expect(cells).toEqual([['Date', 'Impressions', 'Cost'], ...(await dailySums([TAIWAN, OUTLET]))])
  })

  it('writes the same cells when it is repeated, and keeps five tables', async () => {
    const { id, spreadsheet_id } = await report()
    const first = await run(id)
    const before = await service.document(spreadsheet_id)
    for (let again = 0; again < 5; again++) await run(id)
    expect(await service.document(spreadsheet_id)).toBe(before)
    const remaining = await db
      .selectFrom('run_chunk')
      .innerJoin('run', 'run.id', 'run_chunk.run')
      .select('run.id')
      .distinct()
      .where('run.report', '=', id)
      .execute()
    expect(remaining).toHaveLength(5)
    expect(await chunksOf(first.id)).toEqual([])
  })

  it('is not begun a second time', async () => {
    const { id } = await report()
    const done = await run(id)
    expect(await attempt(done.id)).toEqual(done)
  })
})

describe('a block', () => {
  it('without data leaves its cells empty and the others whole', async () => {
    const { id, spreadsheet_id } = await report({ blocks: [block([TAIWAN]), block([EMPTY])] })
    const done = await run(id)
    expect(done).toMatchObject({ status: 'completed', partial: true })
    expect(done.blocks).toMatchObject([{ status: 'ok' }, { status: 'no_data', code: 'channel_no_data' }])
    const [header, first] = await service.values(spreadsheet_id)
    expect(header).toHaveLength(5)
    expect(first).toHaveLength(3)
  })

  it('whose access the customer revoked leaves its cells empty', async () => {
    const { id } = await report({ blocks: [block([TAIWAN]), block([REVOKED])] })
    const done = await run(id)
    expect(done).toMatchObject({ status: 'completed', partial: true })
    expect(done.blocks).toMatchObject([{ status: 'ok' }, { status: 'error', code: 'account_access_lost' }])
    expect(done.blocks[1]?.platform_message).toEqual(expect.stringContaining(' '))
  })

  it('that is required ends the run, and the sheet stays as it was', async () => {
    const { id, spreadsheet_id } = await report()
    await run(id)
    const before = await service.document(spreadsheet_id)
    await db
      .updateTable('report')
      .set({ channels: JSON.stringify([block([TAIWAN]), block([REVOKED], { on_error: 'fail_report' })]) })
      .where('id', '=', id)
      .execute()
    expect(await run(id)).toMatchObject({ status: 'error', code: 'account_access_lost', written: null })
    expect(await service.document(spreadsheet_id)).toBe(before)
  })

  it.each([
    [[EMPTY], 'channel_no_data'],
    [[REVOKED], 'account_access_lost'],
  ])('alone without output (%s) writes nothing', async (names, code) => {
    const { id, spreadsheet_id } = await report()
    await run(id)
    const before = await service.document(spreadsheet_id)
    await db
      .updateTable('report')
      .set({ channels: JSON.stringify([block(names)]) })
      .where('id', '=', id)
      .execute()
    const done = await run(id)
    expect(done).toMatchObject({ status: 'error', code, spreadsheet_requests: 0 })
    expect(await service.document(spreadsheet_id)).toBe(before)
    expect(await chunksOf(done.id)).toEqual([])
  })

  it('whose login has expired reports that, and only internal people read the platform’s message', async () => {
    await metaFault({ action: 'expired_token' })
    const { id } = await report()
    const done = await run(id)
    expect(done).toMatchObject({ status: 'error', code: 'credential_expired' })
    const row = { ...done, requested_by_name: null, restored_at: null, table_of: done.id, has_table: false }
    const [inside, outside] = [true, false].map(isInternal => presentRun(row, { isInternal, table: null }))
    expect(inside?.blocks[0]?.platform_message).toEqual(expect.any(String))
    expect(inside?.detail).toHaveProperty('platform_message')
    expect(JSON.stringify(outside)).not.toContain(inside?.blocks[0]?.platform_message)
    expect(outside?.detail).not.toHaveProperty('platform_message')
  })

  it('of an owner whose account is closed ends with lost access', async () => {
    const owner = await agency.insertUser('staff')
    await db
      .insertInto('advertiser_member')
      .values({ advertiser: agency.advertiser, user_id: owner })
      .execute()
    const { id } = await report({ owner })
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', owner).execute()
    const done = await run(id)
    expect(done).toMatchObject({ status: 'error', code: 'account_access_lost' })
    expect(done.blocks).toMatchObject([{ status: 'error', code: 'account_access_lost' }])
  })
})

describe('a temporary failure', () => {
  it('of a quota postpones the run for as long as the platform says, without holding a worker', async () => {
    await metaFault({ action: 'rate_limit', code: 80_000 })
    const { id } = await report()
    const waiting = await run(id)
    expect(waiting).toMatchObject({
      status: 'queued',
      code: 'quota_exhausted',
      failures: 0,
      lease_until: null,
    })
    expect(waiting.resumes_at?.getTime()).toBeGreaterThan(waiting.queued_at.getTime())
    expect(await attempt(waiting.id)).toEqual(waiting)
    await sandbox.setFaults([])
    await resume(waiting.id)
    expect(await attempt(waiting.id)).toMatchObject({
      status: 'completed',
      attempt: 2,
      code: null,
      detail: null,
    })
  })

  it('of the platform is tried again later, counted as a failure', async () => {
    await metaFault({ action: 'server_error', status: 503 })
    const { id } = await report()
    const waiting = await run(id)
    expect(waiting).toMatchObject({ status: 'queued', code: 'platform_unavailable', failures: 1 })
    await sandbox.setFaults([])
    await resume(waiting.id)
    expect(await attempt(waiting.id)).toMatchObject({ status: 'completed' })
  })

  it('of the spreadsheet service keeps the table, which is not fetched a second time', async () => {
    await sheetsFault({ action: '503', method: 'GET', count: 20 })
    const { id } = await report()
    const waiting = await run(id)
    expect(waiting).toMatchObject({ status: 'queued', code: 'spreadsheet_unavailable' })
    expect(waiting.table_rows).toBe(10)
    await sandbox.setFaults([{ platform: 'meta', action: 'server_error', status: 500 }])
    await resume(waiting.id)
    expect(await attempt(waiting.id)).toMatchObject({ status: 'completed' })
  })

  it('that outlasts six hours ends the run, and its blocks with it', async () => {
    await metaFault({ action: 'server_error', status: 503 })
    // Days that no run before has fetched.
    const { id } = await report({ date_end: '2026-11-09' })
    const queued_at = new Date(Date.now() - GIVE_UP_AFTER_MS)
    const done = await attempt(await queue(id, { queued_at }))
    expect(done).toMatchObject({
      status: 'error',
      code: 'run_expired',
      detail: { last: 'platform_unavailable' },
      blocks: [{ status: 'error', code: 'run_expired' }],
    })
  })

  it('gives a run that was due before a downtime its six hours all the same', async () => {
    await metaFault({ action: 'server_error', status: 503 })
    const { id } = await report()
    const due_at = new Date(Date.now() - 5 * 24 * 3600_000)
    expect(await attempt(await queue(id, { due_at }))).toMatchObject({ status: 'queued' })
  })
})

describe('a target that cannot be written', () => {
  const failing = async (
    fields: Parameters<typeof report>[0] = {},
    prepare: (id: string) => Promise<unknown>,
  ) => {
    const { id, spreadsheet_id } = await report(fields)
    await prepare(spreadsheet_id)
    const before = await service.document(spreadsheet_id)
    const done = await run(id)
    expect(done.status).toBe('error')
    expect(await service.document(spreadsheet_id)).toBe(before)
    return done
  }

  it('is refused for too many cells', async () => {
    try {
      const done = await failing({ start_cell: 'A55' }, () => agency.setLimits({ cell_limit: 750 }))
      expect(done).toMatchObject({ code: 'cell_limit' })
    } finally {
      await agency.setLimits({ cell_limit: 10_000_000 })
    }
  })

  it('is refused for a text that no cell can hold', async () => {
    const done = await failing(
      {
        dimensions: '["ad"]',
        date_start: '2026-01-01',
        blocks: [block(['Cedar Coffee (a very long ad name)'])],
      },
      async () => {},
    )
    expect(done).toMatchObject({ code: 'cell_too_long' })
  })

  it('is refused for a protected range', async () => {
    const done = await failing({}, id =>
      service.batch(id, {
        addProtectedRange: {
          protectedRange: {
            range: { sheetId: 0, startRowIndex: 0, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 2 },
            editors: { users: ['client-a@aurora.demo'] },
          },
        },
      }),
    )
    expect(done).toMatchObject({ code: 'protected_range' })
  })

  it('is refused for a named range that is protected, and says which', async () => {
    const done = await failing({}, id =>
      service.batch(
        id,
        {
          addNamedRange: {
            namedRange: {
              namedRangeId: 'budget',
              name: 'Budget',
              range: { sheetId: 0, startRowIndex: 0, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 2 },
            },
          },
        },
        {
          addProtectedRange: {
            protectedRange: { namedRangeId: 'budget', editors: { users: ['client-a@aurora.demo'] } },
          },
        },
      ),
    )
    expect(done).toMatchObject({ code: 'named_range', detail: { names: ['Budget'], range: 'A1:B4' } })
  })

  it('is written beside a named range, which stays', async () => {
    const { id, spreadsheet_id } = await report()
    await service.batch(spreadsheet_id, {
      addNamedRange: {
        namedRange: {
          name: 'Numbers',
          range: { sheetId: 0, startRowIndex: 1, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 2 },
        },
      },
    })
    expect(await run(id)).toMatchObject({ status: 'completed' })
    expect(await service.document(spreadsheet_id)).toContain('Numbers')
  })

  it('is refused when its tab was renamed or deleted', async () => {
    const { id, spreadsheet_id } = await report()
    await run(id)
    await service.batch(spreadsheet_id, {
      updateSheetProperties: { properties: { sheetId: 0, title: 'Renamed' }, fields: 'title' },
    })
    expect(await run(id)).toMatchObject({ status: 'error', code: 'sheet_name_mismatch' })
    await service.batch(
      spreadsheet_id,
      { addSheet: { properties: { sheetId: 9, title: 'Other' } } },
      { deleteSheet: { sheetId: 0 } },
    )
    expect(await run(id)).toMatchObject({ status: 'error', code: 'sheet_name_mismatch' })
  })

  it('is refused when the system user may only read', async () => {
    const spreadsheet_id = await agency.spreadsheet({ role: 'reader' })
    const done = await failing({ spreadsheet_id }, async () => {})
    expect(done).toMatchObject({ code: 'spreadsheet_not_editor' })
  })

  it('is refused where another report’s table is', async () => {
    const first = await report()
    await run(first.id)
    const done = await failing({ spreadsheet_id: first.spreadsheet_id, start_cell: 'B5' }, async () => {})
    expect(done).toMatchObject({ code: 'target_overlap' })
  })
})

describe('a request that is applied late', () => {
  it('has no effect any more, and until it has been applied, no other run writes to the spreadsheet', async () => {
    const { id, spreadsheet_id } = await report()
    const other = await report({ spreadsheet_id, start_cell: 'A30' })
    const landed = async () =>
      (await sandbox.requests()).filter(
        ({ method, path }) => method === 'POST' && path.includes(`${spreadsheet_id}:batchUpdate`),
      ).length
    await sheetsFault({ action: 'land_late', method: 'POST', path: 'batchUpdate', delay_ms: 700 })
    const before = await landed()
    expect(await run(id)).toMatchObject({ status: 'completed', attempt: 1 })
    const document = await service.document(spreadsheet_id)
    const waiting = await run(other.id)
    expect(waiting).toMatchObject({ status: 'queued', code: null, failures: 0 })
    expect((waiting.resumes_at?.getTime() ?? 0) - waiting.queued_at.getTime()).toBeGreaterThan(150_000)

    while ((await landed()) < before + 2);
    expect(await service.document(spreadsheet_id)).toBe(document)
    await db
      .updateTable('spreadsheet_write')
      .set({ started_at: sql<Date>`now() - interval '201 s'` })
      .where('spreadsheet_id', '=', spreadsheet_id)
      .execute()
    await resume(waiting.id)
    expect(await attempt(waiting.id)).toMatchObject({ status: 'completed' })
  })
})

describe('what is logged of an attempt', () => {
  it('is its outcome, once for each', async () => {
    const attemptEnds: unknown[] = []
    const onEnd: RunEffects['onEnd'] = (of, end) =>
      void attemptEnds.push({ run: of.id, attempt: of.attempt, ...end })
    const { id } = await agency.report()
    const done = await agency.run(id, { onEnd })
    await sandbox.setFaults([{ platform: 'meta', action: 'server_error', status: 500 }])
    const waiting = await agency.run(id, { onEnd }).finally(() => sandbox.setFaults([]))
    expect(attemptEnds).toEqual([
      { run: done.id, attempt: 1, status: 'completed', code: null },
      { run: waiting.id, attempt: 1, status: 'waits', code: waiting.code, wait_ms: expect.any(Number) },
    ])
    expect(waiting.status).toBe('queued')
  })
})

describe('cancelling', () => {
  const cancel = (id: string) =>
    db
      .updateTable('run')
      .set({ cancel_requested_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()

  it.each(['claimed', 'page', 'fetched', 'chunk'])(
    'at the step "%s" ends the run before it writes',
    async at => {
      const { id, spreadsheet_id } = await report()
      const before = await service.document(spreadsheet_id)
      const run_id = await queue(id)
      const done = await attempt(run_id, { step: async step => void (step === at && (await cancel(run_id))) })
      expect(done).toMatchObject({ status: 'cancelled', code: 'run_cancelled', written: null })
      expect(await service.document(spreadsheet_id)).toBe(before)
      expect(await chunksOf(run_id)).toEqual([])
    },
  )

  it('ends a run that is about to wait', async () => {
    await metaFault({ action: 'server_error', status: 503 })
    const { id } = await report()
    const run_id = await queue(id)
    const done = await attempt(run_id, { step: async () => void (await cancel(run_id)) })
    expect(done).toMatchObject({ status: 'cancelled', resumes_at: null })
  })

  // The last check is before the request is recorded, so a later deletion comes too late.
  it.each(['claimed', 'fetched', 'stored', 'before structure'])(
    'is what deleting the report does at the step "%s"',
    async at => {
      const { id, spreadsheet_id } = await report()
      const before = await service.document(spreadsheet_id)
      const remove = () =>
        db.updateTable('report').set({ deleted_at: new Date() }).where('id', '=', id).execute()
      const done = await run(id, { step: async step => void (step === at && (await remove())) })
      expect(done).toMatchObject({ status: 'cancelled' })
      expect(await service.document(spreadsheet_id)).toBe(before)
    },
  )
})

describe('a run that was not executed for long', () => {
  it('uses the days as they are now when it has stored no table', async () => {
    await metaFault({ action: 'server_error', status: 503 })
    const { id } = await report({ dynamic_range: 1, date_start: null, date_end: null })
    const waiting = await run(id, { now: () => new Date('2026-11-16T02:00:00Z') })
    expect(waiting).toMatchObject({ range_end: '2026-11-16' })
    await sandbox.setFaults([])
    await resume(waiting.id)
    await db
      .updateTable('run')
      .set({ started_at: sql<Date>`now() - interval '4 days'` })
      .where('id', '=', waiting.id)
      .execute()
    expect(await attempt(waiting.id)).toMatchObject({
      status: 'completed',
      range_end: '2026-11-20',
      rows: 20,
    })
  })

  it('keeps its plan within its six hours, whatever is changed in the report', async () => {
    await metaFault({ action: 'server_error', status: 503 })
    const { id } = await report()
    const waiting = await run(id)
    await sandbox.setFaults([])
    await resume(waiting.id)
    await db
      .updateTable('report')
      .set({ date_end: '2026-11-05', sheet_name: 'Elsewhere' })
      .where('id', '=', id)
      .execute()
    expect(await attempt(waiting.id)).toMatchObject({ status: 'completed', rows: 10 })
  })

  it('is quarantined, at once and for good, when its process has died three times in a row', async () => {
    const { id } = await report()
    const run_id = await queue(id, {
      lost_leases: 2,
      worker_deaths: 3,
      status: 'fetching',
      lease_until: new Date(0),
    })
    const unexpected: unknown[] = []
    const done = await attempt(run_id, { onUnexpected: error => void unexpected.push(error) })
    expect(done).toMatchObject({ status: 'error', code: 'internal_error', detail: { lost_leases: 3 } })
    expect(unexpected).toHaveLength(1)
  })

  it('goes on however often whole machines crashed with it, and resets the count after progress', async () => {
    const { id } = await report()
    const facts = { worker_deaths: 2, status: 'fetching', lease_until: new Date(0) } as const
    const run_id = await queue(id, { lost_leases: 7, ...facts })
    expect(await attempt(run_id)).toMatchObject({ status: 'completed', lost_leases: 0, worker_deaths: 0 })
    const unlucky = await queue(id, { lost_leases: 19, ...facts })
    expect(await attempt(unlucky)).toMatchObject({ status: 'error', detail: { lost_leases: 20 } })
  })
})

/**
 * Rows of date, impressions and cost, from the platform's own response by campaign, added up here; 1 to 10
 * November.
 */
async function dailySums(names: string[]) {
  const sums = new Map<string, { impressions: number; cents: number }>()
  for (const name of names) {
    const { external_id } = await db
      .selectFrom('ad_account')
      .select('external_id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const query = new URLSearchParams({
      level: 'campaign',
      time_increment: '1',
      time_range: JSON.stringify({ since: '2026-11-01', until: '2026-11-10' }),
      fields: 'campaign_id,impressions,spend',
      limit: '50',
    })
    let url: string | undefined = `${sandbox.base_url}/v25.0/act_${external_id}/insights?${query}`
    while (url) {
      const response = await fetch(url, { headers: { authorization: 'Bearer sandbox-admin' } })
      const page = (await response.json()) as {
        data: { date_start: string; impressions: string; spend: string }[]
        paging?: { next?: string }
      }
      for (const { date_start, impressions, spend } of page.data) {
        const sum = sums.get(date_start) ?? { impressions: 0, cents: 0 }
        sum.impressions += Number(impressions)
        sum.cents += Math.round(Number(spend) * 100)
        sums.set(date_start, sum)
      }
      url = page.paging?.next
    }
  }
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, { impressions, cents }]) => [Date.parse(day) / 86_400_000 + 25_569, impressions, cents / 100])
}
