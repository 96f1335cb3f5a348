import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  constantColumn,
  createTextBuilder,
  createTextList,
  joinTexts,
  pickTexts,
  textColumn,
  textsOf,
  translator,
} from './text-column.ts'

const anyTexts = fc.array(fc.oneof(fc.constantFrom('', '2026-11-01', 'ä'), fc.string({ unit: 'binary' })))

describe('a column of texts', () => {
  it('has the text of each row, and each text once', () => {
    fc.assert(
      fc.property(anyTexts, texts => {
        const column = textColumn(texts)
        expect(textsOf(column, texts.length)).toEqual(texts)
        expect(column.values).toEqual([...new Set(texts)])
      }),
    )
  })

  it('grows the list that several share', () => {
    const list = createTextList()
    const builders = [createTextBuilder(list), createTextBuilder(list)]
    for (const text of ['a', 'b', 'a']) builders[0]?.push(text)
    for (const text of ['c', 'b']) builders[1]?.push(text)
    const [one, other] = builders.map(builder => builder.column())
    expect(one).toEqual({ codes: Int32Array.of(0, 1, 0), values: list.values })
    expect(other).toEqual({ codes: Int32Array.of(2, 1), values: ['a', 'b', 'c'] })
  })

  it('is cut, picked and joined by rows', () => {
    const builder = createTextBuilder()
    for (const text of ['a', 'b', 'a', 'c']) builder.push(text)
    expect(builder.length()).toBe(4)
    expect(textsOf(builder.column(1, 3), 2)).toEqual(['b', 'a'])
    expect(textsOf(pickTexts(builder.column(), [3, 0]), 2)).toEqual(['c', 'a'])
    const joined = joinTexts([
      { column: builder.column(), length: 3 },
      { column: constantColumn('c', 2), length: 2 },
    ])
    expect(joined.values).toEqual(['a', 'b', 'c'])
    expect(textsOf(joined, 5)).toEqual(['a', 'b', 'a', 'c', 'c'])
  })
})

describe('a translator', () => {
  it('works a number out once for each text that rows have, however many pages share the list', () => {
    const list = createTextList()
    const worked: string[] = []
    const write = translator(text => {
      worked.push(text)
      return text.length
    })
    const numbersOf = (...texts: string[]) => {
      const builder = createTextBuilder(list)
      for (const text of texts) builder.push(text)
      const codes = new Int32Array(2 * texts.length)
      write(builder.column(), { codes, from: 1, step: 2, length: texts.length })
      return [...codes]
    }
    list.codeOf('of no row')
    expect(numbersOf('aa', 'b', 'aa')).toEqual([0, 2, 0, 1, 0, 2])
    expect(numbersOf('b', 'ccc')).toEqual([0, 1, 0, 3])
    expect(worked).toEqual(['aa', 'b', 'ccc'])
  })
})
