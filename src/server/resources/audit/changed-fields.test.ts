import { describe, expect, it } from 'vitest'
import { changedFields } from './changed-fields.ts'

describe('the changes of a record', () => {
  it('have from and to of each field that differs', () => {
    const before = { name: 'Acme', is_active: true, folder: null, note: 'same' }
    expect(changedFields(before, { name: 'Acme Ltd', is_active: true, folder: 7, note: 'same' })).toEqual({
      name: { from: 'Acme', to: 'Acme Ltd' },
      folder: { from: null, to: 7 },
    })
  })

  it('leave out fields that were not compared', () => {
    expect(changedFields({ name: 'a', position: 'b' }, { name: 'a', position: undefined })).toEqual({})
  })

  it('have what was removed from a list and what was added to it', () => {
    expect(changedFields({ members: [1, 2, 3] }, { members: [3, 2, 4] })).toEqual({
      members: { from: [1], to: [4], kept: 2 },
    })
    expect(changedFields({ dimensions: ['date', 'ad'] }, { dimensions: ['ad', 'date'] })).toEqual({
      dimensions: { from: ['date', 'ad'], to: ['ad', 'date'], kept: 2 },
    })
  })

  it('go into blocks, index by index', () => {
    const block = { channel: 'fb', label: null, accounts: [1, 2], metrics: ['cost'] }
    const before = { channels: [block, { ...block, label: 'two' }] }
    expect(changedFields(before, { channels: [{ ...block, label: 'one', accounts: [2, 3] }] })).toEqual({
      'channels.0.label': { from: null, to: 'one' },
      'channels.0.accounts': { from: [1], to: [3], kept: 1 },
      'channels.1': { from: { ...block, label: 'two' }, to: null },
    })
  })

  it('have of what people write how much it is', () => {
    const before = { name: 'a', note: 'secret', url: '', tags: ['x', 'y'], values: { b: '1', a: '2' } }
    const after = { name: 'b', note: 'another', url: 'https://a.demo/', tags: ['z', 'y'], values: { a: '2' } }
    const texts = ['note', 'url', 'tags', 'values', 'other']
    expect(changedFields(before, after, texts)).toEqual({
      name: { from: 'a', to: 'b' },
      note: { from: '…', to: '…' },
      url: { from: '', to: '…' },
      tags: { from: 2, to: 2 },
      values: { from: 2, to: 1 },
    })
    expect(changedFields({}, { note: '', tags: [], url: 'x' }, texts)).toEqual({
      url: { from: null, to: '…' },
    })
    const same = { ...before, note: undefined, values: { a: '2', b: '1' } }
    expect(changedFields(before, same, texts)).toEqual({})
  })

  it('stay of a size that a page can show', () => {
    const many = Array.from({ length: 500 }, (_, index) => index)
    const { text, list } = changedFields({ text: '', list: [] }, { text: 'x'.repeat(9999), list: many })
    expect(String(text?.to)).toHaveLength(501)
    expect(list?.to).toHaveLength(101)
    const wide = Object.fromEntries(many.map(index => [`field ${index}`, index]))
    const found = changedFields({}, wide)
    expect(Object.keys(found)).toHaveLength(101)
    expect(found['…']).toEqual({ from: null, to: 400 })
  })
})
