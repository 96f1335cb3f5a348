import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BlockOutcome } from '#shared/api/executions.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { insertReport, nextRunId } from '#server/resources/runs/testing/reports.ts'
import { settleIncidents } from './incidents.ts'

const { db } = await testDatabase()
const AT = new Date('2026-11-20T01:00:00Z')
const LONG = process.env.LONG === '1'

/** The outcome of each of the report's channels; null: it had output. */
type Outcomes = (string | null)[]
type Outcome = { status: 'completed'; blocks: Outcomes } | { status: 'error'; code: string; blocks: Outcomes }

const channels = ['fb', 'aw', 'ga4'] as const
const blockOf = (code: string | null, index: number): BlockOutcome => ({
  channel: channels[index] ?? 'fb',
  label: `Channel ${index}`,
  status: code === null ? 'ok' : code === 'channel_no_data' ? 'no_data' : 'error',
  rows: 0,
  code,
  platform_message: null,
  proof: null,
  empty_because: null,
  after_ms: null,
  took_ms: null,
  progress: null,
})

const lacking = fc.constantFrom(null, null, 'channel_no_data', 'account_access_lost', 'credential_expired')
const blocks = fc.tuple(lacking, lacking, lacking)
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ status: fc.constant('completed' as const), blocks }),
  fc.record({ status: fc.constant('error' as const), code: fc.constant('spreadsheet_not_shared'), blocks }),
  // A required block has failed.
  blocks
    .filter(block => block.some(code => code !== null))
    .map(block => ({
      status: 'error' as const,
      code: block.find(code => code !== null) ?? '',
      blocks: block,
    })),
)

async function endRun(report: number, owner: number, outcome: Outcome) {
  const id = nextRunId()
  const code = outcome.status === 'error' ? outcome.code : null
  await db
    .insertInto('run')
    .values({ id, report, owner, trigger: 'schedule', status: outcome.status, code, finished_at: AT })
    .execute()
  await db.transaction().execute(trx =>
    settleIncidents(trx, {
      id,
      report,
      status: outcome.status,
      code,
      detail: null,
      blocks: outcome.blocks.map(blockOf),
      at: AT,
    }),
  )
  return await db
    .selectFrom('notification')
    .select(['user_id', 'kind', 'code', 'detail'])
    .where('run', '=', id)
    .orderBy('id')
    .execute()
}

it('opens one incident a cause, and closes it once when the report is free of it, whatever the outcomes of runs', async () => {
  let noticeCount = 0
  const property = fc.asyncProperty(fc.array(anyOutcome, { minLength: 1, maxLength: 12 }), async outcomes => {
    const { report, owner } = await insertReport(db)
    // Written down again without the implementation: the causes that the owner knows of.
    const known = new Set<string>()
    let failed = false
    for (const outcome of outcomes) {
      const notices = await endRun(report, owner, outcome)
      noticeCount += notices.length
      expect(notices.every(notice => notice.user_id === owner)).toBe(true)
      const failures = notices.filter(notice => !notice.kind.endsWith('recovered'))
      const recoveries = notices.filter(notice => notice.kind.endsWith('recovered'))

      const of_blocks = outcome.blocks.flatMap((code, index) =>
        code === null ? [] : [`Channel ${index} ${code}`],
      )
      const is_whole = outcome.status === 'error' && !outcome.blocks.includes(outcome.code)
      const causes = is_whole ? [`run ${outcome.code}`] : of_blocks
      const expected = causes.filter(cause => !known.has(cause))
      const codesNow = failures.flatMap(({ code, detail }) =>
        (detail.channels ?? ['run']).map(channel => `${channel} ${code}`),
      )
      expect(codesNow.toSorted()).toEqual(expected.toSorted())
      expect(new Set(failures.map(notice => notice.code)).size).toBe(failures.length)
      for (const cause of causes) known.add(cause)
      const over = outcome.status === 'error' ? [] : [...known].filter(cause => !causes.includes(cause))
      const works = over.some(cause => {
        const [, index] = /^Channel (\d)/.exec(cause) ?? []
        return index === undefined || outcome.blocks[Number(index)] === null
      })
      const [least, most] = [works ? 1 : 0, works || (over.length > 0 && failed) ? 1 : 0]
      expect(recoveries.length).toBeGreaterThanOrEqual(least)
      expect(recoveries.length).toBeLessThanOrEqual(most)
      failed ||= outcome.status === 'error' && expected.length > 0
      for (const cause of over) known.delete(cause)
      if (known.size === 0) failed = false
    }
    const open = await db
      .selectFrom('incident')
      .select('id')
      .where('report', '=', report)
      .where('closed_at', 'is', null)
      .execute()
    expect(open).toHaveLength(known.size)
  })
  await fc.assert(property, { numRuns: LONG ? 2000 : 60 })
  expect(noticeCount).toBeGreaterThan(50)
})

