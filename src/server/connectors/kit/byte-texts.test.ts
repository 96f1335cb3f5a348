import { describe, expect, it } from 'vitest'

import { cellTranslator, CsvReader } from './csv-bytes.ts'

function numbersOf(cells: readonly string[]) {
  const rows = new CsvReader([Buffer.from(cells.join('\n'))])
  const worked: string[] = []
  const numberOf = cellTranslator(text => worked.push(text) - 1)
  const numbers: number[] = []
  while (rows.next()) numbers.push(numberOf(rows, 0))
  return { numbers, worked }
}

describe('a number of a cell', () => {
  it('is worked out once for each text, in whatever order they come', () => {
    expect(numbersOf(['a', 'b', 'a', 'c', 'a', 'b', 'b', 'b', 'a'])).toEqual({
      numbers: [0, 1, 0, 2, 0, 1, 1, 1, 0],
      worked: ['a', 'b', 'c'],
    })
  })

  it('tells texts apart that begin or end alike, and empty ones', () => {
    const texts = ['ab', 'a', 'abc', '"a,b"', '""""', '""', 'bc', '名', '名前']
    const { numbers, worked } = numbersOf([...texts, ...texts])
    expect(numbers).toEqual([...texts.keys(), ...texts.keys()])
    expect(worked).toEqual(['ab', 'a', 'abc', 'a,b', '"', '', 'bc', '名', '名前'])
  })

  it('is found among very many', () => {
    const texts = Array.from({ length: 5000 }, (_, at) => `ad ${(at * 7919) % 5000}`)
    const { numbers, worked } = numbersOf([...texts, ...texts.toReversed()])
    expect(worked).toEqual(texts)
    expect(numbers).toEqual([...texts.keys(), ...[...texts.keys()].toReversed()])
  })
})
