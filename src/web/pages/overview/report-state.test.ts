import { describe, expect, it } from 'vitest'
import type { OverviewReport } from '#shared/api/overview.ts'
import { reportStateOf } from './report-state.ts'

const at = '2026-11-20T01:00:00.000Z'
const earlier = '2026-11-19T01:00:00.000Z'
const outcome = (facts: Partial<NonNullable<OverviewReport['outcome']>>) => ({
  run: 'run',
  status: 'completed' as const,
  at,
  code: null,
  rows: 12,
  partial: false,
  restored: false,
  ...facts,
})
const last_run = {
  id: 'run',
  status: 'cancelled' as const,
  finished_at: at,
  rows: null,
  columns: null,
  code: null,
  partial: false,
  proof: null,
}
const idle = { task: null, last_run }
const nothing = { outcome: null, updated_at: null, finishes_at: null }
const failed = outcome({ status: 'error', code: 'platform_error', rows: null })

describe('a report', () => {
  it.each([
    ['was never run', { ...nothing, report: { task: null, last_run: null } }, { kind: 'never' }],
    ['was only cancelled', { ...nothing, report: idle }, { kind: 'cancelled' }],
    [
      'runs for the first time',
      { ...nothing, report: { task: 'run', last_run } },
      { kind: 'running', finishes_at: null },
    ],
    [
      'runs again after a failure',
      { outcome: failed, updated_at: null, finishes_at: at, report: { task: 'run', last_run } },
      { kind: 'running', finishes_at: at },
    ],
    [
      'failed the first time',
      { ...nothing, outcome: failed, report: idle },
      { kind: 'failed', at, updated_at: null },
    ],
    [
      'failed after a success, whatever was cancelled since',
      { ...nothing, outcome: failed, updated_at: earlier, report: idle },
      { kind: 'failed', at, updated_at: earlier },
    ],
    [
      'completed',
      { ...nothing, outcome: outcome({}), updated_at: at, report: idle },
      { kind: 'updated', at, rows: 12 },
    ],
    [
      'completed in part',
      { ...nothing, outcome: outcome({ partial: true }), updated_at: at, report: idle },
      { kind: 'partial', at, rows: 12 },
    ],
    [
      'was given an earlier table back',
      { ...nothing, outcome: outcome({ restored: true }), updated_at: at, report: idle },
      { kind: 'restored', at, rows: 12 },
    ],
  ])('that %s has one state', (_, facts, state) => {
    expect(reportStateOf(facts)).toEqual(state)
  })
})
