import { advertiserScope } from '#shared/access.ts'
import {
  Advertiser,
  AdvertiserList,
  AdvertiserQuery,
  CreateAdvertiser,
  UpdateAdvertiser,
} from '#shared/api/advertisers.ts'
import { IdPath } from '#shared/api/list.ts'
import type { Db } from '#server/db/connect.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import type { RecheckShares } from '#server/resources/people/rules.ts'
import { relationRoutes } from './relation-routes.ts'
import { noteChange, visibleAdvertiser } from './visible.ts'
import {
  allMembers,
  areClientsOfOthers,
  arePeople,
  insertAdvertiser,
  isNameTaken,
  listAdvertisers,
  membersOf,
  replaceMembers,
  updateAdvertiser,
  type AdvertiserRow,
} from './queries.ts'

const PATH = '/api/advertiser/'

const list = route('GET', PATH, {
  summary: 'List the advertisers whose accounts you can use.',
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
  summary: 'Get an advertiser.',
  level: 'staff',
  params: IdPath,
  reply: Advertiser,
  run: async ({ params, user, db }) => show(db, user, params.id),
})

const create = route('POST', PATH, {
  summary: 'Create an advertiser. Accounts imported with an owner of this name are assigned to it.',
  level: 'staff',
  body: CreateAdvertiser,
  reply: Advertiser,
  status: 201,
  async run({ body: { name, members }, user, db, now }) {
    await refuseUnknownMembers(db, user, members)
    const id = await insertAdvertiser(db, name, now)
    if (id === null) throw nameTaken()
    const sees_all = advertiserScope[user.identity] === 'all'
    await replaceMembers(db, id, sees_all ? members : [...members, user.id])
    const added = await allMembers(db, id)
    const changes = changedFields({ members: [] }, { members: added })
    await noteChange(db, { user, action: 'advertiser.create', id, now, detail: { name, changes } })
    return await show(db, user, id)
  },
})

const update = (recheckShares: RecheckShares) =>
  route('PATCH', `${PATH}:id/`, {
    summary: 'Rename or deactivate an advertiser, or change its members.',
    level: 'staff',
    params: IdPath,
    body: UpdateAdvertiser,
    reply: Advertiser,
    async run({ params: { id }, body: { members, ...changes }, user, db, now }) {
      const { name, is_active } = await visibleAdvertiser(db, user, id)
      const before = { name, is_active, members: await allMembers(db, id) }
      if (changes.name !== undefined && (await isNameTaken(db, changes.name, id))) throw nameTaken()
      await updateAdvertiser(db, id, { ...changes, now })
      if (members) {
        await refuseUnknownMembers(db, user, members)
        await replaceMembers(db, id, members)
        const removed = before.members.filter(member => !members.includes(member))
        await recheckShares(db, { with: removed }, { editor: user, now })
      }
      const difference = changedFields(before, { ...changes, members: await allMembers(db, id) })
      await noteChange(db, {
        user,
        action: 'advertiser.change',
        id,
        now,
        detail: { name, changes: difference },
      })
      return await show(db, user, id)
    },
  })

async function show(db: Db, user: SignedInUser, id: number): Promise<Advertiser> {
  const row = await visibleAdvertiser(db, user, id)
  return present(row, (await membersOf(db, user, [id])).get(id))
}

/**
 * Members read what is an advertiser's, see each other, and prove spreadsheets for it. So nobody adds a
 * client of other advertisers: a client of none is new, one of theirs they know.
 */
async function refuseUnknownMembers(db: Db, user: SignedInUser, members: readonly number[]) {
  const are_known = await arePeople(db, user, members)
  if (!are_known || (await areClientsOfOthers(db, user, members)))
    throw refuse('invalid', { fields: { members: ['field_not_available'] } })
}

const nameTaken = () => refuse('invalid', { fields: { name: ['name_taken'] } })

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
  ...relationRoutes(recheckShares),
  read,
  create,
  update(recheckShares),
]
