import { describe, expect, it } from 'vitest'
import { faultOf, metricName, paletteOf } from './operands.ts'

describe('what is wrong with a formula', () => {
  it.each([
    ['cost ** 2', { why: { kind: 'syntax', found: '*', place: 7 }, at: 6, length: 1 }],
    ['cost /', { why: { kind: 'unfinished' }, at: 6, length: 1 }],
    ['cost / (clicks ', { why: { kind: 'unfinished' }, at: 15, length: 1 }],
    ['cost / wins', { why: { kind: 'unknown', metric: 'wins' }, at: 7, length: 4 }],
    ['constructor', { why: { kind: 'unknown', metric: 'constructor' }, at: 0, length: 11 }],
    ['frequency / sessions', { why: { kind: 'apart', metric: 'sessions' }, at: 12, length: 8 }],
    ['cost + clicks', { why: { kind: 'mixed' }, at: 5, length: 1 }],
  ] as const)('%s: the place and the reason', (formula, fault) => {
    expect(faultOf(formula, 'ratio')).toEqual(fault)
  })

  it('is its unit where the result is no money', () => {
    expect(faultOf('clicks / cost', 'money')).toEqual({ why: { kind: 'no_money' }, at: 0, length: 13 })
    expect(faultOf('cost / clicks', 'money')).toBeNull()
  })
})

describe('the palette', () => {
  it('has every number of every channel, and no text', () => {
    const groups = paletteOf('', 'en')
    expect(groups.map(({ channel }) => channel)).toContain('ga4')
    const ids = groups.flatMap(({ metrics }) => metrics.map(({ id }) => id))
    expect(ids).toContain('cost')
    expect(ids).not.toContain('quality_ranking')
  })

  it('is searched by ids and by the names of both languages', () => {
    for (const search of ['purchases', 'PURCH', '購買'])
      expect(paletteOf(search, 'en').map(({ channel }) => channel)).toContain('fb')
    expect(paletteOf('no such metric', 'en')).toEqual([])
  })

  it('has the names of the reader’s language', () => {
    const [facebook] = paletteOf('cost', 'zh-TW')
    expect(facebook).toMatchObject({ channel: 'fb', name: 'Meta 廣告' })
    expect(facebook?.metrics[0]).toMatchObject({ id: 'cost', name: '花費' })
  })
})

describe('the name of a metric', () => {
  it('is that of the first channel that has it', () => {
    expect(metricName('cost', ['ga4', 'fb'], 'en')).toBe('Cost')
    expect(metricName('cost', ['fb'], 'zh-TW')).toBe('花費')
  })

  it('is none where no channel has it', () => {
    expect(metricName('cost', [], 'en')).toBeNull()
    expect(metricName('toString', ['fb'], 'en')).toBeNull()
  })
})
