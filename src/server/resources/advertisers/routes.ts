import type { Transaction } from 'kysely'
import { z } from 'zod'
import { advertiserScope } from '#shared/access.ts'
import {
  Advertiser,
  AdvertiserList,
  AdvertiserQuery,
  CreateAdvertiser,
  RelateAdAccounts,
  RelatedAdAccounts,
  RelatedGaViews,
  RelatedQuery,
  RelateGaViews,
  UpdateAdvertiser,
} from '#shared/api/advertisers.ts'
import { IdText } from '#shared/api/list.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit, writeAuditLines } from '#server/resources/audit/queries.ts'
import type { RecheckShares } from '#server/resources/people/rules.ts'
import {
  accountsToRelate,
  allMembers,
  areClientsOfOthers,
  arePeople,
  findAdvertiser,
  insertAdvertiser,
  isNameTaken,
  listAdvertisers,
  membersOf,
  ownersOf,
  relate,
  relatedAccounts,
  replaceMembers,
  updateAdvertiser,
  type AdvertiserRow,
} from './queries.ts'

type Trx = Transaction<Database>

const PATH = '/api/advertiser/'
const OnePath = z.object({ id: IdText })

const list = route('GET', PATH, {
  summary: 'The advertisers whose accounts I may use.',
  level: 'staff',
  query: AdvertiserQuery,
  reply: AdvertiserList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listAdvertisers(db, user, query)
    const members = await membersOf(
      db,
      user,
      rows.map(row => row.id),
    )
    const results = rows.map(row => present(row, members.get(row.id)))
    return pageOf(request.url, query, { count, results })
  },
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'An advertiser.',
  level: 'staff',
  params: OnePath,
  reply: Advertiser,
  run: async ({ params, user, db }) => show(db, user, params.id),
})

const create = route('POST', PATH, {
  summary: 'Take on an advertiser. Accounts that are imported with an owner of this name become its own.',
  level: 'staff',
  body: CreateAdvertiser,
  reply: Advertiser,
  status: 201,
  async run({ body: { name, members }, user, db, now }) {
    await refuseStrangers(db, user, members)
    const id = await insertAdvertiser(db, name, now)
    if (id === null) throw nameTaken()
    const sees_all = advertiserScope[user.identity] === 'all'
    await replaceMembers(db, id, sees_all ? members : [...members, user.id])
    const added = await allMembers(db, id)
    const changes = changedFields({ members: [] }, { members: added })
    await note(db, { user, action: 'advertiser.create', id, now, detail: { name, changes } })
    return await show(db, user, id)
  },
})

const update = (recheckShares: RecheckShares) =>
  route('PATCH', `${PATH}:id/`, {
    summary: 'Rename an advertiser, put it to rest, or say who serves it and who belongs to it.',
    level: 'staff',
    params: OnePath,
    body: UpdateAdvertiser,
    reply: Advertiser,
    async run({ params: { id }, body: { members, ...changes }, user, db, now }) {
      const { name, is_active } = await find(db, user, id)
      const before = { name, is_active, members: await allMembers(db, id) }
      if (changes.name !== undefined && (await isNameTaken(db, changes.name, id))) throw nameTaken()
      await updateAdvertiser(db, id, changes, now)
      if (members) {
        await refuseStrangers(db, user, members)
        await replaceMembers(db, id, members)
        const gone = before.members.filter(member => !members.includes(member))
        await recheckShares(db, { with: gone }, { editor: user, now })
      }
      const difference = changedFields(before, { ...changes, members: await allMembers(db, id) })
      await note(db, { user, action: 'advertiser.change', id, now, detail: { name, changes: difference } })
      return await show(db, user, id)
    },
  })

/**
 * Each kind by a call of its own: what callers name it, and the channels that its accounts are kept under.
 */
interface Kind {
  field: string
  channels: readonly Channel[]
}
const adAccounts: Kind = { field: 'ad_accounts', channels: ['fb', 'aw', 'yg', 'tt', 'ln'] }
const gaViews: Kind = { field: 'ga_views', channels: ['ga', 'ga4'] }

const AD_ACCOUNTS = `${PATH}relate/ad-account/`
const GA_VIEWS = `${PATH}relate/ga-view/`

const readAdAccounts = route('GET', AD_ACCOUNTS, {
  summary: 'Which ad accounts are an advertiser’s.',
  level: 'staff',
  query: RelatedQuery,
  reply: RelatedAdAccounts,
  async run({ query: { advertiser }, user, db }) {
    await find(db, user, advertiser)
    return { advertiser, ad_accounts: await relatedAccounts(db, advertiser, adAccounts.channels) }
  },
})

const relateAdAccounts = (recheckShares: RecheckShares) =>
  route('POST', AD_ACCOUNTS, {
    summary: 'Make ad accounts an advertiser’s; whoever’s they were before loses them.',
    level: 'staff',
    body: RelateAdAccounts,
    reply: RelatedAdAccounts,
    async run({ body: { advertiser, ad_accounts }, user, db, now }) {
      return {
        advertiser,
        ad_accounts: await setOwner(db, user, {
          ...adAccounts,
          recheckShares,
          advertiser,
          ids: ad_accounts,
          owner: advertiser,
          now,
        }),
      }
    },
  })

