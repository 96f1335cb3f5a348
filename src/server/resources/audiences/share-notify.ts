import type { ErrorCode } from '#shared/errors.ts'
import type { Trx } from '#server/db/transaction.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { advertisersOf, readPerson } from '#server/resources/people/queries.ts'
import { staffOf } from './share-relation-queries.ts'
import type { Share } from './share-queries.ts'

/** To the person who shared it, as long as they may use the advertiser, and to the staff who serve it. */
export async function noteStopped(
  trx: Trx,
  { share, code }: { share: Share; code: ErrorCode | null },
  at: Date,
): Promise<void> {
  const receivers = new Set(await staffOf(trx, share.advertiser))
  const maker = share.created_by === null ? null : await readPerson(trx, share.created_by)
  if (maker) {
    const advertisers = await advertisersOf(trx, maker)
    if (advertisers === 'all' || advertisers.includes(share.advertiser)) receivers.add(maker.id)
  }
  const detail = { audience: share.name, ad_account: share.account_name }
  await insertNotices(
    trx,
    [...receivers].map(person => ({ kind: 'audience_stopped' as const, user_id: person, code, detail })),
    at,
  )
}
