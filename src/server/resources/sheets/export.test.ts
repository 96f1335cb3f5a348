import { describe, expect, it } from 'vitest'
import { csvLines } from './export.ts'

describe('a line of CSV', () => {
  it('quotes what needs it', () => {
    expect(csvLines([['a', 'b,c', 'd"e', 'f\ng', '', '名稱']])).toBe('a,"b,c","d""e","f\ng",,名稱\r\n')
  })

  it.each(['=1+1', '=HYPERLINK("http://evil.example")', '+cmd', '-cmd|x', '@SUM(A1)', '\t=1'])(
    'does not let %j run as a formula',
    text => {
      expect(
        csvLines([[text]])
          .replace(/^"/, '')
          .startsWith("'"),
      ).toBe(true)
    },
  )

  it.each(['-5', '-1,234.50', '+3%', '-$5.00', '-NT5', '1e-7', '-2.5E+10'])(
    'leaves the number %j or marks a text',
    text => {
      const marked = text === '-NT5'
      expect(csvLines([[text]]).replaceAll('"', '')).toBe(`${marked ? "'" : ''}${text}\r\n`)
    },
  )
})
