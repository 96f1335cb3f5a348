import { describe, expect, it } from 'vitest'
import { collapsed, linesOf } from './multi-select-rules.ts'

describe('chips', () => {
  it('collapse after three into a counter', () => {
    expect(collapsed(['a', 'b', 'c'])).toEqual({ chips: ['a', 'b', 'c'], more: 0 })
    expect(collapsed(['a', 'b', 'c', 'd', 'e'])).toEqual({ chips: ['a', 'b', 'c'], more: 2 })
  })
})

describe('the lines of the list', () => {
  const options = [
    { value: 1, label: 'Aurora 台灣', group: 'Aurora Cosmetics' },
    { value: 2, label: 'Borealis JP', group: 'Borealis Outdoor', note: '1010' },
    { value: 3, label: 'Aurora JP', group: 'Aurora Cosmetics' },
  ]

  it('are listed under the names of their groups', () => {
    expect(linesOf(options, '').map(line => (line.kind === 'group' ? line.name : line.option.value))).toEqual(
      ['Aurora Cosmetics', 1, 3, 'Borealis Outdoor', 2],
    )
  })

  it.each([
    ['jp aurora', [3]],
    ['COSMETICS', [1, 3]],
    ['1010', [2]],
    ['台灣', [1]],
    ['nothing', []],
  ])('hold what contains every word of %j', (search, values) => {
    const found = linesOf(options, search).flatMap(line =>
      line.kind === 'option' ? [line.option.value] : [],
    )
    expect(found).toEqual(values)
  })

  it('need no groups', () => {
    expect(linesOf([{ value: 'a', label: 'A' }], '')).toEqual([
      { kind: 'option', option: { value: 'a', label: 'A' } },
    ])
  })
})
