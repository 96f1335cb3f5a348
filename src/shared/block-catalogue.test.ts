import { describe, expect, it } from 'vitest'
import {
  blockCatalogue,
  conversionOf,
  conversionsFor,
  defaultConversion,
  noMeanings,
} from './block-catalogue.ts'
import { catalogueOf } from './channels/all.ts'
import { metricIn } from './metrics.ts'

const definition = {
  id: 5,
  advertiser: 1,
  name: 'Orders',
  name_zh: '訂單',
  is_default: true,
  entries: [{ channel: 'fb' as const, action: 'purchase' }],
}
const lead = { ...definition, id: 6, name: 'Leads', name_zh: '名單', is_default: false }
const foreign = { ...definition, id: 7, advertiser: 2 }
const meanings = { ...noMeanings, conversions: [definition, lead, foreign] }
const idsFor = (channel: 'fb' | 'aw', advertisers: (number | null)[]) =>
  conversionsFor(channel, { meanings, advertisers }).map(({ id }) => id)

describe('the definitions of conversions', () => {
  it('are those of the one advertiser of all accounts, for the channel', () => {
    expect(idsFor('fb', [1, 1])).toEqual([5, 6])
    expect(idsFor('aw', [1])).toEqual([])
    expect(idsFor('fb', [1, 2])).toEqual([])
    expect(idsFor('fb', [null])).toEqual([])
    expect(idsFor('fb', [])).toEqual([])
  })

  it('have a default for new blocks, and none for saved ones without a definition', () => {
    expect(defaultConversion('fb', { meanings, advertisers: [1] })).toBe(5)
    expect(defaultConversion('aw', { meanings, advertisers: [1] })).toBeNull()
    expect(conversionOf({ channel: 'fb' }, { meanings, advertisers: [1] })).toBeNull()
    expect(conversionOf({ channel: 'fb', conversion: 7 }, { meanings, advertisers: [1] })).toBeNull()
  })

  it('give their name to what they mean', () => {
    const catalogue = blockCatalogue(
      { channel: 'fb', conversion: 5 },
      { catalogue: catalogueOf('fb'), meanings, advertisers: [1] },
    )
    expect(metricIn(catalogue, 'cpa')?.names).toEqual({ en: 'CPA (Orders)', 'zh-TW': '單次轉換成本（訂單）' })
    expect(metricIn(catalogue, 'cost')?.names.en).toBe('Cost')
  })
})
