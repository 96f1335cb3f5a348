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
    expect(translate(english, 'title', {}, 'en')).toBe('Reports')
    expect(translate(english, 'nav.open', { name: 'menu' }, 'en')).toBe('Open menu')
  })

  it('takes the singular and the plural by the rules of the language', () => {
    expect(translate(english, 'rows', { count: 1 }, 'en')).toBe('1 row')
    expect(translate(english, 'rows', { count: 0 }, 'en')).toBe('0 rows')
    expect(translate(chinese, 'rows', { count: 1 }, 'zh-TW')).toBe('1 列')
  })

  it('separates thousands', () => {
    expect(translate(english, 'rows', { count: 42_180 }, 'en')).toBe('42,180 rows')
  })

  it('does not read what it fills in', () => {
    expect(translate(english, 'nav.open', { name: '{{count}} $& <b>' }, 'en')).toBe('Open {{count}} $& <b>')
  })
})
