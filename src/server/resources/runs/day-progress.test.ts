import { describe, expect, it } from 'vitest'
import { ReportPending, PlatformFailure } from '#server/connectors/connector.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import { testAccount, testPlan } from '#server/table/testing/table.ts'
import { dayProgress } from './day-progress.ts'
import { reportWaitOf } from './report-wait-queries.ts'
import { testAgency } from './testing/agency.ts'

const range = { start: '2026-11-01', end: '2026-11-10' }

describe('the days of a channel', () => {
  it('are those that its pages have, on average over its accounts', () => {
    const accounts = [testAccount(1), testAccount(2)]
    const days = dayProgress(testPlan({ range, blocks: [{ accounts: [1, 2] }], accounts }))
    expect(days.of(0)).toEqual({ fetched: 0, requested: 10 })
    const dates = ['2026-11-01', '2026-11-01', '2026-11-02', '2026-11-01']
    days.add(0, { length: 4, dates: textColumn(dates) })
    expect(days.of(0)).toEqual({ fetched: 1, requested: 10 })
    // A day without delivery has no row.
    days.end(0)
    expect(days.of(0)).toEqual({ fetched: 5, requested: 10 })
    days.end(1)
    expect(days.of(0)).toEqual({ fetched: 10, requested: 10 })
  })

  it('are unknown where it is not fetched by day', () => {
    expect(dayProgress({ time: 'month', range, requests: [] }).of(0)).toBeNull()
  })
})

const agency = await testAgency()
const meeting = (failure: Error) => ({
  step: async (step: string) => {
    if (step === 'page') throw failure
  },
  onUnexpected: () => undefined,
})

describe('a channel of a run', () => {
  it.each([
    ['platform', new ReportPending(15_000)],
    ['quota', new PlatformFailure('quota_exhausted', { retry_after_ms: 600_000 })],
  ] as const)('that waits for its %s says so until it goes on', async (waits, failure) => {
    const { id } = await agency.report()
    const waiting = await agency.run(id, meeting(failure))
    expect(waiting).toMatchObject({ status: 'queued', blocks: [{ progress: { waits } }] })
    await agency.resume(waiting.id)
    expect(await agency.attempt(waiting.id)).toMatchObject({
      status: 'completed',
      blocks: [{ status: 'ok', progress: null }],
    })
  })

  it('that waits for a report of its platform shows how long that has usually taken', async () => {
    const { id } = await agency.report()
    const { db } = agency
    const waitOf = async (run: string) => {
      const { blocks, timeline, report, status } = await agency.runRow(run)
      return await reportWaitOf(db, { blocks, timeline, report, status })
    }
    await db.updateTable('run').set({ timeline: '[]' }).execute()
    const first = await agency.run(id, meeting(new ReportPending(15_000)))
    expect(await waitOf(first.id)).toEqual({ since: expect.any(String), usual_ms: null })
    await agency.resume(first.id)
    await agency.attempt(first.id)
    expect(await waitOf(first.id)).toBeNull()
    const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 2, 0, second))
    const stretch = (phase: string, second: number, why: string | null = null) => ({
      phase,
      at: at(second),
      attempt: 1,
      why,
    })
    await db
      .updateTable('run')
      .set({
        timeline: JSON.stringify([
          stretch('fetching', 0),
          stretch('waiting', 2, 'platform'),
          stretch('fetching', 22),
          stretch('writing', 30),
        ]),
      })
      .where('id', '=', first.id)
      .execute()
    const second = await agency.run(id, meeting(new ReportPending(15_000)))
    expect(await waitOf(second.id)).toMatchObject({ usual_ms: 20_000 })
    // Another report with the same channel has no runs of its own yet.
    const other = await agency.report()
    const third = await agency.run(other.id, meeting(new ReportPending(15_000)))
    expect(await waitOf(third.id)).toMatchObject({ usual_ms: 20_000 })
  })
})
