import { describe, expect, it } from 'vitest'
import { ReportPending, PlatformFailure } from '#server/connectors/connector.ts'
import { testAgency } from './testing/agency.ts'
import { AttemptError } from './failure.ts'
import { Entry, openJournal } from './journal.ts'

const agency = await testAgency()
const { block } = agency
const timelineOf = (run: { timeline: unknown }) => Entry.array().parse(run.timeline)
const phasesOf = (run: { timeline: unknown }) => timelineOf(run).map(({ phase }) => phase)

/** An attempt that meets this failure at the first page, and one that succeeds. */
const meeting = (failure: Error) => ({
  step: async (step: string) => {
    if (step === 'page') throw failure
  },
  onUnexpected: () => undefined,
})

describe('the journal of a run', () => {
  it('is recorded by phase, block and platform', async () => {
    const { id } = await agency.report({
      blocks: [block(['Aurora Cosmetics Taiwan']), block(['Aurora Cosmetics Outlet'])],
    })
    const run = await agency.run(id, {
      limiter: { acquire: () => new Promise(resolve => void setTimeout(resolve, 3)), report: async () => {} },
    })
    expect(phasesOf(run)).toEqual(['fetching', 'storing', 'writing', 'verifying'])
    const times = timelineOf(run).map(({ at }) => at.getTime())
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(run.platform_calls).toEqual({ meta: run.platform_requests })
    expect(run.platform_requests).toBeGreaterThan(1)
    expect(run.quota_wait_ms).toMatchObject({ meta: expect.any(Number), sheets: expect.any(Number) })
    expect(run.quota_wait_ms.meta).toBeGreaterThan(0)
    for (const { after_ms, took_ms } of run.blocks)
      expect([after_ms, took_ms]).toEqual([expect.any(Number), expect.any(Number)])
  })

  it('counts over all attempts, and has what the run waited for', async () => {
    const { id } = await agency.report()
    const run_id = await agency.queue(id)
    const waits = [
      new PlatformFailure('platform_unavailable'),
      new PlatformFailure('quota_exhausted', { retry_after_ms: 60_000 }),
      new ReportPending(15_000),
      new AttemptError({ kind: 'spreadsheet_taken', wait_ms: 1500 }),
      new AttemptError({ kind: 'released' }),
    ]
    let lastCount = 0
    for (const wait of waits) {
      const run = await agency.attempt(run_id, meeting(wait))
      expect(run.status).toBe('queued')
      expect(run.platform_requests).toBeGreaterThan(lastCount)
      lastCount = run.platform_requests
      await agency.resume(run_id)
    }
    const done = await agency.attempt(run_id)
    expect(done).toMatchObject({ status: 'completed', attempt: 6 })
    expect(timelineOf(done).filter(({ phase }) => phase === 'waiting')).toMatchObject([
      { why: 'retry', code: 'platform_unavailable', attempt: 1 },
      { why: 'quota', code: 'quota_exhausted', attempt: 2 },
      { why: 'platform', code: null, attempt: 3 },
      { why: 'turn', code: null, attempt: 4 },
      { why: 'restart', code: null, attempt: 5 },
    ])
  })

  it('does not grow by waiting for the same reason a thousand times', async () => {
    const { id } = await agency.report()
    const run_id = await agency.queue(id)
    for (let count = 0; count < 12; count++) {
      await agency.attempt(run_id, meeting(new AttemptError({ kind: 'spreadsheet_taken', wait_ms: 1500 })))
      await agency.resume(run_id)
    }
    const waiting = timelineOf(await agency.runRow(run_id))
    expect(waiting).toMatchObject([
      { phase: 'fetching', attempt: 1 },
      { phase: 'waiting', why: 'turn', times: 12 },
    ])
    expect(phasesOf(await agency.attempt(run_id)).slice(2)).toEqual([
      'fetching',
      'storing',
      'writing',
      'verifying',
    ])
  })

  it('stays short however its waits alternate', () => {
    let timeline: unknown = []
    for (let attempt = 1; attempt < 400; attempt++) {
      const claim = { phase: 'fetching', at: new Date(attempt), attempt }
      const row = { attempt, timeline: [...Entry.array().parse(timeline), claim] }
      const journal = openJournal({
        ...row,
        platform_calls: {},
        answers_requested: 0,
        answers_shared: 0,
        shared_from: null,
        quota_wait_ms: {},
        claimed_at: new Date(attempt),
      })
      journal.wait(attempt % 2 ? 'turn' : 'quota', null)
      timeline = JSON.parse(journal.columns().timeline)
    }
    const entries = Entry.array().parse(timeline)
    expect(entries.length).toBeLessThanOrEqual(81)
    expect([entries[0]?.attempt, entries.at(-1)?.attempt]).toEqual([1, 399])
  })

  it('records a worker that died without notice', async () => {
    const { id } = await agency.report()
    const run_id = await agency.queue(id, {
      status: 'fetching',
      attempt: 1,
      lease_until: new Date(Date.now() - 1000),
      started_at: new Date(Date.now() - 20_000),
    })
    const done = await agency.attempt(run_id)
    expect(timelineOf(done)[0]).toMatchObject({ phase: 'fetching', attempt: 2, taken_over: true })
  })

  it('ends with the failure', async () => {
    const { id } = await agency.report()
    const failed = await agency.attempt(
      await agency.queue(id),
      meeting(new PlatformFailure('too_large', { platform_message: 'no' })),
    )
    expect(failed).toMatchObject({ status: 'error', code: 'too_large' })
    expect(phasesOf(failed)).toEqual(['fetching'])
    expect(failed.platform_calls).toHaveProperty('meta')
  })
})
