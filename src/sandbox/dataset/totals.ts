import type { Account } from './agency.ts'
import type { Ad } from './campaigns.ts'
import { dayReader, type Moment } from './facts.ts'
import { mix } from './hash.ts'
import { METRICS } from './metrics.ts'
import { addContacts, type Contacts, type Meeting, meetingOf, noContacts } from './people.ts'
import { cutOf, type Part } from './split.ts'

/** What a set of ads did over some days; contacts become people in people.ts. */
export interface Totals {
  counts: Float64Array
  contacts: Contacts
}

export interface TotalsQuery {
  account: Account
  moment: Moment
  /** The requested metrics, as slots with their parents (withParents). */
  slots: number[]
  /** The parts of a breakdown; none for the whole. */
  parts?: readonly Part[]
  /** People are not requested: the contacts stay empty. */
  without_people?: boolean
}

/**
 * Adds up over the days first to last (both included): one entry a part, null where nothing was delivered.
 */
export type Adder = (days: { first: number; last: number }) => (Totals | null)[]

/** An adder for a set of ads; create it once and use it for many days. */
export function adderOf(query: TotalsQuery, ads: readonly Ad[]): Adder {
  const { parts, slots, moment, without_people } = query
  const counts = new Float64Array(METRICS.length)
  const pieces = parts?.map(() => new Float64Array(METRICS.length)) ?? [counts]
  const readers = ads.map(ad => ({
    ad,
    read: dayReader(query.account, ad, { slots, moment }),
    cut: parts && cutOf(parts, ad.ad_set, slots),
    meeting: meetingOf(ad),
  }))

  return ({ first, last }) => {
    const sums: (Totals | null)[] = Array.from({ length: pieces.length }, () => null)
    for (const { ad, read, cut, meeting } of readers) {
      const from = Math.max(first, ad.start)
      const to = Math.min(last, ad.end ?? last, moment.today)
      for (let day = from; day <= to; day++) {
        if (!read(day, counts)) continue
        cut?.(counts, pieces, mix(ad.seed, day))
        for (let index = 0; index < pieces.length; index++) {
          const piece = pieces[index]
          if (piece && piece[0] !== 0)
            addPiece(sums, index, { piece, slots, meeting: without_people ? null : meeting })
        }
      }
    }
    return sums
  }
}

type Piece = { piece: Float64Array; slots: number[]; meeting: Meeting | null }

function addPiece(sums: (Totals | null)[], index: number, { piece, slots, meeting }: Piece): void {
  const sum = (sums[index] ??= {
    counts: new Float64Array(METRICS.length),
    contacts: meeting ? noContacts() : EMPTY,
  })
  for (const slot of slots) sum.counts[slot] = (sum.counts[slot] ?? 0) + (piece[slot] ?? 0)
  if (meeting) addContacts(sum.contacts, piece, meeting)
}

const EMPTY = noContacts()
