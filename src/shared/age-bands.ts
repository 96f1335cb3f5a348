import { MOST_AGE } from './target-audiences.ts'

export const agePlatforms = ['meta', 'google_ads', 'tiktok', 'line', 'ly'] as const
export type AgePlatform = (typeof agePlatforms)[number]

/** Whole years, both included; `to` null: and older. */
export interface AgeBand {
  from: number
  to: number | null
}

export const ageStates = [
  'exact',
  /** The bands also reach ages beside these. */
  'widened',
  /** Some of the ages cannot be reached: `missing`. The bands of the others may be wider all the same. */
  'partial',
  'not_possible',
  /** Its bands are not known to us: somebody chooses them there. */
  'by_hand',
] as const

export interface PlatformAges {
  platform: AgePlatform
  state: (typeof ageStates)[number]
  /** What is chosen there, the youngest first; none where it is not possible or done by hand. */
  bands: AgeBand[]
  /** From the youngest to the oldest of these; where there are none, the ages themselves. */
  from: number
  to: number | null
  is_widened: boolean
  /** The ages that no band has; they are always the youngest. */
  missing: AgeBand | null
}

const googleBands: readonly AgeBand[] = [
  { from: 18, to: 24 },
  { from: 25, to: 34 },
  { from: 35, to: 44 },
  { from: 45, to: 54 },
  { from: 55, to: 64 },
  { from: 65, to: null },
]
const tiktokBands: readonly AgeBand[] = [
  { from: 13, to: 17 },
  { from: 18, to: 24 },
  { from: 25, to: 34 },
  { from: 35, to: 44 },
  { from: 45, to: 54 },
  { from: 55, to: null },
]

/** Ages as each platform's targeting takes them. `ageMax` of 65: and older. */
export function agesAsPlatformsSee(ageMin: number, ageMax: number): PlatformAges[] {
  const ages = { from: ageMin, to: upTo(ageMax) }
  return [
    asBands('meta', ages, yearsOf(ageMin, ageMax)),
    asBands('google_ads', ages, covering(googleBands, ageMin, ageMax)),
    asBands('tiktok', ages, covering(tiktokBands, ageMin, ageMax)),
    byHand('line', ages),
    byHand('ly', ages),
  ]
}

const upTo = (age: number): number | null => (age === MOST_AGE ? null : age)

/** Meta takes single years from 13 to 64, and everybody older as one. */
const yearsOf = (ageMin: number, ageMax: number): AgeBand[] => [
  ...(ageMin < MOST_AGE ? [{ from: ageMin, to: Math.min(ageMax, MOST_AGE - 1) }] : []),
  ...(ageMax === MOST_AGE ? [{ from: MOST_AGE, to: null }] : []),
]

/** Bands do not overlap: those that have one of the ages are the fewest that cover them. */
const covering = (bands: readonly AgeBand[], ageMin: number, ageMax: number): AgeBand[] =>
  bands.filter(({ from, to }) => from <= ageMax && (to === null || to >= ageMin))

function asBands(platform: AgePlatform, ages: AgeBand, bands: AgeBand[]): PlatformAges {
  const first = bands[0]
  const last = bands.at(-1)
  if (!first || !last)
    return { ...ages, platform, bands, state: 'not_possible', is_widened: false, missing: ages }
  const reached = { from: first.from, to: last.to }
  const missing = ages.from < first.from ? { from: ages.from, to: first.from - 1 } : null
  const wider = { is_widened: reached.from < ages.from || reached.to !== ages.to }
  const state = missing ? 'partial' : wider.is_widened ? 'widened' : 'exact'
  return { ...reached, platform, state, bands, ...wider, missing }
}

const byHand = (platform: AgePlatform, ages: AgeBand): PlatformAges => ({
  ...ages,
  platform,
  state: 'by_hand',
  bands: [],
  is_widened: false,
  missing: null,
})

/** 20–39, 55–65+, 55+ or 30: the open band is written with the age at which it starts. */
export function ageText({ from, to, bands }: Pick<PlatformAges, 'from' | 'to' | 'bands'>): string {
  const last = to ?? bands.at(-1)?.from ?? MOST_AGE
  return `${from === last ? from : `${from}–${last}`}${to === null ? '+' : ''}`
}
