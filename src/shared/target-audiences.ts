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
