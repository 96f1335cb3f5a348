import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import type { Account } from '#sandbox/dataset/agency.ts'
import { createPeopleIndex } from '#sandbox/dataset/mail-people.ts'
import { type Remembered, rememberedAs } from '#sandbox/memory.ts'
import { audienceId } from './audience-id.ts'
import { Audience } from './audience.ts'
import { initialAudiences } from './initial.ts'
import { createSessions, type Sessions, StoredSessions } from './sessions.ts'
import { deleteTimeOf, settle } from './states.ts'
import { createTerms, type Terms } from './terms.ts'

/** The audiences of all accounts, and what goes with them. */
export interface Audiences {
  /** Those of an account, oldest first, as they are at that moment. */
  of(account: Account, now: number): Audience[]
  /** Those that other accounts share with it. */
  sharedWith(account: Account, now: number): Audience[]
  add(account: Account, audience: Omit<Audience, 'id' | 'account' | 'recipients'>): Audience
  remove(audience: Audience): void
  people: ReturnType<typeof createPeopleIndex>
  sessions: Sessions
  terms: Terms
  /** How long Meta works on a change, in milliseconds. */
  fillingMs(): number
  /** How many customer files an account may have. */
  most(): number
  limits: Limits
  remembered: Remembered
  reset(): void
}

const Stored = z.object({
  /** How many have been made. */
  made: z.number(),
  /** By the bare number of the account. */
  lists: z.array(z.tuple([z.string(), z.array(Audience)])),
  sessions: StoredSessions,
  terms_open: z.array(z.string()),
})

const Values = z.strictObject({
  meta_filling_s: z.number().min(0).max(86_400).optional(),
  meta_audiences: z.int().min(1).max(500).optional(),
})
const USUAL = { meta_filling_s: 60, meta_audiences: 500 }

export function createAudiences(): Audiences {
  const lists = new Map<string, Audience[]>()
  const sessions = createSessions()
  const terms = createTerms()
  let limits = USUAL
  let made = 0
  const fillingMs = () => limits.meta_filling_s * 1000

  const of = (account: Account, now: number): Audience[] => {
    const list = lists.get(account.id) ?? initialAudiences(account)
    for (const audience of list) settle(audience, { now, ms: fillingMs() })
    const living = list.filter(audience => now < (deleteTimeOf(audience, now) ?? Infinity))
    lists.set(account.id, living)
    return living
  }

  return {
    of,
    sharedWith: (account, now) =>
      [...lists.values()].flat().filter(audience => {
        settle(audience, { now, ms: fillingMs() })
        return audience.recipients.has(account.id)
      }),
    add(account, audience) {
      made += 1
      const added = {
        ...audience,
        id: audienceId(account, MADE + made),
        account,
        recipients: new Set<string>(),
      }
      lists.set(account.id, [...(lists.get(account.id) ?? initialAudiences(account)), added])
      return added
    },
    remove({ id, account }) {
      lists.set(
        account.id,
        (lists.get(account.id) ?? []).filter(audience => audience.id !== id),
      )
    },
    people: createPeopleIndex(),
    sessions,
    terms,
    fillingMs,
    most: () => limits.meta_audiences,
    limits: {
      names: ['meta_filling_s', 'meta_audiences'],
      get: () => limits,
      set: values => {
        const { meta_filling_s = limits.meta_filling_s, meta_audiences = limits.meta_audiences } =
          Values.parse(values)
        limits = { meta_filling_s, meta_audiences }
      },
    },
    remembered: rememberedAs(Stored, {
      get: () => ({ made, lists: [...lists], sessions: sessions.all(), terms_open: terms.open() }),
      set(stored) {
        made = stored.made
        lists.clear()
        for (const [account, list] of stored.lists) lists.set(account, list)
        sessions.take(stored.sessions)
        terms.take(stored.terms_open)
      },
    }),
    reset() {
      lists.clear()
      sessions.reset()
      terms.reset()
      limits = USUAL
      made = 0
    },
  }
}

/** Above the ids of those that are there from the start. */
const MADE = 100
