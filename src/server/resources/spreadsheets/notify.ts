import type { SpreadsheetScope } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { readPerson } from '#server/resources/people/queries.ts'
import { isInScope, ownersOfReportsIn, type Binding, type Proof } from './queries.ts'

/** The owner of a file in the trail. */
export const auditedScope = ({ advertiser, proven_by, department }: SpreadsheetScope) => ({
  advertiser,
  proven_by,
  department,
})

/**
 * Notifies both sides. The losing side reads the title that they knew, and nobody reads the other side's
 * names: one client learns of another only that it exists.
 */
export async function notifyOfTakeover(
  trx: Trx,
  { before, after, by_owner, now }: { before: Binding; after: Proof; by_owner: boolean; now: Date },
): Promise<void> {
  const { spreadsheet_id } = after
  const losing = await usersOf(trx, before, { but: after })
  const kind = by_owner ? 'spreadsheet_taken_over' : 'spreadsheet_passed_on'
  const notices = losing.map(
    user_id =>
      ({
        user_id,
        kind,
        detail: { spreadsheet: before.title ?? spreadsheet_id },
      }) as const,
  )
  const gain = {
    user_id: after.proven_by,
    kind: 'spreadsheet_gained',
    detail: { spreadsheet: after.title ?? spreadsheet_id },
  } as const
  await insertNotices(trx, [...notices, gain], now)
}

/** Notifies those who have proven it or write there that a superuser has released the proof. */
export async function notifyOfRelease(trx: Trx, before: Binding, now: Date): Promise<void> {
  const losing = await usersOf(trx, before, { but: null })
  const detail = { spreadsheet: before.title ?? before.spreadsheet_id }
  await insertNotices(
    trx,
    losing.map(user_id => ({ user_id, kind: 'spreadsheet_released' as const, detail })),
    now,
  )
}

/** The prover and those whose reports write there by that proof, except for those who still may. */
async function usersOf(
  trx: Trx,
  before: Binding,
  { but }: { but: SpreadsheetScope | null },
): Promise<number[]> {
  const owners = await ownersOfReportsIn(trx, before.spreadsheet_id)
  const candidates = new Set([...(before.proven_by === null ? [] : [before.proven_by]), ...owners])
  const losing: number[] = []
  for (const id of candidates) {
    const person = await readPerson(trx, id)
    if (!person) continue
    const could = id === before.proven_by || (await isInScope(trx, person, before))
    const still_may = but !== null && (await isInScope(trx, person, but))
    if (could && !still_may) losing.push(id)
  }
  return losing
}
