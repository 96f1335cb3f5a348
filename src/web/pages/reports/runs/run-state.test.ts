import { describe, expect, it } from 'vitest'
import type { LastRun } from '#shared/api/reports.ts'
import { writtenSize } from './run-state.ts'

const last_run: LastRun = {
  id: '01932a5e-7c00-7000-8000-000000000001',
  status: 'completed',
  finished_at: '2026-11-20T02:00:00.000Z',
  rows: 26,
  columns: 7,
  code: null,
  partial: false,
  proof: 'matches',
}
const current = { last_run, last_modified_at: '2026-11-20T01:00:00.000Z' }

describe('the size of the written table', () => {
  it('is that of the last run, of a restore too', () => {
    expect(writtenSize({ current, is_dirty: false })).toEqual({ rows: 26, columns: 7 })
  })

  it('is unknown once the report has been changed, and where no table was written', () => {
    const changed = { ...current, last_modified_at: '2026-11-20T03:00:00.000Z' }
    const failed = { ...current, last_run: { ...last_run, status: 'error' as const } }
    for (const editor of [
      { current, is_dirty: true },
      { current: changed, is_dirty: false },
      { current: failed, is_dirty: false },
      { current: { ...current, last_run: null }, is_dirty: false },
      { current: null, is_dirty: false },
    ])
      expect(writtenSize(editor)).toBeNull()
  })
})
