import { describe, expect, it } from 'vitest'
import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import { countsOf, entryName, isWhole, MOST_ENTRIES, newConversion, overlapIn, toggled } from './entries.ts'

const purchases: ConversionEntry = { channel: 'fb', metric: 'purchases' }
const order: ConversionEntry = { channel: 'aw', action: 'Web order' }

describe('what counts', () => {
  it('is added and removed', () => {
    expect(toggled([purchases], order)).toEqual([purchases, order])
    expect(toggled([purchases, order], { ...purchases })).toEqual([order])
  })

  it('is at most twenty', () => {
    const many = Array.from({ length: MOST_ENTRIES }, (_, at) => ({ ...order, action: `Order ${at}` }))
    expect(toggled(many, purchases)).toEqual(many)
    expect(toggled(many, { ...order, action: 'Order 3' })).toHaveLength(MOST_ENTRIES - 1)
  })

  it('tells an action from a metric of the same name', () => {
    const action: ConversionEntry = { channel: 'fb', action: 'purchases' }
    expect(toggled([purchases], action)).toHaveLength(2)
  })

  it('is called as in the catalogue, or as the platform calls it', () => {
    expect(entryName(purchases, 'en')).toBe('Purchases')
    expect(entryName(order, 'zh-TW')).toBe('Web order')
    expect(entryName({ channel: 'fb', metric: 'gone' }, 'en')).toBe('gone')
  })

  it('does not count one event twice', () => {
    const entries: ConversionEntry[] = [purchases, { channel: 'fb', action: 'omni_purchase' }]
    expect(overlapIn(entries, 'en')).toEqual({ one: 'Purchases', other: 'omni_purchase' })
    expect(overlapIn([purchases, order], 'en')).toBeNull()
  })
})

describe('the metrics that may count', () => {
  it.each(['fb', 'aw', 'yg', 'ga4'] as const)(
    'of %s are counts that can be summed, conversions first',
    channel => {
      const counts = countsOf(channel, 'en')
      expect(counts[0]?.group).toBe('conversion')
      expect(counts.map(({ value }) => value)).not.toContain('cost')
      expect(counts.map(({ value }) => value)).not.toContain('ctr')
    },
  )
})

describe('a definition', () => {
  const whole = { ...newConversion(1), name: 'Orders', name_zh: '訂單', entries: [order] }

  it('is whole with an advertiser, both names and something that counts', () => {
    expect(isWhole(whole)).toBe(true)
  })

  it.each([
    { advertiser: null },
    { name: ' ' },
    { name_zh: '' },
    { entries: [] },
    { entries: [purchases, { channel: 'fb' as const, action: 'purchase' }] },
  ])('is not whole with %j', change => {
    expect(isWhole({ ...whole, ...change })).toBe(false)
  })
})
