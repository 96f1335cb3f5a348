import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { holdOpen } from '#server/resources/insight-settings/month-queries.ts'

/** Refuses to change what a locked month has frozen; the months stay open until the transaction ends. */
export async function requireOpen(trx: Trx, months: readonly string[]): Promise<void> {
  const locked = await holdOpen(trx, months)
  if (locked.length > 0) throw refuse('month_locked', { extra: { months: locked } })
}
