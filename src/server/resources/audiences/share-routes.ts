import { isMakerOrManager } from '#shared/access.ts'
import { z } from 'zod'
import { accessResults } from '#shared/audiences.ts'
import {
  CheckQuery,
  CheckReply,
  ShareAudience,
  ShareAudienceReply,
  ShareReply,
  UpdateShare,
} from '#shared/api/audiences.ts'
import { isErrorCode } from '#shared/errors.ts'
import { IdText } from '#shared/api/list.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { lockAudience, findAudience } from './queries.ts'
import { noteAudience, requirePlan } from './rights.ts'
import { shareWithAccounts } from './share-audience.ts'
import {
  endShare,
  followUploads,
  homesOf,
  lockShare,
  retryShare,
  type ShareRow,
} from './share-change-queries.ts'
import { isSeedIn, recipientsOf } from './share-relation-queries.ts'
import { againOf, modeOf, retryOf, whyNotShare } from './share-rules.ts'

const SHARE = '/api/lta/:id/shares/:share/'
const SharePath = z.object({ id: IdText, share: IdText })

const check = route('GET', '/api/lta/check-ad-account-permission/', {
  summary:
    'Check whether audiences can be brought to an ad account, and how; what the platform says is kept for ten minutes, unless it is asked again.',
  level: 'external_user',
  kind: 'search',
  transaction: 'own',
  query: CheckQuery,
  reply: CheckReply,
  async run({ query, user, db, now, effects: { audiences } }) {
    const advertisers = await advertisersOf(db, user)
    const [account] = await usableAccounts(db, { advertisers }, [query.ad_account])
    const audience = query.audience === undefined ? null : await findAudience(db, user, query.audience)
    if (!account || (query.audience !== undefined && !audience)) throw refuse('not_found')
    const { result, business, fix_url } = await audiences.access(account, {
      now,
      again: query.again !== undefined,
    })
    const known = accessResults.find(each => each === result)
    // The platform has not said anything.
    if (!known) throw refuse(isErrorCode(result) ? result : 'platform_error')
    const homes = audience ? await homesOf(db, { audience: audience.id, provider: account.provider }) : []
    const others = homes.filter(({ ad_account: of }) => of !== account.id)
    return { result: known, mode: known === 'ok' ? modeOf(business, others).mode : null, fix_url }
  },
})

const share = route('POST', '/api/lta/share-custom-audience/', {
  summary:
    'Bring an audience to ad accounts of its advertiser, up to 50 at a time; what the check says of each account is its result.',
  level: 'external_user',
  transaction: 'own',
  body: ShareAudience,
  reply: ShareAudienceReply,
  status: 202,
  run: async ({ body, user, db, now, effects: { audiences } }) => ({
    shares: await shareWithAccounts(db, { ...body, user, now }, audiences),
  }),
})

const retry = route('POST', `${SHARE}retry/`, {
  summary: 'Let a share go on that has failed or been stopped, with the first batch that was not taken.',
  level: 'external_user',
  params: SharePath,
  reply: ShareReply,
  status: 202,
  async run({ params, user, db, now }) {
    const { audience, row } = await holdShareOf(db, user, params)
    if (againOf(row.state) !== 'retry') throw refuse('action_not_allowed')
    const refusal = whyNotShare(audience)
    const next = retryOf({ ...row, kind: audience.kind })
    // What has been sent lives on without our copy.
    if (refusal !== null && !(refusal === 'members_expired' && next.state === 'matching'))
      throw refuse(refusal)
    await retryShare(db, row.id, { ...next, now })
    const detail = { name: audience.name, share: row.id, ad_accounts: [row.ad_account], retry: true }
    await noteAudience(db, { action: 'audience.share', id: audience.id, user, now, detail })
    return { share: row.id, state: next.state }
  },
})

const update = route('PATCH', SHARE, {
  summary: 'Choose whether later uploads follow by themselves.',
  level: 'external_user',
  params: SharePath,
  body: UpdateShare,
  reply: ShareReply,
  async run({ params, body: { auto_sync: follows }, user, db, now }) {
    const { audience, row } = await holdShareOf(db, user, params)
    await followUploads(db, row.id, { follows, now })
    const changes = { auto_sync: { from: row.auto_sync, to: follows } }
    const detail = { name: audience.name, share: row.id, changes }
    await noteAudience(db, { action: 'audience.change', id: audience.id, user, now, detail })
    return { share: row.id, state: row.state }
  },
})

const unshare = route('DELETE', SHARE, {
  summary:
    'Take an audience away from an ad account: it is deleted there, and ads that use it stop. Its maker, or a manager.',
  level: 'external_user',
  params: SharePath,
  reply: ShareReply,
  status: 202,
  async run({ params, user, db, now }) {
    const { audience, row } = await holdShareOf(db, user, params)
    if (!isMakerOrManager(user, row)) throw refuse('forbidden')
    if (row.state === 'removing' || row.state === 'removed') return { share: row.id, state: row.state }
    const { live } = await recipientsOf(db, row.id)
    if (live > 0) throw refuse('in_use', { extra: { by: { shares: live } } })
    if (await isSeedIn(db, row)) throw refuse('has_lookalikes')
    await endShare(db, row.id, now)
    const detail = { name: audience.name, share: row.id, ad_accounts: [row.ad_account] }
    await noteAudience(db, { action: 'audience.unshare', id: audience.id, user, now, detail })
    return { share: row.id, state: 'removing' as const }
  },
})

/** For a change: refused when not the caller's. The audience is held too: shares come and go in turn. */
async function holdShareOf(
  trx: Trx,
  user: SignedInUser,
  { id, share: of }: { id: number; share: number },
): Promise<{ audience: NonNullable<Awaited<ReturnType<typeof lockAudience>>>; row: ShareRow }> {
  const audience = await lockAudience(trx, user, id)
  const row = audience && (await lockShare(trx, { audience: id, share: of }))
  if (!audience || !row) throw refuse('not_found')
  await requirePlan(trx, user)
  return { audience, row }
}

export const shareRoutes = [check, share, retry, update, unshare]
