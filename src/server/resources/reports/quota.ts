import type { ApiSettings } from '#server/http/effects.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { countCopies, countOwned, lockQuota } from './queries.ts'

/**
 * Throws when a person has as many reports as one person may have; locks their count. Deleted ones count
 * while they can be restored, so that restoring needs no check, and deleting and creating in turns does not
 * fill the database.
 */
export async function refuseTooManyReports(
  trx: Trx,
  owner: number,
  { quotas: { reports: limit } }: Pick<ApiSettings, 'quotas'>,
): Promise<void> {
  await lockQuota(trx, owner)
  if ((await countOwned(trx, owner, limit)) >= limit) throw tooManyReports(limit)
}

/** One other person may fill a tenth of a person's limit, so that nobody uses it up by sending copies. */
const OF_ONE_SENDER = 0.1

/**
 * Throws when one person has sent another as many copies as allowed; deleted ones count as they do
 * everywhere.
 */
export async function refuseTooManySent(
  trx: Trx,
  { to, by }: { to: number; by: number },
  { quotas: { reports: limit } }: Pick<ApiSettings, 'quotas'>,
): Promise<void> {
  const most = Math.max(1, Math.floor(limit * OF_ONE_SENDER))
  await lockQuota(trx, to)
  if ((await countCopies(trx, { owner: to, copied_by: by, most })) >= most)
    throw refuse('invalid', { fields: { to_user: ['too_many_reports'] } })
}

/** How many more a person may have. */
export async function roomForReports(
  trx: Trx,
  owner: number,
  { quotas: { reports: limit } }: Pick<ApiSettings, 'quotas'>,
): Promise<{ left: number; limit: number }> {
  await lockQuota(trx, owner)
  return { left: limit - (await countOwned(trx, owner, limit)), limit }
}

export const tooManyReports = (limit: number) =>
  refuse('too_many_reports', {
    extra: { limit },
    detail: `One person may have ${limit.toLocaleString('en')} reports; deleted ones count for 30 days.`,
  })
