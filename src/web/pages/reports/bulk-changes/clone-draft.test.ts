import { describe, expect, it } from 'vitest'
import { bodyOf, callings, draftFor } from './clone-draft.ts'

describe('what a client is called', () => {
  it('is its name, and the beginning of it that its reports are named after', () => {
    expect(callings('Aurora Cosmetics', ['Aurora daily', 'Weekly aurora', 'Other'])).toEqual([
      'Aurora Cosmetics',
      'Aurora',
    ])
    expect(callings('Aurora Cosmetics', ['Aurora Cosmetics daily'])).toEqual(['Aurora Cosmetics'])
    expect(callings('Aurora Cosmetics', ['Weekly'])).toEqual(['Aurora Cosmetics'])
    expect(callings('', ['Weekly'])).toEqual([])
  })
})

describe('a clone as the server takes it', () => {
  it('is none before it is known whose reports and for whom', () => {
    expect(bodyOf(draftFor([]), [])).toBeNull()
    expect(bodyOf({ ...draftFor([]), client: 2 }, [])).toBeNull()
    expect(bodyOf({ ...draftFor([7]), advertiser: 5 }, [7])).toMatchObject({
      source: { reports: [7] },
      advertiser: 5,
      rename: null,
      new_folder: null,
    })
  })

  it('leaves out accounts without a counterpart', () => {
    const accounts = new Map([
      [1, 11],
      [2, null],
    ])
    const draft = { ...draftFor([]), client: 2, advertiser: 5, accounts, find: ['A'], replace: ' B ' }
    expect(bodyOf(draft, [])).toMatchObject({
      accounts: [{ from: 1, to: 11 }],
      rename: { find: ['A'], replace: 'B' },
    })
  })
})
