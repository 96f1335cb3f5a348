import { describe, expect, it } from 'vitest'
import { folderPath, renamed, suggestPairs } from './rules.ts'

describe('the other client’s name', () => {
  const rename = { find: ['Aurora', 'Aurora Cosmetics'], replace: 'Cedar $& Coffee' }

  it('replaces the first one’s, the longest match first, ignoring case', () => {
    expect(renamed('AURORA cosmetics and aurora', rename, 120)).toBe('Cedar $& Coffee and Cedar $& Coffee')
    expect(renamed('Something else', rename, 120)).toBe('Something else')
    expect(renamed('a.b', { find: ['.'], replace: '-' }, 120)).toBe('a-b')
  })

  it('never makes a name too long or empty', () => {
    expect(Array.from(renamed('Aurora Aurora', rename, 20))).toHaveLength(20)
    expect(renamed('Aurora', { find: ['Aurora'], replace: ' ' }, 120)).toBe('Aurora')
    expect(renamed('Aurora', null, 120)).toBe('Aurora')
  })
})

describe('the counterpart of an account', () => {
  const named = (id: number, name: string, channel: 'fb' | 'aw' = 'fb') => ({ id, name, channel })
  const clients = { from: 'Aurora', to: 'Borealis 戶外' }

  it('is of the same channel and has a similar name but for the client', () => {
    const pairs = suggestPairs(
      [named(1, 'Aurora Taiwan'), named(2, 'Aurora Outlet'), named(3, 'Aurora 台灣', 'aw')],
      [named(11, 'Borealis Outlet'), named(12, 'Taiwan - Borealis'), named(13, 'Borealis 台灣', 'aw')],
      clients,
    )
    expect([...pairs].toSorted(([a], [b]) => a - b)).toEqual([
      [1, 12],
      [2, 11],
      [3, 13],
    ])
  })

  it('is the only candidate, once, and none where only the channel differs', () => {
    const pairs = suggestPairs(
      [named(1, 'Aurora'), named(2, 'Aurora Outlet'), named(3, 'Aurora', 'aw')],
      [named(11, 'Borealis 戶外')],
      clients,
    )
    expect([...pairs]).toEqual([[1, 11]])
  })
})

describe('the folder of a copy', () => {
  it('keeps the structure as far as two layers go', () => {
    expect(folderPath([], ['Clients', 'Aurora'], null)).toEqual(['Clients', 'Aurora'])
    expect(folderPath(['New'], ['Aurora'], null)).toEqual(['New', 'Aurora'])
    expect(folderPath(['New'], ['Clients', 'Aurora'], null)).toEqual(['New', 'Clients · Aurora'])
    expect(folderPath(['A', 'B'], ['C'], null)).toEqual(['A', 'B'])
  })

  it('is not the other client’s folder within itself', () => {
    const rename = { find: ['Aurora'], replace: 'Cedar' }
    expect(folderPath(['Cedar'], ['Aurora', 'Monthly'], rename)).toEqual(['Cedar', 'Monthly'])
  })
})
