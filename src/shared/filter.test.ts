import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterRules, type FilterRule } from './channels/catalogue.ts'
import { filterTest, foldCase } from './filter.ts'

const passes = (rule: FilterRule, text: string, ...values: string[]) => filterTest({ rule, values })(text)

describe('a filter', () => {
  it('passes a text that matches any of its values', () => {
    expect(passes('EQUAL', 'Brand', 'other', 'brand')).toBe(true)
    expect(passes('EQUAL', 'Brand', 'bran')).toBe(false)
    expect(passes('STARTS_WITH', 'Brand film', 'BRAND')).toBe(true)
    expect(passes('ENDS_WITH', 'Brand film', 'FILM')).toBe(true)
    expect(passes('CONTAINS', '秋季廣告 Sale', '廣告')).toBe(true)
  })

  it('NOT_CONTAINS passes what matches none', () => {
    expect(passes('NOT_CONTAINS', 'Brand film', 'x', 'y')).toBe(true)
    expect(passes('NOT_CONTAINS', 'Brand film', 'x', 'FILM')).toBe(false)
  })

  it('treats every character literally', () => {
    expect(passes('CONTAINS', '100% [a_b]', '%')).toBe(true)
    expect(passes('CONTAINS', 'abc', '.')).toBe(false)
    expect(passes('EQUAL', 'é', 'e\u0301')).toBe(false)
    expect(passes('EQUAL', ' a', 'a')).toBe(false)
  })

  it('ignores case by simple folding: ß is not ss, ı is not i', () => {
    expect(passes('EQUAL', 'STRASSE', 'straße')).toBe(false)
    expect(passes('EQUAL', 'STRAẞE', 'straße')).toBe(true)
    expect(passes('EQUAL', 'ΌΣΟΣ', 'όσος')).toBe(true)
    expect(passes('EQUAL', 'Kſ', 'ks')).toBe(true)
    expect(passes('EQUAL', 'I', 'ı')).toBe(false)
    expect(passes('EQUAL', 'İ', 'i')).toBe(false)
  })

  it('agrees with regular expressions about every letter there is', () => {
    const letters = Array.from({ length: 0x110000 }, (_, point) => point)
      .filter(point => point < 0xd800 || point > 0xdfff)
      .map(point => String.fromCodePoint(point))
      .filter(letter => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter)
    expect(letters.length).toBeGreaterThan(2800)
    const all = letters.join('')
    const alike = Map.groupBy(letters, foldCase)
    const differing = letters.filter(letter => {
      const matched = all.match(new RegExp(letter, 'giu')) ?? []
      return matched.join('') !== (alike.get(foldCase(letter)) ?? []).join('')
    })
    expect(differing).toEqual([])
  })

  it('equals a pattern that means the same', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', 'ß', 'S', 'ſ', '😀', '.', '(', '廣', '\n'),
      maxLength: 6,
    })
    const pattern = (rule: FilterRule, value: string) => {
      const quoted = value.replaceAll(/[.(]/g, String.raw`\$&`)
      const start = rule === 'EQUAL' || rule === 'STARTS_WITH' ? '^' : ''
      return new RegExp(`${start}${quoted}${rule === 'EQUAL' || rule === 'ENDS_WITH' ? '$' : ''}`, 'iu')
    }
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...filterRules),
        fc.array(text, { minLength: 1, maxLength: 3 }),
        (name, rule, values) => {
          const fits = values.some(value => pattern(rule, value).test(name))
          expect(filterTest({ rule, values })(name)).toBe(rule === 'NOT_CONTAINS' ? !fits : fits)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
