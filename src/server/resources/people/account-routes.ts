import type { Person } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import { Account, CreateUser, PasswordLink, UpdateAccount, UserList, UserQuery } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import type { Db } from '#server/db/connect.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { newLinkToken } from '#server/resources/session/passwords.ts'
import { insertLink, revokeAllOf } from '#server/resources/session/queries.ts'
import { peopleCsv } from './csv.ts'
import {
  areAdvertisers,
  findPerson,
  insertUser,
  listPeople,
  lockSuperusers,
  membershipsOf,
  replaceMemberships,
  updateAccount,
  type PersonRow,
} from './queries.ts'
import { asUser } from './routes.ts'
import type { RecheckShares } from './rules.ts'
import { visiblePerson } from './visible.ts'

const PATH = '/api/user/'

const list = route('GET', PATH, {
  summary: 'List user accounts; clients see those of their own advertisers.',
  level: 'external_user',
  query: UserQuery,
  reply: UserList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listPeople(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(row => asUser(user, row)) })
  },
  csv: async ({ query, user, db }) => peopleCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a user account.',
  level: 'external_user',
  params: IdPath,
  reply: Account,
  async run({ params, user, db }) {
    const person = await visiblePerson(db, user, params.id)
    return await asAccount(db, user, person)
  },
})

const create = route('POST', PATH, {
  summary: 'Create a user account. It has no password until its one-time link is used.',
  level: 'superuser',
  body: CreateUser,
  reply: Account,
  status: 201,
  async run({ body: { advertisers, ...facts }, user, db, now }) {
    await refuseUnknownAdvertisers(db, advertisers)
    const id = await insertUser(db, facts, now)
    await replaceMemberships(db, id, advertisers)
    const person = await visiblePerson(db, user, id)
    const line = { actor: user.id, action: 'user.create', object: 'user', object_id: id }
    const changes = changedFields({ advertisers: [] }, { ...facts, advertisers })
    await writeAudit(db, { ...line, detail: { name: nameOf(person), changes } }, now)
    return await asAccount(db, user, person)
  },
})

const update = (recheckShares: RecheckShares) =>
  route('PATCH', `${PATH}:id/`, {
    summary: 'Update a user account. Changing the role or closing the account ends its sessions.',
    level: 'superuser',
    params: IdPath,
    body: UpdateAccount,
    reply: Account,
    async run({ params: { id }, body: { advertisers, ...changes }, user, db, now }) {
      const before = await visiblePerson(db, user, id)
      const is_new_role = changes.identity !== undefined && changes.identity !== before.identity
      const is_closed = changes.is_active === 0 || [0, 2].includes(changes.employment_status ?? 1)
      // Nobody locks themselves out; so one superuser always is left.
      if (id === user.id && (is_new_role || is_closed)) throw refuse('forbidden')
      // Two who close each other at the same moment: the second is no superuser any more.
      if (
        before.identity === 'superuser' &&
        (is_new_role || is_closed) &&
        !(await lockSuperusers(db)).includes(user.id)
      )
        throw refuse('forbidden')
      const served = await membershipsOf(db, user, id)
      if (advertisers) {
        await refuseUnknownAdvertisers(db, advertisers)
        await replaceMemberships(db, id, advertisers)
      }
      await updateAccount(db, id, { ...changes, now })
      if (advertisers || changes.identity) await recheckShares(db, { with: [id] }, { editor: user, now })
      if (is_closed) await revokeAllOf(db, id, { because: 'closed', now })
      else if (is_new_role) await revokeAllOf(db, id, { because: 'role_changed', now })
      const requested = { ...changes, advertisers: advertisers?.toSorted((a, b) => a - b) }
      const detail = {
        name: nameOf(before),
        changes: changedFields({ ...before, advertisers: served }, requested),
        ...((is_closed || is_new_role) && { sessions_ended: is_closed ? 'closed' : 'role_changed' }),
      }
      await writeAudit(
        db,
        { actor: user.id, action: 'user.change', object: 'user', object_id: id, detail },
        now,
      )
      return await asAccount(db, user, (await findPerson(db, user, id)) ?? before)
    },
  })

const link = route('POST', `${PATH}:id/password-link/`, {
  summary: 'Create a one-time link to set a password, valid for 24 hours. Earlier links become invalid.',
  level: 'superuser',
  params: IdPath,
  reply: PasswordLink,
  status: 201,
  async run({ params: { id }, user, db, now, effects: { settings } }) {
    const person = await visiblePerson(db, user, id)
    const { token, token_hash } = newLinkToken()
    const expires_at = await insertLink(db, id, { token_hash, now })
    const line = { actor: user.id, action: 'user.password_link', object: 'user', object_id: id }
    await writeAudit(db, { ...line, detail: { name: nameOf(person) } }, now)
    return { url: `${settings.public_url}/set-password#token=${token}`, expires_at: expires_at.toISOString() }
  },
})

const asAccount = async (db: Db, viewer: Person, person: PersonRow) => ({
  ...asUser(viewer, person),
  advertisers: await membershipsOf(db, viewer, person.id),
})

async function refuseUnknownAdvertisers(db: Db, ids: readonly number[]) {
  if (!(await areAdvertisers(db, ids)))
    throw refuse('invalid', { fields: { advertisers: ['field_not_available'] } })
}

export const accountsRoutes = (recheckShares: RecheckShares) => [
  list,
  read,
  create,
  update(recheckShares),
  link,
]
