import type { Person } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import { Account, CreateUser, PasswordLink, UpdateAccount, UserList, UserQuery } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse, type RefusalFacts } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { newLinkToken } from '#server/resources/session/passwords.ts'
import { insertLink, revokeAllOf } from '#server/resources/session/queries.ts'
import { peopleCsv } from './csv.ts'
import {
  areAdvertisers,
  countReportsOf,
  deleteCredentials,
  findPerson,
  insertUser,
  listPeople,
  lockSuperusers,
  membershipsOf,
  replaceMemberships,
  updateAccount,
  type PersonRow,
} from './queries.ts'
import { acceptedContacts, asUser } from './routes.ts'
import {
  blankPerson,
  DELETED,
  settleChange,
  whyNotChange,
  whyNotCreate,
  type RecheckShares,
} from './rules.ts'
import { visiblePerson } from './visible.ts'

const PATH = '/api/user/'

const list = route('GET', PATH, {
  summary: 'List user accounts; clients see those of their own advertisers.',
  level: 'external_user',
  query: UserQuery,
  reply: UserList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listPeople(db, user, query)
    const withReports = await reportsOf(db, user, rows)
    const results = rows.map(row => ({ ...asUser(user, row), ...withReports(row) }))
    return pageOf(request.url, query, { count, results })
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
  async run({ body, user, db, now }) {
    refuseProblems(whyNotCreate(body))
    const { advertisers, ...entered } = body
    const facts = { ...entered, ...acceptedContacts(entered.contacts, []) }
    await refuseUnknownAdvertisers(db, advertisers)
    const id = await insertUser(db, facts, now)
    await replaceMemberships(db, id, advertisers)
    const person = await visiblePerson(db, user, id)
    const line = { actor: user.id, action: 'user.create', object: 'user', object_id: id }
    const nothing = { position: '', contacts: [], company_extension: '', advertisers: [] }
    const changes = changedFields(nothing, { ...facts, advertisers })
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
    async run({ params: { id }, body, user, db, now }) {
      const before = await visiblePerson(db, user, id)
      refuseProblems(whyNotChange(before, body))
      const { advertisers, ...changes } = settleChange(before, body)
      const accepted = {
        ...changes,
        ...(changes.contacts && acceptedContacts(changes.contacts, before.contacts)),
      }
      const isNewRole = changes.identity !== undefined && changes.identity !== before.identity
      const isClosed = changes.is_active === 0
      if (isNewRole || isClosed) await refuseLastSuperuser(db, user, before)
      const served = await membershipsOf(db, user, id)
      if (advertisers) {
        await refuseUnknownAdvertisers(db, advertisers)
        await replaceMemberships(db, id, advertisers)
      }
      // Of two at the same moment, the second was decided for somebody who is no longer employed that way.
      if (!(await updateAccount(db, before, { ...accepted, now }))) throw refuse('conflict')
      const isDeleted = changes.employment_status === DELETED && before.employment_status !== DELETED
      if (isDeleted) await deletePerson(db, id, now)
      if (advertisers || changes.identity || isDeleted)
        await recheckShares(db, { with: [id] }, { editor: user, now })
      if (isClosed) await revokeAllOf(db, id, { because: 'closed', now })
      else if (isNewRole) await revokeAllOf(db, id, { because: 'role_changed', now })
      const requested = { ...accepted, advertisers: advertisers?.toSorted((a, b) => a - b) }
      const detail = {
        name: nameOf(before),
        changes: changedFields({ ...before, advertisers: served }, requested),
        ...((isClosed || isNewRole) && { sessions_ended: isClosed ? 'closed' : 'role_changed' }),
      }
      await writeAudit(
        db,
        { actor: user.id, action: 'user.change', object: 'user', object_id: id, detail },
        now,
      )
      return await asAccount(db, user, (await findPerson(db, user, id)) ?? before)
    },
  })

/**
 * Nobody closes or demotes themselves, and one superuser is always left: of two who close each other at the
 * same moment, the second is none any more.
 */
async function refuseLastSuperuser(trx: Trx, user: Person, { id, identity }: PersonRow) {
  if (identity === 'superuser') {
    const superusers = await lockSuperusers(trx)
    if (superusers.length === 1 && superusers[0] === id) throw refuse('last_superuser')
    if (!superusers.includes(user.id)) throw refuse('forbidden')
  }
  if (id === user.id) throw refuse('forbidden')
}

/** Their id stays, and with it what the trail says of them. */
async function deletePerson(trx: Trx, id: number, now: Date) {
  await replaceMemberships(trx, id, [])
  await updateAccount(trx, { id, employment_status: DELETED }, { ...blankPerson(id), now })
  await deleteCredentials(trx, id)
}

const link = route('POST', `${PATH}:id/password-link/`, {
  summary: 'Create a one-time link to set a password, valid for 24 hours. Earlier links become invalid.',
  level: 'superuser',
  params: IdPath,
  reply: PasswordLink,
  status: 201,
  async run({ params: { id }, user, db, now, effects: { settings } }) {
    const person = await visiblePerson(db, user, id)
    if (person.employment_status === DELETED) throw refuse('not_found')
    const { token, token_hash } = newLinkToken()
    const expires_at = await insertLink(db, id, { token_hash, now })
    const line = { actor: user.id, action: 'user.password_link', object: 'user', object_id: id }
    await writeAudit(db, { ...line, detail: { name: nameOf(person) } }, now)
    return { url: `${settings.public_url}/set-password#token=${token}`, expires_at: expires_at.toISOString() }
  },
})

async function asAccount(db: Db, viewer: Person, person: PersonRow): Promise<Account> {
  const withReports = await reportsOf(db, viewer, [person])
  return {
    ...asUser(viewer, person),
    ...withReports(person),
    advertisers: await membershipsOf(db, viewer, person.id),
  }
}

/** How many reports each of them owns, for superusers, who can transfer them. */
async function reportsOf(db: Db, viewer: Person, people: readonly PersonRow[]) {
  if (viewer.identity !== 'superuser') return () => ({})
  const counts = await countReportsOf(
    db,
    people.map(({ id }) => id),
  )
  return ({ id }: PersonRow) => ({ reports: counts.get(id) ?? 0 })
}

function refuseProblems(fields: NonNullable<RefusalFacts['fields']>) {
  if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
}

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
