import { describe, expect, it } from 'vitest'
import { checksOf } from './target-state.ts'

const set = { sheet_name: 'Data', cell_is_set: true }

describe('the checks of a target', () => {
  it('all pass when the response is ok', () => {
    expect(new Set(Object.values(checksOf('ok', set)))).toEqual(new Set(['ok']))
  })

  it('are unknown after the one that failed', () => {
    expect(checksOf('not_editor', set)).toEqual({
      address: 'ok',
      shared: 'ok',
      editor: 'bad',
      proof: 'open',
      sheet: 'open',
      cell: 'ok',
    })
  })

  it('are unknown while the service is unreachable', () => {
    expect(checksOf('unreachable', set).shared).toBe('open')
  })

  it('report a missing tab only when the file is fine', () => {
    expect(checksOf('ok', { ...set, sheet_name: '' }).sheet).toBe('bad')
    expect(checksOf('not_shared', { ...set, sheet_name: '' }).sheet).toBe('open')
  })
})
