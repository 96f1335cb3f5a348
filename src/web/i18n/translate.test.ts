import { describe, expect, it } from 'vitest'
import { translate } from './translate.ts'

const english = {
  title: 'Reports',
  rows_one: '{{count}} row',
  rows_other: '{{count}} rows',
  nav: { open: 'Open {{name}}' },
}
const chinese = { rows_other: '{{count}} 列' }

describe('translate', () => {
  it('finds a text by its path', () => {
    expect(translate(english, 'title', { language: 'en' })).toBe('Reports')
    expect(translate(english, 'nav.open', { values: { name: 'menu' }, language: 'en' })).toBe('Open menu')
  })

  it('chooses singular and plural by the rules of the language', () => {
    expect(translate(english, 'rows', { values: { count: 1 }, language: 'en' })).toBe('1 row')
    expect(translate(english, 'rows', { values: { count: 0 }, language: 'en' })).toBe('0 rows')
    expect(translate(chinese, 'rows', { values: { count: 1 }, language: 'zh-TW' })).toBe('1 列')
  })

  it('separates thousands', () => {
    expect(translate(english, 'rows', { values: { count: 42_180 }, language: 'en' })).toBe('42,180 rows')
  })

  it('does not interpret the values that it fills in', () => {
    expect(translate(english, 'nav.open', { values: { name: '{{count}} $& <b>' }, language: 'en' })).toBe(
      'Open {{count}} $& <b>',
    )
  })
})
