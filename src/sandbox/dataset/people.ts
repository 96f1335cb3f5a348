import type { Ad } from './campaigns.ts'
import { mix } from './hash.ts'
import { slotOf } from './metrics.ts'

// How many different people saw or clicked something.
//
// The people of an account live in four segments. Every impression meets a random person of the segments its
// ad set aims at, so after S contacts a segment of N people has N·(1 − e^(−S/N)) who were met at least once.
// Contacts add up exactly (they are integers), people do not: for any two sets of ads, days and devices the
// people of both together are at least the larger and at most the sum, rounding up included. The same
// query always has the same result, and a row costs four exponentials, however many people it counts.

/** Contacts, in 1/16,000: four segments each for having seen, clicked, clicked a link. */
export type Contacts = Float64Array

export interface People {
  reach: number
  unique_clicks: number
  unique_link_clicks: number
}

export const noContacts = (): Contacts => new Float64Array(12)

/** Adds the people met by these counts of one ad set (its weight is the same for all its ads and days). */
export function addContacts(contacts: Contacts, counts: Float64Array, meeting: Meeting): void {
  for (let kind = 0; kind < 3; kind++) {
    const contact = (counts[KINDS[kind] ?? 0] ?? 0) * meeting.spread
    for (let segment = 0; segment < 4; segment++) {
      const at = kind * 4 + segment
      contacts[at] = (contacts[at] ?? 0) + contact * (meeting.segments[segment] ?? 0)
    }
  }
}

/** The people behind the contacts, in an account with that many people. */
export function peopleOf(contacts: Contacts, population: number): People {
  return {
    reach: met(contacts, 0, population),
    unique_clicks: met(contacts, 4, population),
    unique_link_clicks: met(contacts, 8, population),
  }
}

/** How many of the people were met at least so many times (2 or more). */
export function metTimes(contacts: Contacts, population: number, times: number): number {
  let people = 0
  for (let segment = 0; segment < 4; segment++) {
    const size = population * (SHARES[segment] ?? 0)
    const usual = (contacts[segment] ?? 0) / 16_000 / size
    let term = Math.exp(-usual)
    let fewer = 0
    for (let count = 0; count < times; count++) {
      fewer += term
      term *= usual / (count + 1)
    }
    people += size * Math.max(0, 1 - fewer)
  }
  return Math.round(people)
}

/** How an ad meets people: 550 to 950 different people for 1,000 impressions of a day. */
export interface Meeting {
  spread: number
  segments: readonly number[]
}

export const meetingOf = (ad: Ad): Meeting => ({
  spread: 550 + ((mix(ad.seed, 91) >>> 0) % 401),
  segments: ad.ad_set.segments,
})

const KINDS = [slotOf.impressions, slotOf.clicks, slotOf.link_clicks]
const SHARES = [0.4, 0.3, 0.2, 0.1]

function met(contacts: Contacts, from: number, population: number): number {
  let people = 0
  for (let segment = 0; segment < 4; segment++) {
    const size = population * (SHARES[segment] ?? 0)
    people += -size * Math.expm1(-(contacts[from + segment] ?? 0) / 16_000 / size)
  }
  return Math.ceil(people)
}
