import { describe, expect, it } from 'vitest'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { endingOf, AttemptError, runFailure, runCancelled, leaseLost, classify } from './failure.ts'
const now = new Date('2026-11-20T01:00:00Z')
const run = { failures: 0, queued_at: now, quota_rest_ms: 0 }
const ending = (error: unknown, facts: Partial<typeof run> = {}, at = now) =>
  endingOf(classify(error), { ...run, ...facts }, at)
const hours = (count: number) => new Date(now.getTime() + count * 3600_000)

describe('a run whose attempt ended with an error', () => {
  it('is left alone when another attempt has taken it over', () => {
    expect(ending(leaseLost())).toEqual({ kind: 'silent' })
  })

  it('is cancelled when that was requested', () => {
    expect(ending(runCancelled())).toEqual({ kind: 'cancelled' })
  })

  it('ends with the code of a permanent failure', () => {
    expect(ending(new SheetsFailure('protected_range', { detail: { range: 'A1:B2' } }))).toMatchObject({
      kind: 'error',
      code: 'protected_range',
      detail: { range: 'A1:B2' },
    })
    expect(ending(runFailure('account_access_lost'))).toMatchObject({
      kind: 'error',
      code: 'account_access_lost',
    })
  })

  it('waits as long as the platform says', () => {
    expect(ending(new PlatformFailure('quota_exhausted', { retry_after_ms: 90_000 }))).toMatchObject({
      kind: 'postponed',
      wait_ms: 90_000,
      is_failure: false,
    })
  })

  it('waits longer after each failure, up to a quarter of an hour', () => {
    const waits = [0, 1, 2, 10].map(failures => ending(new PlatformFailure('platform_timeout'), { failures }))
    expect(waits).toMatchObject(
      [15_000, 30_000, 60_000, 900_000].map(wait_ms => ({ kind: 'postponed', wait_ms })),
    )
  })

  it('expires when the next try would be more than six hours after it was due', () => {
    expect(ending(new PlatformFailure('platform_unavailable'), {}, hours(6))).toMatchObject({
      kind: 'error',
      code: 'run_expired',
      detail: { last: 'platform_unavailable' },
    })
  })

  it('is not charged for waiting for a quota, and waits for a daily one', () => {
    const exhausted = (wait: number) =>
      new PlatformFailure('quota_exhausted', { retry_after_ms: wait * 3600_000 })
    expect(ending(exhausted(14))).toMatchObject({ kind: 'postponed', why: 'quota', is_failure: false })
    expect(ending(exhausted(14), {}, hours(14))).toMatchObject({ kind: 'postponed', why: 'quota' })
    expect(ending(exhausted(14), {}, hours(17))).toMatchObject({ kind: 'error', code: 'run_expired' })
    const after_rest = { quota_rest_ms: 14 * 3600_000 }
    const down = new PlatformFailure('platform_unavailable')
    expect(ending(down, after_rest, hours(19))).toMatchObject({ kind: 'postponed', why: 'retry' })
    expect(ending(down, after_rest, hours(20))).toMatchObject({ kind: 'error', code: 'run_expired' })
  })

  it('is tried three times after an internal error', () => {
    const mistake = new TypeError('x is not a function')
    expect(ending(mistake, { failures: 1 })).toMatchObject({
      kind: 'postponed',
      code: 'internal_error',
      unexpected: true,
    })
    expect(ending(mistake, { failures: 2 })).toMatchObject({ kind: 'error', code: 'internal_error' })
  })

  it('does not fail by waiting for its position, and expires after six hours of that, too', () => {
    expect(
      ending(new AttemptError({ kind: 'spreadsheet_taken', wait_ms: 1500 }), {}, hours(5)),
    ).toMatchObject({
      kind: 'postponed',
      code: null,
      is_failure: false,
    })
    expect(
      ending(new AttemptError({ kind: 'spreadsheet_taken', wait_ms: 1500 }), {}, hours(6)),
    ).toMatchObject({
      kind: 'error',
      code: 'run_expired',
      detail: { last: 'spreadsheet_unavailable' },
    })
  })

  it('does not fail when a process that stops releases it, and never expires by that', () => {
    expect(ending(new AttemptError({ kind: 'released' }), {}, hours(7))).toMatchObject({
      kind: 'postponed',
      wait_ms: 0,
      code: null,
      is_failure: false,
    })
  })

  it('does not fail when the database is away', () => {
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' })
    expect(ending(away)).toMatchObject({ kind: 'postponed', code: null, is_failure: false })
  })

  it('is not retried when it has crashed its workers', () => {
    expect(ending(new AttemptError({ kind: 'quarantined', lost_leases: 3 }))).toMatchObject({
      kind: 'error',
      code: 'internal_error',
      detail: { lost_leases: 3 },
    })
  })
})
