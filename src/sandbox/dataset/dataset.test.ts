import { describe, expect, test } from 'vitest'
import { type Account, ACCOUNTS, ADVERTISERS, ANALYTICS } from './agency.ts'
import { isoOf, knownDay } from './calendar.ts'
import { type Ad, nameOn } from './campaigns.ts'
import { METRICS, slotOf, withParents } from './metrics.ts'
import { peopleOf } from './people.ts'
import { HURTING_CAMPAIGNS, TOO_LONG } from './names.ts'
import type { Part } from './split.ts'
import { adderOf, type Totals } from './totals.ts'
import { adsOf, createDataset } from './dataset.ts'

const clock = { now: () => Date.parse('2026-11-20T04:00:00Z') }
const dataset = createDataset({ clock })
const account = (number: number): Account => {
  const found = ACCOUNTS.find(each => each.number === number)
  if (!found) throw new Error(`no account ${number}`)
  return found
}
const aurora = account(1)
const ads = adsOf(dataset.campaigns(aurora))
const { today } = dataset.moment(aurora)
const slots = withParents(METRICS)
const week = { first: today - 14, last: today - 8 }

const add = (of: readonly Ad[], days: { first: number; last: number }, parts?: Part[]) =>
  adderOf({ account: aurora, moment: dataset.moment(aurora), slots, ...(parts && { parts }) }, of)(days)
const sum = (list: (Totals | null | undefined)[], metric: number) =>
  list.reduce((total, each) => total + (each?.counts[metric] ?? 0), 0)
const people = (totals: Totals | null | undefined) =>
  totals
    ? peopleOf(totals.contacts, dataset.population(aurora))
    : { reach: 0, unique_clicks: 0, unique_link_clicks: 0 }
const days = ({ first, last }: { first: number; last: number }) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ first: first + index, last: first + index }))
const deviceParts = ['a', 'b', 'c'].map(value => ({ keys: { device: value }, share: 0.3, group: value }))

describe('the agency', () => {
  test('has six advertisers and forty accounts over five channels, in three currencies and three time zones', () => {
    expect(ACCOUNTS).toHaveLength(40)
    expect(new Set(ACCOUNTS.map(each => each.advertiser)).size).toBe(ADVERTISERS.length)
    expect(new Set(ACCOUNTS.map(each => each.channel)).size).toBe(5)
    expect(new Set(ACCOUNTS.map(each => each.currency)).size).toBe(3)
    expect(new Set(ACCOUNTS.map(each => each.time_zone)).size).toBe(3)
    expect(new Set(ACCOUNTS.map(each => `${each.channel} ${each.id}`)).size).toBe(40)
    expect(ANALYTICS.filter(each => each.kind === 'ua_view')).toHaveLength(6)
    expect(ANALYTICS.filter(each => each.kind === 'ga4_property')).toHaveLength(6)
  })

  test('has names that hurt, twins, and one that is too long for a cell', () => {
    const names = dataset.campaigns(aurora).map(campaign => campaign.name)
    expect(names).toEqual(expect.arrayContaining([...HURTING_CAMPAIGNS]))
    expect(names.filter(name => name === 'Twin')).toHaveLength(2)
    expect(HURTING_CAMPAIGNS.map(name => name.length)).toContain(120)
    expect(TOO_LONG).toHaveLength(60_000)
    expect(adsOf(dataset.campaigns(account(10))).map(ad => ad.name)).toContain(TOO_LONG)
  })

  test('renames campaigns at a date of the clock', () => {
    const renamed = dataset.campaigns(aurora).filter(campaign => campaign.renamed)
    const from = knownDay('2026-09-15')
    expect(renamed.map(campaign => nameOn(campaign, from - 1))).toContain('Working title')
    expect(renamed.map(campaign => nameOn(campaign, from))).not.toContain('Working title')
  })

  test('has every id once', () => {
    const ids = dataset
      .accounts('fb')
      .flatMap(each =>
        dataset
          .campaigns(each)
          .flatMap(campaign => [
            campaign.id,
            ...campaign.ad_sets.flatMap(adSet => [adSet.id, ...adSet.ads.map(ad => ad.id)]),
          ]),
      )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every(id => /^\d{18}$/.test(id))).toBe(true)
  })
})

