import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SheetsFailure } from './failure.ts'
import { openRequests, type Refusal, type StepFacts } from './requests.ts'

const patience = { tries: 4, patience_ms: 10_000 }
const unavailable = (ambiguous: boolean) => new SheetsFailure('spreadsheet_unavailable', { ambiguous })

/** `pause_ms`: of a quota that the service refuses for. */
function opened({ pause_ms = 0, onAcquire = (_kind: string): void => undefined } = {}) {
  const steps: string[] = []
  const facts: StepFacts[] = []
  const waits: number[] = []
  const refusals: (Refusal | null)[] = []
  const requests = openRequests('S', {
    limiter: {
      acquire: async kind => onAcquire(kind),
      async report(_kind, { refusal }) {
        refusals.push(refusal)
        return refusal === null ? 0 : pause_ms
      },
    },
    sleep: async ms => void waits.push(ms),
    signal: new AbortController().signal,
    on_step(step, fact) {
      facts.push(fact)
      steps.push([fact.when, step, fact.request, fact.outcome ?? ''].join(' ').trim())
    },
  })
  return { requests, steps, facts, waits, refusals }
}

/** Returns one outcome after the other; null is a success. */
function responding(...outcomes: (SheetsFailure | null)[]) {
  return async () => {
    const next = outcomes.shift() ?? null
    if (next) throw next
  }
}

describe('requests of an attempt', () => {
  it('are announced before and after, and state which can change what people see', async () => {
    const { requests, steps, facts } = opened()
    await requests.repeatable('structure', { kind: 'read', ...patience }, responding())
    await requests.repeatable('chunk', { kind: 'write', ...patience }, responding())
    await requests.change('commit', patience, { send: responding(), isApplied: async () => false })
    expect(steps).toEqual([
      'before structure 1',
      'after structure 1 done',
      'before chunk 2',
      'after chunk 2 done',
      'before commit 3',
      'after commit 3 done',
    ])
    expect(facts.filter(fact => fact.visible).map(fact => fact.request)).toEqual([3, 3])
  })

  it('may have the permit of the next write acquired while one is under way', async () => {
    const events: string[] = []
    const { requests } = opened({ onAcquire: kind => void events.push(`permit to ${kind}`) })
    await requests.repeatable('chunk', { kind: 'write', ...patience }, async () => {
      requests.reserveWrite()
      await Promise.resolve()
      events.push('written')
    })
    await requests.repeatable('structure', { kind: 'read', ...patience }, responding())
    await requests.change('commit', patience, { send: responding(), isApplied: async () => false })
    expect(events).toEqual(['permit to write', 'permit to write', 'written', 'permit to read'])
  })

  it('acquire another permit where the reserved one is of an earlier minute', async () => {
    const events: string[] = []
    const { requests } = opened({ onAcquire: kind => void events.push(`permit to ${kind}`) })
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    const time = performance.now()
    requests.reserveWrite()
    clock.mockImplementation(() => time + 60_000)
    await requests.change('commit', patience, { send: responding(), isApplied: async () => false })
    expect(events).toEqual(['permit to write', 'permit to write'])
  })

  it('wait longer each time, and stop within their patience', async () => {
    const { requests, waits } = opened()
    const failing = responding(unavailable(false), unavailable(false), unavailable(false), unavailable(false))
    await expect(
      requests.repeatable('structure', { kind: 'read', ...patience }, failing),
    ).rejects.toMatchObject({ code: 'spreadsheet_unavailable' })
    expect(waits.map(Math.floor)).toHaveLength(3)
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(10_000)
  })

  it('leave a wait for the next minute to the queue, and pause the quota for all', async () => {
    const { requests, waits, refusals } = opened({ pause_ms: 60_000 })
    const quota = new SheetsFailure('quota_exhausted', { why: 'user_quota', service_message: 'exceeded' })
    await expect(
      requests.change('commit', patience, { send: responding(quota), isApplied: async () => true }),
    ).rejects.toMatchObject({ code: 'quota_exhausted', service_message: 'exceeded', retry_after_ms: 60_000 })
    expect(waits).toEqual([])
    expect(refusals).toMatchObject([{ why: 'user_quota', retry_after_ms: null }])
  })

  it('are sent again in place after a short pause of the quota, a change without reading the tab', async () => {
    const { requests, waits, refusals, steps } = opened({ pause_ms: 900 })
    const quota = new SheetsFailure('quota_exhausted')
    const isApplied = async () => Promise.reject(new Error('it was refused: nothing was applied'))
    await requests.change('commit', patience, { send: responding(quota), isApplied })
    expect(waits).toEqual([900])
    expect(refusals).toMatchObject([{ retry_after_ms: null }, null])
    expect(steps.filter(step => step.startsWith('after'))).toEqual([
      'after commit 1 refused',
      'after commit 2 done',
    ])
  })

  it('are not sent by an attempt that may not write any more', async () => {
    const { requests } = opened()
    let sent = 0
    const fenced = openRequests('S', {
      limiter: { acquire: async () => {}, report: async () => 0 },
      sleep: async () => {},
      signal: new AbortController().signal,
      on_step: (_step, { when }) => {
        if (when === 'before') throw new Error('fenced')
      },
    })
    const send = async () => void sent++
    await expect(fenced.change('commit', patience, { send, isApplied: async () => false })).rejects.toThrow(
      'fenced',
    )
    expect([sent, requests.count()]).toEqual([0, 0])
  })
})

describe('a change of unknown outcome', () => {
  it('is checked for, and not sent again when it was applied', async () => {
    const { requests, steps } = opened()
    await requests.change('commit', patience, {
      send: responding(unavailable(true)),
      isApplied: async () => true,
    })
    expect(steps).toEqual(['before commit 1', 'after commit 1 unknown', 'after commit 1 done'])
  })

  it('is sent again when it was not applied', async () => {
    const { requests, steps } = opened()
    await requests.change('commit', patience, {
      send: responding(unavailable(true), null),
      isApplied: async () => false,
    })
    expect(steps).toEqual([
      'before commit 1',
      'after commit 1 unknown',
      'before commit 2',
      'after commit 2 done',
    ])
  })

  it('stays unknown in the failure that ends the attempt, whatever its code', async () => {
    const { requests } = opened()
    const refused = new SheetsFailure('spreadsheet_not_editor')
    await expect(
      requests.change('commit', patience, {
        send: responding(unavailable(true), refused),
        isApplied: async () => false,
      }),
    ).rejects.toMatchObject({ code: 'spreadsheet_not_editor', ambiguous: true })
  })

  it('is checked for after a refusal too, when an earlier copy may have been applied', async () => {
    const { requests } = opened()
    const twice = new SheetsFailure('internal_error', { why: 'already_done' })
    await expect(
      requests.change('commit', patience, { send: responding(twice), isApplied: async () => true }),
    ).resolves.toBeUndefined()
  })
})