const partAdAccounts = (recheckShares: RecheckShares) =>
  route('DELETE', AD_ACCOUNTS, {
    summary: 'Make ad accounts nobody’s; reports that use them end with account_access_lost.',
    level: 'staff',
    body: RelateAdAccounts,
    reply: RelatedAdAccounts,
    async run({ body: { advertiser, ad_accounts }, user, db, now }) {
      return {
        advertiser,
        ad_accounts: await setOwner(db, user, {
          ...adAccounts,
          recheckShares,
          advertiser,
          ids: ad_accounts,
          owner: null,
          now,
        }),
      }
    },
  })

const readViews = route('GET', GA_VIEWS, {
  summary: 'Which views and properties of analytics are an advertiser’s.',
  level: 'staff',
  query: RelatedQuery,
  reply: RelatedGaViews,
  async run({ query: { advertiser }, user, db }) {
    await find(db, user, advertiser)
    return { advertiser, ga_views: await relatedAccounts(db, advertiser, gaViews.channels) }
  },
})

const relateViews = (recheckShares: RecheckShares) =>
  route('POST', GA_VIEWS, {
    summary: 'Make views and properties an advertiser’s; whoever’s they were before loses them.',
    level: 'staff',
    body: RelateGaViews,
    reply: RelatedGaViews,
    async run({ body: { advertiser, ga_views }, user, db, now }) {
      return {
        advertiser,
        ga_views: await setOwner(db, user, {
          ...gaViews,
          recheckShares,
          advertiser,
          ids: ga_views,
          owner: advertiser,
          now,
        }),
      }
    },
  })

const partViews = (recheckShares: RecheckShares) =>
  route('DELETE', GA_VIEWS, {
    summary: 'Make views and properties nobody’s.',
    level: 'staff',
    body: RelateGaViews,
    reply: RelatedGaViews,
    async run({ body: { advertiser, ga_views }, user, db, now }) {
      return {
        advertiser,
        ga_views: await setOwner(db, user, {
          ...gaViews,
          recheckShares,
          advertiser,
          ids: ga_views,
          owner: null,
          now,
        }),
      }
    },
  })

interface OwnerChange extends Kind {
  /** Of which they become, or cease to be. */
  advertiser: number
  owner: number | null
  ids: readonly number[]
  recheckShares: RecheckShares
  now: Date
}

/**
 * One must be able to use the advertiser, and each of the accounts: nobody takes over what they do not see.
 * Answers which are the advertiser's now.
 */
async function setOwner(
  trx: Trx,
  user: SignedInUser,
  { advertiser, owner, ids, field, channels, recheckShares, now }: OwnerChange,
) {
  const { name } = await find(trx, user, advertiser)
  const known = await accountsToRelate(trx, user, { ids, channels })
  const related_before = await relatedAccounts(trx, advertiser, channels)
  const related = owner === null ? related_before : known
  if (ids.some(id => !known.includes(id) || !related.includes(id)))
    throw refuse('invalid', { fields: { [field]: ['field_not_available'] } })
  const owners = await ownersOf(trx, ids)
  await relate(trx, { ids, advertiser: owner }, now)
  if (owner !== null) await recheckShares(trx, { asking: ids }, { editor: user, now })
  const before = { [field]: related_before }
  const after = await relatedAccounts(trx, advertiser, channels)
  const changes = changedFields(before, { [field]: after })
  await note(trx, { user, action: 'advertiser.relate', id: advertiser, now, detail: { name, changes } })
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

async function show(db: Db, user: SignedInUser, id: number): Promise<Advertiser> {
  const row = await find(db, user, id)
  return present(row, (await membersOf(db, user, [id])).get(id))
}

async function find(db: Db, user: SignedInUser, id: number): Promise<AdvertiserRow> {
  const row = await findAdvertiser(db, user, id)
  if (!row) throw refuse('not_found')
  return row
}

/**
 * Members read what is an advertiser's, know each other, and prove spreadsheets for it. So nobody brings in a
 * client of others: one of none is new, one of theirs they know.
 */
async function refuseStrangers(db: Db, user: SignedInUser, members: readonly number[]) {
  const are_known = await arePeople(db, user, members)
  if (!are_known || (await areClientsOfOthers(db, user, members)))
    throw refuse('invalid', { fields: { members: ['field_not_available'] } })
}

const nameTaken = () => refuse('invalid', { fields: { name: ['name_taken'] } })

const note = (
  trx: Trx,
  {
    user,
    action,
    id,
    now,
    detail,
  }: { user: SignedInUser; action: string; id: number; now: Date; detail?: Record<string, unknown> },
) =>
  writeAudit(
    trx,
    { actor: user.id, action, object: 'advertiser', object_id: id, ...(detail && { detail }) },
    now,
  )

const present = (
  { id, name, is_active, created_at, last_modified_at }: AdvertiserRow,
  members: readonly number[] = [],
): Advertiser => ({
  id,
  name,
  is_active,
  members: [...members],
  created_at: created_at.toISOString(),
  last_modified_at: last_modified_at.toISOString(),
})

export const advertisersRoutes = (recheckShares: RecheckShares) => [
  list,
  readAdAccounts,
  readViews,
  read,
  create,
  update(recheckShares),
  relateAdAccounts(recheckShares),
  partAdAccounts(recheckShares),
  relateViews(recheckShares),
  partViews(recheckShares),
]
