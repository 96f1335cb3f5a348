import type { z } from 'zod'
import type { Trx } from '#server/db/transaction.ts'
import {
  RelateAdAccounts,
  RelatedAdAccounts,
  RelatedGaViews,
  RelatedQuery,
  RelateGaViews,
} from '#shared/api/advertisers.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { refuse } from '#server/http/refusal.ts'
import { route, type Route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import type { RecheckShares } from '#server/resources/people/rules.ts'
import { accountsToRelate, ownersOf, relate, relatedAccounts } from './relation-queries.ts'
import { noteChange, usableAdvertiser } from './visible.ts'

/** The API's name for the accounts of a kind, and their channels. */
interface Relation<Body extends z.ZodType<{ advertiser: number }>, Reply extends z.ZodType> {
  path: string
  field: string
  channels: readonly Channel[]
  body: Body
  idsOf: (body: z.output<Body>) => readonly number[]
  reply: Reply
  responseOf: (advertiser: number, ids: number[]) => z.output<Reply>
  summaries: { read: string; relate: string; part: string }
}

const adAccounts: Relation<typeof RelateAdAccounts, typeof RelatedAdAccounts> = {
  path: '/api/advertiser/relate/ad-account/',
  field: 'ad_accounts',
  channels: ['fb', 'aw', 'yg', 'tt', 'ln'],
  body: RelateAdAccounts,
  idsOf: body => body.ad_accounts,
  reply: RelatedAdAccounts,
  responseOf: (advertiser, ids) => ({ advertiser, ad_accounts: ids }),
  summaries: {
    read: 'List the ad accounts of an advertiser.',
    relate: 'Assign ad accounts to an advertiser, removing them from any other.',
    part: 'Remove ad accounts from their advertiser. Reports that use them fail with account_access_lost.',
  },
}

const gaViews: Relation<typeof RelateGaViews, typeof RelatedGaViews> = {
  path: '/api/advertiser/relate/ga-view/',
  field: 'ga_views',
  channels: ['ga', 'ga4'],
  body: RelateGaViews,
  idsOf: body => body.ga_views,
  reply: RelatedGaViews,
  responseOf: (advertiser, ids) => ({ advertiser, ga_views: ids }),
  summaries: {
    read: 'List the analytics views and properties of an advertiser.',
    relate: 'Assign views and properties to an advertiser, removing them from any other.',
    part: 'Remove views and properties from their advertiser.',
  },
}

/**
 * The calls that read, create and end the relation between an advertiser and its accounts, once for each kind
 * of account.
 */
export const relationRoutes = (recheckShares: RecheckShares) => [
  ...routesOf(adAccounts, recheckShares),
  ...routesOf(gaViews, recheckShares),
]

function routesOf<Body extends z.ZodType<{ advertiser: number }>, Reply extends z.ZodType>(
  { path, body: bodySchema, idsOf, reply, responseOf, summaries, ...kind }: Relation<Body, Reply>,
  recheckShares: RecheckShares,
): Route[] {
  const change = (
    method: 'POST' | 'DELETE',
    summary: string,
    ownerAfter: (advertiser: number) => number | null,
  ) =>
    route(method, path, {
      summary,
      level: 'staff',
      body: bodySchema,
      reply,
      async run({ body, user, db, now }) {
        const { advertiser } = body
        const owner = ownerAfter(advertiser)
        const ownerChange = { ...kind, recheckShares, advertiser, ids: idsOf(body), owner, now }
        return responseOf(advertiser, await setOwner(db, user, ownerChange))
      },
    })
  const read = route('GET', path, {
    summary: summaries.read,
    level: 'staff',
    query: RelatedQuery,
    reply,
    async run({ query: { advertiser }, user, db }) {
      await usableAdvertiser(db, user, advertiser)
      return responseOf(advertiser, await relatedAccounts(db, advertiser, kind.channels))
    },
  })
  return [
    read,
    change('POST', summaries.relate, advertiser => advertiser),
    change('DELETE', summaries.part, () => null),
  ]
}

interface OwnerChange {
  field: string
  channels: readonly Channel[]
  /** The advertiser that gets or loses them. */
  advertiser: number
  owner: number | null
  ids: readonly number[]
  recheckShares: RecheckShares
  now: Date
}

/**
 * The caller must be able to use the advertiser, and each of the accounts: nobody takes over what they do not
 * see. Returns which are the advertiser's now.
 */
async function setOwner(
  trx: Trx,
  user: SignedInUser,
  { advertiser, owner, ids, field, channels, recheckShares, now }: OwnerChange,
) {
  const { name } = await usableAdvertiser(trx, user, advertiser)
  const known = await accountsToRelate(trx, user, { ids, channels })
  const related_before = await relatedAccounts(trx, advertiser, channels)
  const related = owner === null ? related_before : known
  if (ids.some(id => !known.includes(id) || !related.includes(id)))
    throw refuse('invalid', { fields: { [field]: ['field_not_available'] } })
  const owners = await ownersOf(trx, ids)
  await relate(trx, { ids, advertiser: owner }, now)
  if (owner !== null) await recheckShares(trx, { accounts: ids }, { editor: user, now })
  const before = { [field]: related_before }
  const after = await relatedAccounts(trx, advertiser, channels)
  const changes = changedFields(before, { [field]: after })
  await noteChange(trx, { user, action: 'advertiser.relate', id: advertiser, now, detail: { name, changes } })
  await writeAuditLines(
    trx,
    owners.map(account => ({
      actor: user.id,
      action: 'account.relate',
      object: 'account',
      object_id: account.id,
      detail: {
        name: account.name,
        changes: changedFields({ advertiser: account.advertiser }, { advertiser: owner }),
      },
    })),
    now,
  )
  return after
}
