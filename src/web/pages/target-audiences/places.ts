import { countryCodes } from '#shared/countries.ts'
import type { Language } from '#shared/language.ts'
import { regionCodes, regionName } from '#shared/regions.ts'
import type { Location } from '#shared/target-audiences.ts'
import { perLanguage } from '#web/i18n/per-language.ts'
import { countryName } from '#web/pages/audiences/audience-draft.ts'

/** A country or one of its regions: all of it, or some of its cities. */
export interface Place {
  country: string
  /** null: the country itself. */
  region: string | null
  cities: readonly string[]
}

export const keyOf = ({ country, region }: Pick<Place, 'country' | 'region'>) => region ?? country

export const placeOf = (key: string): Place => ({
  country: key.slice(0, 2),
  region: key.length > 2 ? key : null,
  cities: [],
})

/** Locations with the cities of one region together, in the order in which the regions come first. */
export function groupedPlaces(locations: readonly Location[]): Place[] {
  const places = new Map<string, Place>()
  for (const { country, region = null, city } of locations) {
    const key = keyOf({ country, region })
    const cities = places.get(key)?.cities ?? []
    places.set(key, { country, region, cities: city === undefined ? cities : [...cities, city] })
  }
  return [...places.values()]
}

export const locationsOf = (places: readonly Place[]): Location[] =>
  places.flatMap(({ country, region, cities }) => {
    const all: Location = { country, ...(region !== null && { region }) }
    return cities.length === 0 ? [all] : cities.map(city => ({ ...all, city }))
  })

/** Taipei City; a region without a name of ours is written as its code. */
export function partName({ country, region }: Pick<Place, 'country' | 'region'>, language: Language) {
  if (region === null) return countryName(country, language)
  return regionName(region)?.[language] ?? region
}

/** Taipei City, Taiwan */
export function placeName({ country, region }: Pick<Place, 'country' | 'region'>, language: Language) {
  const land = countryName(country, language)
  if (region === null) return land
  const part = partName({ country, region }, language)
  return language === 'en' ? `${part}, ${land}` : `${land}${part}`
}

/** The same with its cities: Taipei City, Taiwan (Xinyi, Daan) */
export function placeText(place: Place, language: Language): string {
  const name = placeName(place, language)
  if (place.cities.length === 0) return name
  return language === 'en' ? `${name} (${place.cities.join(', ')})` : `${name}（${place.cities.join('、')}）`
}

/** The same as short as lists need it: the smallest part that has a name. */
export const shortPlaces = (place: Place, language: Language): readonly string[] =>
  place.cities.length > 0 ? place.cities : [partName(place, language)]

/** Where most campaigns go, offered first. */
const common = ['TW', 'JP', 'HK', 'MO', 'KR', 'SG', 'MY', 'TH', 'VN', 'PH', 'ID', 'US']

/** Every country, and the regions of those that campaigns go to most. */
export const placeKeys = perLanguage(language => {
  const others = countryCodes
    .filter(code => !common.includes(code))
    .toSorted((one, other) =>
      countryName(one, language).localeCompare(countryName(other, language), language),
    )
  return [...common, ...others, ...regionCodes]
})
