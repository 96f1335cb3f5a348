import type { AudienceOperations, AudienceSource } from '#server/connectors/audience.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { ShareEffects } from './share-effects.ts'
import { holdShare, readShare, storeShare, type Share, type ShareChanges } from './share-queries.ts'

/** Longer than any call of a platform may take: a process without a sign of life for so long is dead. */
const LEASE_MS = 5 * 60_000
/** A batch of the largest kind is a file of 60 MB. */
const SEND_MS = 4 * 60_000
const CALL_MS = 60_000

/** Another process has the share by now: nothing more may be done with it. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

export const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** What is done under one claim: every call of a platform follows a proof that the claim still holds. */
export interface ShareWork {
  db: Db
  claim: string
  source: AudienceSource
  effects: ShareEffects
}

/** The share as it is now; null when another process has it. */
export async function readHeld(
  { db, claim, effects }: Omit<ShareWork, 'source'>,
  id: number,
): Promise<Share | null> {
  const until = leaseFrom(await effects.now())
  return (await holdShare(db, id, { claim, until })) ? await readShare(db, id) : null
}

/** Throws ClaimLost, before anything is sent, when one of the shares is no longer held. */
export async function callPlatform<Result>(
  { db, claim, source, effects }: ShareWork,
  { name, shares }: { name: string; shares: readonly Pick<Share, 'id'>[] },
  call: (operations: AudienceOperations) => Promise<Result>,
): Promise<Result> {
  await effects.step?.(`before ${name}`)
  const now = await effects.now()
  const until = leaseFrom(now)
  for (const { id } of shares) if (!(await holdShare(db, id, { claim, until }))) throw new ClaimLost()
  const patience = name === 'send' || name === 'finish' ? SEND_MS : CALL_MS
  const context = { ...effects, jobs: jobsInMemory(), now: clockFrom(now) }
  const result = await withDeadline(patience, context, io => call(source.open(io)))
  await effects.step?.(`after ${name}`)
  return result
}

/** Of a step that went well. */
export const well = { code: null, message: null, request_id: null, failures: 0 }

/**
 * What follows a step. again: the next one; send: a batch, perhaps together with other shares; over: nothing,
 * the share has been released.
 */
export type Outcome = 'again' | 'send' | 'over'

/** The shared clock goes on during a call. */
export function clockFrom(now: Date): () => Date {
  const began = performance.now()
  return () => new Date(now.getTime() + performance.now() - began)
}

type Changes = ShareChanges & {
  next_at?: Date | null
  /** What has to be true at the same time. */
  also?: (trx: Trx, now: Date) => Promise<void>
}

/** Stores what has come of a step. Throws ClaimLost. */
export async function store(
  { db, claim, effects }: Omit<ShareWork, 'source'>,
  { id, state }: Pick<Share, 'id' | 'state'>,
  { also, ...changes }: Changes,
): Promise<void> {
  await effects.step?.('before store')
  const now = await effects.now()
  await inTransaction(db, async trx => {
    const held = { id, claim, state }
    if (!(await storeShare(trx, held, { ...changes, now, until: leaseFrom(now) }))) throw new ClaimLost()
    await also?.(trx, now)
  })
  await effects.step?.('after store')
}
