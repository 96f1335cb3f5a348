import { describe, expect, it } from 'vitest'
import { agePlatforms, agesAsPlatformsSee, ageText, type AgeBand, type AgePlatform } from './age-bands.ts'
import { LEAST_AGE, MOST_AGE } from './target-audiences.ts'

const at = (platform: AgePlatform, ageMin: number, ageMax: number) => {
  const found = agesAsPlatformsSee(ageMin, ageMax).find(ages => ages.platform === platform)
  if (!found) throw new Error(platform)
  return found
}
const written = (platform: AgePlatform, ageMin: number, ageMax: number) => {
  const ages = at(platform, ageMin, ageMax)
  return ages.state === 'not_possible' ? ages.state : `${ageText(ages)} ${ages.state}`
}

describe('ages as platforms see them', () => {
  it.each([
    [20, 39, '20–39 exact', '18–44 widened', '18–44 widened'],
    [13, 17, '13–17 exact', 'not_possible', '13–17 exact'],
    [60, 65, '60–65+ exact', '55–65+ widened', '55+ widened'],
    [25, 54, '25–54 exact', '25–54 exact', '25–54 exact'],
    [18, 65, '18–65+ exact', '18–65+ exact', '18–55+ exact'],
    [18, 64, '18–64 exact', '18–64 exact', '18–55+ widened'],
    [65, 65, '65+ exact', '65+ exact', '55+ widened'],
    [30, 30, '30 exact', '25–34 widened', '25–34 widened'],
    [13, 65, '13–65+ exact', '18–65+ partial', '13–55+ exact'],
  ])('%i–%i', (ageMin, ageMax, meta, google, tiktok) => {
    expect(written('meta', ageMin, ageMax)).toBe(meta)
    expect(written('google_ads', ageMin, ageMax)).toBe(google)
    expect(written('tiktok', ageMin, ageMax)).toBe(tiktok)
    expect(written('line', ageMin, ageMax)).toBe(`${ageText(at('meta', ageMin, ageMax))} by_hand`)
    expect(at('ly', ageMin, ageMax)).toMatchObject({ state: 'by_hand', bands: [], from: ageMin })
  })

  it('say which of the ages a platform has no band for', () => {
    expect(at('google_ads', 13, 20)).toEqual({
      platform: 'google_ads',
      state: 'partial',
      bands: [{ from: 18, to: 24 }],
      from: 18,
      to: 24,
      is_widened: true,
      missing: { from: 13, to: 17 },
    })
    expect(at('google_ads', 13, 24)).toMatchObject({ state: 'partial', is_widened: false })
    expect(at('google_ads', 15, 15)).toMatchObject({ bands: [], missing: { from: 15, to: 15 } })
  })
})

/** Older than anybody, so that an open band has an end. */
const OLDEST = 120
const yearsOf = ({ from, to }: AgeBand) =>
  Array.from({ length: (to ?? OLDEST) - from + 1 }, (_, index) => from + index)
const edges: Record<'meta' | 'google_ads' | 'tiktok', number[]> = {
  meta: Array.from({ length: MOST_AGE - LEAST_AGE + 1 }, (_, index) => LEAST_AGE + index),
  google_ads: [18, 25, 35, 45, 55, 65],
  tiktok: [13, 18, 25, 35, 45, 55],
}
const ranges = edges.meta.flatMap(ageMin =>
  edges.meta.filter(ageMax => ageMax >= ageMin).map((ageMax): [number, number] => [ageMin, ageMax]),
)

describe('every range of ages', () => {
  it.each(['meta', 'google_ads', 'tiktok'] as const)('is covered by the fewest bands of %s', platform => {
    for (const [ageMin, ageMax] of ranges) {
      const found = at(platform, ageMin, ageMax)
      const ages = yearsOf({ from: ageMin, to: ageMax === MOST_AGE ? null : ageMax })
      const reached = found.bands.flatMap(yearsOf)
      const possible = ages.filter(age => age >= (edges[platform][0] ?? 0))
      const name = `${platform} ${ageMin}–${ageMax}`
      expect([possible.filter(age => !reached.includes(age)), name]).toEqual([[], name])
      expect([new Set(reached).size, name]).toEqual([reached.length, name])
      // Without any one of them an age were missing: there are none fewer.
      for (const band of found.bands) expect(ages.some(age => yearsOf(band).includes(age))).toBe(true)
      for (const { from, to } of found.bands)
        expect([edges[platform].includes(from), to === null || edges[platform].includes(to + 1)]).toEqual([
          true,
          true,
        ])
      expect([found.is_widened, name]).toEqual([reached.some(age => !ages.includes(age)), name])
      expect(found.missing ? yearsOf(found.missing) : []).toEqual(ages.filter(age => !reached.includes(age)))
      const whole = reached.length > 0 ? reached : ages
      expect([found.from, found.to ?? OLDEST]).toEqual([whole[0], whole.at(-1)])
    }
  })

  it('that has adults alone reaches no minor', () => {
    const adults = ranges.filter(([ageMin]) => ageMin >= 18)
    for (const [ageMin, ageMax] of adults)
      for (const ages of agesAsPlatformsSee(ageMin, ageMax)) expect(ages.from).toBeGreaterThanOrEqual(18)
  })

  it('has an answer of every platform, and a state that agrees with it', () => {
    for (const [ageMin, ageMax] of ranges) {
      const all = agesAsPlatformsSee(ageMin, ageMax)
      expect(all.map(({ platform }) => platform)).toEqual(agePlatforms)
      for (const { state, bands, is_widened, missing } of all) {
        expect(bands.length === 0).toBe(state === 'not_possible' || state === 'by_hand')
        expect(missing !== null).toBe(state === 'partial' || state === 'not_possible')
        expect(is_widened && state !== 'partial').toBe(state === 'widened')
      }
    }
  })
})
