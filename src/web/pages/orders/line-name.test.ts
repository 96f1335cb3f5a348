import { describe, expect, it } from 'vitest'
import { lineName } from './line-name.ts'
import { quotationLine } from './testing/example-quotation.ts'

describe('a line is called by', () => {
  it('its channel, in the language of the reader', () => {
    expect(lineName(quotationLine(), 'en')).toBe('Meta ads')
    expect(lineName(quotationLine(), 'zh-TW')).toBe('Meta 廣告')
  })

  it('its channel and title', () => {
    expect(lineName(quotationLine({ channel: 'aw', title: 'Search' }), 'en')).toBe('Google Ads · Search')
  })

  it('its publisher where it is of no channel of ours', () => {
    const line = quotationLine({ channel: null, publisher: '自由時報', title: 'Banner' })
    expect(lineName(line, 'en')).toBe('自由時報 · Banner')
  })

  it('its title alone where it is of neither', () => {
    expect(lineName(quotationLine({ channel: null, title: 'Setup' }), 'en')).toBe('Setup')
  })
})
