import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { type createPeopleIndex, MAIL_PEOPLE } from '#sandbox/dataset/mail-people.ts'
import { PeopleBits } from '#sandbox/dataset/people-bits.ts'
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
  state(): MembershipState
}

/**
 * Members as they are stored: the people whom Google knows, and how many others. These stay members, and
 * nothing is stored by which they could be traced: no request can name them any more.
 */
const Members = z.codec(
  z.object({ people: PeopleBits, others: z.number() }),
  z.custom<number[]>(value => Array.isArray(value)),
  {
    decode: ({ people, others }) => [...people, ...Array.from({ length: others }, nobody)],
    encode: keys => ({
      people: new Set(keys.filter(isKnown)),
      others: keys.filter(key => !isKnown(key)).length,
    }),
  },
)
/** Above all keys of those who were sent. */
const nobody = () => MAIL_PEOPLE + 2 ** 48 + randomInt(2 ** 48 - 1)

const Change = z.discriminatedUnion('does', [
  z.object({ does: z.literal('add'), at: z.number(), keys: Members }),
  z.object({ does: z.literal('remove'), at: z.number(), keys: Members }),
  z.object({ does: z.literal('remove_before'), at: z.number(), moment: z.number() }),
])
type Change = z.output<typeof Change>

export const MembershipState = z.object({
  /** By when they were last added. */
  added: z.array(z.object({ at: z.number(), keys: Members })),
  /** What has been asked for and not been processed. */
  pending: z.array(Change),
})
type MembershipState = z.output<typeof MembershipState>

/** `fillingMs`: how long processing takes. */
export function createMembership(
  fillingMs: () => number,
  stored: MembershipState = { added: [], pending: [] },
): Membership {
  const lastAdded = new Map(stored.added.flatMap(({ at, keys }) => keys.map(key => [key, at] as const)))
  let pending = stored.pending
  return {
    add: (keys, at) => void pending.push({ does: 'add', at, keys: [...keys] }),
    remove: (keys, at) => void pending.push({ does: 'remove', at, keys: [...keys] }),
    removeBefore: (moment, at) => void pending.push({ does: 'remove_before', at, moment }),
    countAt(now) {
      const until = pending.findIndex(({ at }) => at + fillingMs() > now)
      const due = until < 0 ? pending : pending.slice(0, until)
      pending = pending.slice(due.length)
      for (const change of due) apply(change, lastAdded)
      let matched = 0
      for (const key of lastAdded.keys()) if (isKnown(key)) matched += 1
      return { records: lastAdded.size, matched }
    },
    state() {
      const added = Map.groupBy(lastAdded, ([, at]) => at)
      return { added: [...added].map(([at, keys]) => ({ at, keys: keys.map(([key]) => key) })), pending }
    },
  }
}

function apply(change: Change, lastAdded: Map<number, number>) {
  if (change.does === 'add') for (const key of change.keys) lastAdded.set(key, change.at)
  else if (change.does === 'remove') for (const key of change.keys) lastAdded.delete(key)
  else for (const [key, added] of lastAdded) if (added < change.moment) lastAdded.delete(key)
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
