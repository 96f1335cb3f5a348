import { describe, expect, it } from 'vitest'
import { undoPlan } from './undo-plan.ts'

const reports = [
  { id: 1, name: 'One', folder: null },
  { id: 2, name: 'Two', folder: 7 },
  { id: 3, name: 'Three', folder: 7 },
]
const ok = (id: number, copy: number | null = null) => ({
  id,
  status: 'ok' as const,
  code: null,
  copy,
  access_before: null,
})
const refused = { id: 3, status: 'refused' as const, code: 'forbidden', copy: null, access_before: null }
const results = [ok(1), ok(2), refused]

describe('undoing an action', () => {
  it('moves each report to where it was, but for those that were never moved', () => {
    expect(undoPlan({ action: 'move', folder: 9 }, reports, results)).toEqual([
      { action: 'move', folder: null, ids: [1] },
      { action: 'move', folder: 7, ids: [2] },
    ])
  })

  it('restores what was deleted, deletes what was restored, and deletes copies', () => {
    expect(undoPlan({ action: 'delete' }, reports, results)).toEqual([{ action: 'restore', ids: [1, 2] }])
    expect(undoPlan({ action: 'restore' }, reports, results)).toEqual([{ action: 'delete', ids: [1, 2] }])
    expect(undoPlan({ action: 'copy' }, reports, [ok(1, 11), ok(2, 12)])).toEqual([
      { action: 'delete', ids: [11, 12] },
    ])
  })

  it('keeps the shares that existed before', () => {
    const viewed = { ...ok(2), access_before: 'viewer' as const }
    const edited = { ...ok(3), access_before: 'editor' as const }
    const shared = { action: 'share', user: 5, access: 'editor' } as const
    expect(undoPlan(shared, reports, [ok(1), viewed, edited])).toEqual([
      { action: 'unshare', user: 5, ids: [1] },
      { action: 'share', access: 'viewer', user: 5, ids: [2] },
    ])
    expect(undoPlan({ action: 'share', user: 5 }, reports, [viewed])).toEqual([])
    expect(undoPlan({ action: 'unshare', user: 5 }, reports, results)).toEqual([
      { action: 'share_again', user: 5, ids: [1, 2] },
    ])
  })

  it('is not offered for what is somebody else’s by now, or when nothing was done', () => {
    expect(undoPlan({ action: 'copy', to_user: 5 }, reports, [ok(1, 11)])).toEqual([])
    expect(undoPlan({ action: 'delete' }, reports, [refused])).toEqual([])
  })
})
