import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createPeopleIndex } from '#sandbox/dataset/mail-people.ts'
import { type Remembered, rememberedAs } from '#sandbox/memory.ts'
import { isRecord } from '#sandbox/record.ts'
import { invalid, refused } from './errors.ts'
import type { Destination } from './members.ts'
import { isKnown, keyOf, keysOf, matchRateRange } from './membership.ts'
import type { Consent, DestinationMessage, MemberMessage, MembersMessage } from './messages.ts'

/** What has been asked of user lists, and what came of it. */
export interface Requests {
  ingest(message: MembersMessage, destinations: Destination[], how: Processing): string
  remove(message: MembersMessage, destinations: Destination[], how: Processing): string
  removeAll(destinations: Destination[], before: number, how: Processing): string
  /** The answer of requestStatus:retrieve. */
  statusOf(requestId: string, now: number): object
  remembered: Remembered
  reset(): void
}

interface Processing {
  now: number
  /** Nothing is done, and the request cannot be looked for afterwards. */
  isRehearsal: boolean
  /** Why the processing of all records fails. */
  failure: string | null
}

const Outcome = z.object({
  destination: z.custom<DestinationMessage>(isRecord),
  at: z.number(),
  records: z.number(),
  /** Records that are not used, by the reason. */
  errors: z.record(z.string(), z.number()),
  /** What is said of the records, once they have been processed. */
  counts: z.custom<object>(isRecord),
})
type Outcome = z.output<typeof Outcome>

const Stored = z.object({
  known: z.array(z.tuple([z.string(), z.array(Outcome)])),
  agreed: z.array(z.string()),
})

export function createRequests(fillingMs: () => number): Requests {
  const people = createPeopleIndex()
  const known = new Map<string, Outcome[]>()
  /** Accounts for which the terms of Customer Match were accepted. */
  const agreed = new Set<string>()
  const store = (outcomes: Outcome[], { isRehearsal }: Processing) => {
    const id = randomUUID()
    if (!isRehearsal) known.set(id, outcomes)
    return id
  }
  return {
    ingest(message, destinations, how) {
      const { audienceMembers, consent, termsOfService } = message
      checkTerms(termsOfService?.customerMatchTermsOfServiceStatus, { destinations, agreed, how })
      const outcomes = destinations.map(({ message: destination, list }): Outcome => {
        const members = audienceMembers.filter(member => isMeant(member, destination))
        const permitted = members.filter(member => !isDenied(member.consent ?? consent))
        const denied = members.length - permitted.length
        const used = how.failure === null ? permitted.map(member => keyOf(member, people)) : []
        if (!how.isRehearsal) list.members.add(used, how.now)
        const errors = {
          PROCESSING_ERROR_REASON_DENIED_CONSENT: denied,
          ...failed(members.length - denied, how),
        }
        const matched = new Set(used.filter(isKnown)).size
        const range = { uploadMatchRateRange: matchRateRange(matched, used.length) }
        const counts = {
          audienceMembersIngestionStatus: { userDataIngestionStatus: { ...sizesOf(members), ...range } },
        }
        return { destination, at: how.now, records: members.length, errors, counts }
      })
      return store(outcomes, how)
    },
    remove({ audienceMembers }, destinations, how) {
      const outcomes = destinations.map(({ message: destination, list }): Outcome => {
        const members = audienceMembers.filter(member => isMeant(member, destination))
        const keys = members.flatMap(member => keysOf(member, people))
        if (!how.isRehearsal && how.failure === null) list.members.remove(keys, how.now)
        const counts = { audienceMembersRemovalStatus: { userDataRemovalStatus: sizesOf(members) } }
        const errors = failed(members.length, how)
        return { destination, at: how.now, records: members.length, errors, counts }
      })
      return store(outcomes, how)
    },
    removeAll(destinations, before, how) {
      if (before > how.now) throw invalid([{ field: 'remove_as_of_time', reason: 'INVALID_ARGUMENT' }])
      const outcomes = destinations.map(({ message: destination, list }): Outcome => {
        if (!how.isRehearsal && how.failure === null) list.members.removeBefore(before, how.now)
        const counts = { removeAllAudienceMembersStatus: {} }
        return { destination, at: how.now, records: 1, errors: failed(1, how), counts }
      })
      return store(outcomes, how)
    },
    statusOf(requestId, now) {
      const outcomes = known.get(requestId)
      if (!outcomes) throw invalid([{ field: 'request_id', reason: 'INVALID_REQUEST_ID' }])
      return {
        requestStatusPerDestination: outcomes.map(outcome => statusMessage(outcome, now - fillingMs())),
      }
    },
    remembered: rememberedAs(Stored, {
      get: () => ({ known: [...known], agreed: [...agreed] }),
      set(stored) {
        known.clear()
        agreed.clear()
        for (const [id, outcomes] of stored.known) known.set(id, outcomes)
        for (const account of stored.agreed) agreed.add(account)
      },
    }),
    reset() {
      known.clear()
      agreed.clear()
    },
  }
}

/** What was asked after `until` is still being processed. */
function statusMessage({ destination, at, records, errors, counts }: Outcome, until: number) {
  const facts = { destination: withoutDefaults(destination) }
  if (at > until) return { ...facts, requestStatus: 'PROCESSING' }
  const errorCounts = Object.entries(errors)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({ recordCount: String(count), reason }))
  const lost = Object.values(errors).reduce((sum, count) => sum + count, 0)
  const requestStatus = lost === 0 ? 'SUCCESS' : lost < records ? 'PARTIAL_SUCCESS' : 'FAILED'
  return { ...facts, requestStatus, ...(lost > 0 && { errorInfo: { errorCounts } }), ...counts }
}

/** Once accepted for an account, the terms need not be named again; refusing them is refused. */
function checkTerms(
  status: string | undefined,
  { destinations, agreed, how }: { destinations: Destination[]; agreed: Set<string>; how: Processing },
): void {
  const accounts = destinations.map(({ list }) => list.account)
  const isAccepted = status === 'ACCEPTED'
  if (status === 'REJECTED' || (!isAccepted && accounts.some(account => !agreed.has(account))))
    throw refused('TERMS_AND_CONDITIONS_NOT_SIGNED', { status: 403 })
  if (isAccepted && !how.isRehearsal) for (const account of accounts) agreed.add(account)
}

const isMeant = ({ destinationReferences }: MemberMessage, { reference }: DestinationMessage) =>
  destinationReferences.length === 0 || destinationReferences.includes(reference)

const isDenied = (consent: Consent | undefined) =>
  consent?.adUserData === 'CONSENT_DENIED' || consent?.adPersonalization === 'CONSENT_DENIED'

const failed = (records: number, { failure }: Processing): Record<string, number> =>
  failure === null ? {} : { [failure]: records }

const sizesOf = (members: readonly MemberMessage[]) => ({
  recordCount: String(members.length),
  userIdentifierCount: String(
    members.reduce((sum, { userData }) => sum + (userData?.userIdentifiers.length ?? 0), 0),
  ),
})

/** A message as answers write it: nothing that is empty or not specified. */
function withoutDefaults(message: object): object {
  return Object.fromEntries(
    Object.entries(message).flatMap(([name, value]): [string, unknown][] => {
      if (value === '' || value === undefined || String(value).endsWith('_UNSPECIFIED')) return []
      return [[name, typeof value === 'object' ? withoutDefaults(value) : value]]
    }),
  )
}
