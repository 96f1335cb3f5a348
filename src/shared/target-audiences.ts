// The rules of target audiences that browser and server share.

export const genders = ['female', 'male', 'unknown'] as const
export const devices = ['mobile', 'desktop', 'tablet', 'tv'] as const

export const LEAST_AGE = 13
/** And older. */
export const MOST_AGE = 65

/** A place that ads are shown in: ISO 3166-1, ISO 3166-2 and a city's name. */
export interface Location {
  country: string
  region?: string | undefined
  city?: string | undefined
}

const names = (type: 'language' | 'region') => new Intl.DisplayNames('en', { type, fallback: 'none' })
const [languageNames, regionNames] = [names('language'), names('region')]
/** Codes that say that a language is not known, several, or none. */
const noLanguages = ['und', 'mul', 'zxx', 'mis']
const NO_REGION = 'ZZ'

/** Whether a well-formed tag of BCP 47 is written as it should be and names a language that there is. */
export function isLanguage(tag: string): boolean {
  const { language, region } = new Intl.Locale(tag)
  const isNamed = languageNames.of(tag) !== undefined && !noLanguages.includes(language)
  const isPlace = region === undefined || (region !== NO_REGION && regionNames.of(region) !== undefined)
  return isNamed && isPlace && Intl.getCanonicalLocales(tag)[0] === tag
}