describe('the facts', () => {
  test('are the same in another dataset of the same seed, and others with another seed', () => {
    const other = createDataset({ clock })
    const again = adderOf(
      { account: aurora, moment: other.moment(aurora), slots },
      adsOf(other.campaigns(aurora)),
    )(week)
    expect(again).toEqual(add(ads, week))
    const seeded = createDataset({ clock, seed: 1 })
    const unknownAd = adderOf(
      { account: aurora, moment: other.moment(aurora), slots },
      adsOf(seeded.campaigns(aurora)),
    )(week)
    expect(unknownAd).not.toEqual(add(ads, week))
  })

  test('of the days add up to the range, those of the ads to the account, those of the parts to the whole', () => {
    const [whole] = add(ads, week)
    const byDay = days(week).flatMap(day => add(ads, day))
    const byAd = ads.flatMap(ad => add([ad], week))
    const byPart = add(ads, week, deviceParts)
    for (let slot = 0; slot < METRICS.length; slot++) {
      const expected = whole?.counts[slot] ?? 0
      expect([sum(byDay, slot), sum(byAd, slot), sum(byPart, slot)]).toEqual([expected, expected, expected])
    }
  })

  test('never have more of a part than of the whole, not even within a device', () => {
    for (const ad of ads) {
      for (const totals of add([ad], week, deviceParts)) {
        const count = (metric: keyof typeof slotOf) => totals?.counts[slotOf[metric]] ?? 0
        expect(count('clicks')).toBeLessThanOrEqual(count('impressions'))
        expect(count('link_clicks')).toBeLessThanOrEqual(count('clicks'))
        expect(count('web_purchases')).toBeLessThanOrEqual(count('add_to_cart'))
        expect(people(totals).reach).toBeLessThanOrEqual(count('impressions'))
        expect(people(totals).unique_clicks).toBeLessThanOrEqual(count('clicks'))
      }
    }
  })

  test('stop 28 days after the day, and until then never shrink', () => {
    const day = { first: today - 1, last: today - 1 }
    const countAt = (age: number) => {
      const later = createDataset({ clock: { now: () => clock.now() + (age - 1) * 86_400_000 } })
      return adderOf(
        { account: aurora, moment: later.moment(aurora), slots },
        adsOf(later.campaigns(aurora)),
      )(day)[0]
    }
    const counts = [1, 2, 5, 10, 27, 28, 29, 90].map(age => countAt(age)?.counts[slotOf.add_to_cart] ?? 0)
    expect(counts.toSorted((left, right) => left - right)).toEqual(counts)
    expect(counts[0]).toBeLessThan(counts[5] ?? 0)
    expect(countAt(28)).toEqual(countAt(90))
    expect(countAt(28)?.counts[slotOf.impressions]).toBe(countAt(1)?.counts[slotOf.impressions])
  })

  test('of today are a part of the day, of tomorrow nothing', () => {
    const at = (iso: string, day: number) => {
      const then = createDataset({ clock: { now: () => Date.parse(iso) } })
      return adderOf(
        { account: aurora, moment: then.moment(aurora), slots },
        ads,
      )({ first: day, last: day })[0]
    }
    const day = knownDay('2026-11-20')
    const morning = at('2026-11-20T00:00:00+08:00', day)
    const noon = at('2026-11-20T12:00:00+08:00', day)?.counts[0] ?? 0
    const evening = at('2026-11-20T23:59:00+08:00', day)?.counts[0] ?? 0
    expect(morning).toBeNull()
    expect(noon).toBeGreaterThan(0)
    expect(evening).toBeGreaterThan(noon)
    expect(at('2026-11-20T23:59:00+08:00', day + 1)).toBeNull()
  })

  test('know the seasons, weekdays and pauses', () => {
    const of = (day: string) => add(ads, { first: knownDay(day), last: knownDay(day) })[0]?.counts[0] ?? 0
    expect(of('2025-12-13')).toBeGreaterThan(of('2025-12-09'))
    const quiet = ads.some(ad => {
      const delivered = days({ first: ad.start, last: ad.start + 60 }).map(day => add([ad], day)[0] !== null)
      return delivered.includes(true) && delivered.includes(false)
    })
    expect(quiet).toBe(true)
  })
})

describe('the people', () => {
  test('of two sets are at least the larger and at most the sum', () => {
    const sets = [
      [0, 40, 0, 6],
      [20, 90, 3, 20],
      [100, 101, 0, 0],
      [0, ads.length, 7, 7],
    ] as const
    for (const [from, to, first, last] of sets) {
      const chosen = ads.slice(from, to)
      const half = Math.ceil(chosen.length / 2)
      const range = { first: today - 40 + first, last: today - 40 + last }
      const both = people(add(chosen, range)[0])
      const [one, other] = [
        people(add(chosen.slice(0, half), range)[0]),
        people(add(chosen.slice(half), range)[0]),
      ]
      for (const kind of ['reach', 'unique_clicks', 'unique_link_clicks'] as const) {
        expect(both[kind]).toBeGreaterThanOrEqual(Math.max(one[kind], other[kind]))
        expect(both[kind]).toBeLessThanOrEqual(one[kind] + other[kind])
      }
    }
  })

  test('of a month are fewer than those of its days together', () => {
    const month = { first: knownDay('2026-10-01'), last: knownDay('2026-10-31') }
    const daily = days(month).reduce((total, day) => total + people(add(ads, day)[0]).reach, 0)
    const reach = people(add(ads, month)[0]).reach
    expect(reach).toBeLessThan(daily * 0.8)
    expect(reach).toBeGreaterThan(daily / 31)
  })
})

test('a day of the calendar is written and read alike', () => {
  expect(isoOf(knownDay('2028-02-29'))).toBe('2028-02-29')
})
