import { describe, expect, it } from 'vitest'
import { csvRows } from './csv.ts'

const rowsOf = (text: string, delimiter?: string) => [...csvRows(text, delimiter)]

describe('a CSV text', () => {
  it('is rows of fields, with or without an end of the last line', () => {
    expect(rowsOf('a,b\n1,2\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect(rowsOf('a,b\n1,2')).toEqual(rowsOf('a,b\n1,2\n'))
    expect(rowsOf('')).toEqual([])
  })

  it('ends lines in one character or in two', () => {
    expect(rowsOf('a,"b"\r\n"1",\r\n')).toEqual([
      ['a', 'b'],
      ['1', ''],
    ])
    expect(rowsOf('a,b\r')).toEqual([['a', 'b']])
    expect(rowsOf('a,"b"\r')).toEqual([['a', 'b']])
  })

  it('keeps what is in quotes: commas, quotes, line breaks', () => {
    expect(rowsOf('"Brand, ""core""","two\r\nlines\n",""\n')).toEqual([
      ['Brand, "core"', 'two\r\nlines\n', ''],
    ])
  })

  it('keeps a return amid a line, and spaces', () => {
    expect(rowsOf('a\rb, c \n')).toEqual([['a\rb', ' c ']])
  })

  it('keeps empty fields and empty lines', () => {
    expect(rowsOf(',\n\n,,')).toEqual([['', ''], [''], ['', '', '']])
  })

  it('leaves a byte order mark out, before a quote too', () => {
    expect(rowsOf('\uFEFF"a",b\n')).toEqual([['a', 'b']])
    expect(rowsOf('\uFEFF')).toEqual([])
  })

  it('is split at another delimiter', () => {
    expect(rowsOf('a,b\t"c\td"\n', '\t')).toEqual([['a,b', 'c\td']])
  })

  it('is read only as far as its reader goes', () => {
    const rows = csvRows('a\n"never ends')
    expect(rows.next().value).toEqual(['a'])
    expect(() => rows.next()).toThrow('CSV row 2: a quote that never ends')
  })

  it.each([
    ['a quote that never ends', '"a,b\n1,2'],
    ['a quote that never ends', '"a""'],
    ['text after a closing quote', '"a"b,c'],
    ['text after a closing quote', '"a"\rb'],
    ['a quote amid text', 'a "b",c'],
  ])('is refused for %s', (why, text) => {
    expect(() => rowsOf(text)).toThrow(why)
  })
})