it('names all channels of one cause in one notification', async () => {
  const { report, owner } = await insertReport(db)
  const down: Outcomes = ['credential_expired', 'credential_expired', null]
  expect(await endRun(report, owner, { status: 'completed', blocks: down })).toMatchObject([
    {
      kind: 'channels_lack_output',
      code: 'credential_expired',
      detail: { channels: ['Channel 0', 'Channel 1'] },
    },
  ])
  expect(
    await endRun(report, owner, { status: 'completed', blocks: ['credential_expired', null, null] }),
  ).toMatchObject([{ kind: 'channels_recovered', detail: { channels: ['Channel 1'] } }])
  expect(await endRun(report, owner, { status: 'completed', blocks: [null, null, null] })).toMatchObject([
    { kind: 'channels_recovered', detail: { channels: ['Channel 0'] } },
  ])
})

it('reports a recovery only once the report works', async () => {
  const { report, owner } = await insertReport(db)
  const fine: Outcomes = [null, null, null]
  const kinds = async (outcome: Outcome) => (await endRun(report, owner, outcome)).map(notice => notice.kind)
  expect(await kinds({ status: 'error', code: 'spreadsheet_not_shared', blocks: fine })).toEqual([
    'report_failed',
  ])
  expect(await kinds({ status: 'error', code: 'spreadsheet_not_shared', blocks: fine })).toEqual([])
  expect(await kinds({ status: 'error', code: 'run_expired', blocks: fine })).toEqual(['report_failed'])
  expect(await kinds({ status: 'completed', blocks: fine })).toEqual(['report_recovered'])
  expect(await kinds({ status: 'completed', blocks: fine })).toEqual([])
})

it('does not call a block recovered that lacks output for another reason, or is gone', async () => {
  const { report, owner } = await insertReport(db)
  const kinds = async (of_blocks: Outcomes) =>
    (await endRun(report, owner, { status: 'completed', blocks: of_blocks })).map(notice => notice.kind)
  expect(await kinds([null, 'credential_expired'])).toEqual(['channels_lack_output'])
  expect(await kinds([null, 'channel_no_data'])).toEqual(['channels_lack_output'])
  expect(await kinds([null])).toEqual([])
})

it('recognises a renamed block', async () => {
  const { report, owner } = await insertReport(db)
  await endRun(report, owner, { status: 'completed', blocks: ['channel_no_data'] })
  await db.updateTable('incident').set({ label: 'As it was called' }).where('report', '=', report).execute()
  expect(await endRun(report, owner, { status: 'completed', blocks: ['channel_no_data'] })).toEqual([])
})

it('notifies superusers when the owner is gone, and nobody of a deleted report', async () => {
  const { report, owner } = await insertReport(db)
  const { id: superuser } = await db
    .insertInto('users')
    .values({ username: 'super', identity: 'superuser', user_type: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('users').set({ employment_status: 2 }).where('id', '=', owner).execute()
  const failed: Outcome = { status: 'error', code: 'account_access_lost', blocks: ['account_access_lost'] }
  expect(await endRun(report, owner, failed)).toMatchObject([{ user_id: superuser, kind: 'report_failed' }])
  await db.updateTable('report').set({ deleted_at: AT }).where('id', '=', report).execute()
  expect(await endRun(report, owner, { status: 'completed', blocks: [null] })).toEqual([])
})
