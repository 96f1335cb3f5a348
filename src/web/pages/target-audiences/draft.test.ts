import { assert, constantFrom, property, record, uniqueArray, type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Location } from '#shared/target-audiences.ts'
import { regionCodes } from '#shared/regions.ts'
import { bodyOf, distinctTexts, draftOf, emptyDraft } from './draft.ts'
import { groupedPlaces, locationsOf, placeKeys, placeName, placeOf, placeText } from './places.ts'
import { targetAudienceOf } from './testing/samples.ts'

describe('places', () => {
  it('have the cities of one region together', () => {
    expect(groupedPlaces(targetAudienceOf().locations)).toEqual([
      { country: 'TW', region: 'TW-TPE', cities: ['Xinyi', 'Daan'] },
      { country: 'JP', region: null, cities: [] },
    ])
  })

  it('are the same locations again, whichever they are', () => {
    const city: Arbitrary<Location> = record(
      { country: constantFrom('TW', 'JP'), region: constantFrom('1', '2'), city: constantFrom('A', 'B') },
      { requiredKeys: ['country', 'city'] },
    ).map(({ region, ...place }) => ({ ...place, ...(region && { region: `${place.country}-${region}` }) }))
    const text = (location: Location) => JSON.stringify(location, ['country', 'region', 'city'])
    assert(
      property(uniqueArray(city, { selector: text }), locations => {
        const again = locationsOf(groupedPlaces(locations))
        expect(again.map(text).toSorted()).toEqual(locations.map(text).toSorted())
      }),
    )
  })

  it('are named in the language of the reader, cities last', () => {
    const [taipei] = groupedPlaces(targetAudienceOf().locations)
    if (!taipei) throw new Error('no place')
    expect(placeText(taipei, 'en')).toBe('Taipei City, Taiwan (Xinyi, Daan)')
    expect(placeText(taipei, 'zh-TW')).toBe('台灣台北市（Xinyi、Daan）')
  })

  it('are named by their code where a region has no name of ours', () => {
    expect(placeName(placeOf('FR-IDF'), 'en')).toBe('FR-IDF, France')
  })

  it('are offered once each, Taiwan first', () => {
    const keys = placeKeys('zh-TW')
    expect(keys[0]).toBe('TW')
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.filter(key => key.length > 2)).toEqual([...regionCodes])
  })
})

describe('interests', () => {
  it('are separated by commas of every keyboard, and there once whatever their case', () => {
    expect(distinctTexts(['Running, hiking', '登山，跑步、瑜珈；', 'running', '  '])).toEqual([
      'Running',
      'hiking',
      '登山',
      '跑步',
      '瑜珈',
    ])
  })
})

describe('what is sent', () => {
  it('is what was read, where nothing was changed', () => {
    const row = targetAudienceOf()
    expect(bodyOf(draftOf(row))).toEqual({
      name: row.name,
      age_min: 20,
      age_max: 39,
      genders: ['female'],
      locations: row.locations,
      languages: ['zh-Hant'],
      interests: ['baby care'],
      devices: [],
      audience_lists: { include: [5], exclude: [] },
      note: '',
    })
  })

  it.each([
    ['a name', { name: ' ' }],
    ['ages in order', { age_min: 40, age_max: 30 }],
    ['short interests', { interests: ['x'.repeat(61)] }],
    [
      'at most 50 places',
      { locations: [{ country: 'TW', region: null, cities: Array.from({ length: 51 }, (_, n) => `${n}`) }] },
    ],
  ])('has %s', (_, change) => {
    const whole = { ...emptyDraft(1), name: 'Everybody' }
    expect(bodyOf(whole)).not.toBeNull()
    expect(bodyOf({ ...whole, ...change })).toBeNull()
  })
})
