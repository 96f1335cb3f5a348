import type { createPeopleIndex } from '#sandbox/dataset/mail-people.ts'
import { MAIL_PEOPLE } from '#sandbox/dataset/mail-people.ts'
import type { MemberMessage } from './messages.ts'

/**
 * Who is in a user list. What a request changes shows when it has been processed, which takes a while of the
 * sandbox's clock; requests are processed in the order in which they came.
 */
export interface Membership {
  add(keys: readonly number[], at: number): void
  remove(keys: readonly number[], at: number): void
  /** Everyone who was last added before that moment. */
  removeBefore(moment: number, at: number): void
  /** As processed at that moment: how many records are in it, and how many people Google knows of them. */
  countAt(now: number): { records: number; matched: number }
}

/** `fillingMs`: how long processing takes. */
export function createMembership(fillingMs: () => number): Membership {
  const lastAdded = new Map<number, number>()
  let pending: { at: number; apply: () => void }[] = []
  return {
    add(keys, at) {
      pending.push({ at, apply: () => keys.forEach(key => lastAdded.set(key, at)) })
    },
    remove(keys, at) {
      pending.push({ at, apply: () => keys.forEach(key => lastAdded.delete(key)) })
    },
    removeBefore(moment, at) {
      const apply = () => {
        for (const [key, added] of lastAdded) if (added < moment) lastAdded.delete(key)
      }
      pending.push({ at, apply })
    },
    countAt(now) {
      const until = pending.findIndex(({ at }) => at + fillingMs() > now)
      const due = until < 0 ? pending : pending.slice(0, until)
      pending = pending.slice(due.length)
      for (const { apply } of due) apply()
      let matched = 0
      for (const key of lastAdded.keys()) if (isKnown(key)) matched += 1
      return { records: lastAdded.size, matched }
    },
  }
}

type People = ReturnType<typeof createPeopleIndex>

/** The people whom Google knows go by their number, so that each counts once; others by what was sent. */
export const isKnown = (key: number) => key < MAIL_PEOPLE

/** The one whom a member of an upload is. */
export const keyOf = (member: MemberMessage, people: People): number => {
  const keys = keysOf(member, people)
  return keys.find(isKnown) ?? keys[0] ?? 0
}

/** Everyone whom a member of a removal may be. */
export const keysOf = ({ userData }: MemberMessage, people: People): number[] =>
  (userData?.userIdentifiers ?? []).map(({ emailAddress, phoneNumber }) => {
    const hashed = (emailAddress ?? phoneNumber ?? '').toLowerCase()
    const person = people.find('google', emailAddress === undefined ? 'phone_e164' : 'email', hashed)
    return person ?? MAIL_PEOPLE + Number.parseInt(hashed.slice(0, 12), 16)
  })

/** In the words of the answers: [0, 20), [20, 31), then tens from 31 on. */
export function matchRateRange(matched: number, records: number): string {
  if (records === 0) return 'MATCH_RATE_RANGE_NOT_ELIGIBLE'
  const percent = (100 * matched) / records
  if (percent < 20) return 'MATCH_RATE_RANGE_LESS_THAN_20'
  if (percent < 31) return 'MATCH_RATE_RANGE_20_TO_30'
  const from = 10 * Math.floor((percent - 1) / 10) + 1
  return `MATCH_RATE_RANGE_${from}_TO_${from + 9}`
}
