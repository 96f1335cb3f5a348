import { describe, expect, it } from 'vitest'
import { only } from './search.ts'

describe('an address', () => {
  it('has only the parameters that were read from it', () => {
    const read = only(({ id }): { id?: number } => (typeof id === 'number' ? { id } : {}))
    expect({ redirect: '//evil.example', id: 'x', ...read({ redirect: '//evil.example', id: 'x' }) }).toEqual(
      {},
    )
    expect(read({ id: 7 })).toEqual({ id: 7 })
  })
})
