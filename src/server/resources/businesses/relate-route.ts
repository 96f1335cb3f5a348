import { BusinessAccount, RelateBusinessAccount } from '#shared/api/businesses.ts'
import { hasStopped } from '#shared/account-standing.ts'
import { IdPath } from '#shared/api/list.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { saveAccounts } from '#server/resources/ad-accounts/queries.ts'
import { findUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { relate } from '#server/resources/advertisers/relation-queries.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import { holdsGrant } from '#server/resources/people/business-queries.ts'
import type { RecheckShares } from '#server/resources/people/rules.ts'
import { presentAccount } from './present.ts'
import { findBusiness, findBusinessAccount, holdAdAccount, type BusinessAccountRow } from './queries.ts'
import { canRelate } from './rules.ts'

export const relateRoute = (recheckShares: RecheckShares) =>
  route('PATCH', '/api/fb-business/adaccount/:id/', {
    summary: 'Relate an ad account of a business manager to an advertiser, so that reports can use it.',
    level: 'manager',
    params: IdPath,
    body: RelateBusinessAccount,
    reply: BusinessAccount,
    async run({ params: { id }, body: { advertiser }, user, db, now }) {
      const account = await findBusinessAccount(db, user, id)
      if (!account) throw refuse('not_found')
      if (!canRelate(user, await holdsGrant(db, user, account.business))) throw refuse('forbidden')
      const held = await adAccountOf(db, user, { account, now })
      await refuseOthers(db, user, [held.advertiser, advertiser])
      await relate(db, { ids: [held.id], advertiser }, now)
      await recheckShares(db, { accounts: [held.id] }, { editor: user, now })
      await note(db, user, { account, held, advertiser, now })
      const related = await findBusinessAccount(db, user, id)
      if (!related) throw refuse('not_found')
      return presentAccount(related, user)
    },
  })

/** Neither to an advertiser whom the person does not serve, nor away from one. */
async function refuseOthers(trx: Trx, user: SignedInUser, advertisers: readonly (number | null)[]) {
  for (const id of advertisers)
    if (id !== null && !(await findUsableAdvertiser(trx, user, id)))
      throw refuse('invalid', { fields: { advertiser: ['field_not_available'] } })
}

/** Made where no import has found it, with the login that reads the business. */
async function adAccountOf(
  trx: Trx,
  user: SignedInUser,
  { account, now }: { account: BusinessAccountRow; now: Date },
): Promise<AdAccount> {
  const known = await holdAdAccount(trx, account.account)
  if (known) return known
  const business = await findBusiness(trx, user, account.business)
  const { account: external_id, name, currency, timezone, status } = account
  const made = {
    provider: 'meta' as const,
    external_id,
    name,
    currency,
    timezone,
    status: hasStopped(status) ? ('disabled' as const) : ('enabled' as const),
    owner_name: null,
    via: null,
    analytics: null,
  }
  await saveAccounts(trx, [made], { public_account: business?.login ?? null, now })
  const found = await holdAdAccount(trx, external_id)
  if (!found) throw refuse('not_found')
  return found
}

type AdAccount = NonNullable<Awaited<ReturnType<typeof holdAdAccount>>>

/** At the business, and at the account as everywhere else that relates one. */
async function note(
  trx: Trx,
  user: SignedInUser,
  change: { account: BusinessAccountRow; held: AdAccount; advertiser: number | null; now: Date },
) {
  const { account, held, advertiser, now } = change
  const changes = changedFields({ advertiser: held.advertiser }, { advertiser })
  const detail = { name: account.name, changes }
  await writeAuditLines(
    trx,
    [
      { action: 'business.change', object: 'business', object_id: account.business },
      { action: 'account.relate', object: 'account', object_id: held.id },
    ].map(line => ({ ...line, actor: user.id, detail })),
    now,
  )
}
