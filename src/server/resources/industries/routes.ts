import {
  CreateIndustry,
  Industry,
  IndustryList,
  IndustryQuery,
  MergeIndustry,
  UpdateIndustry,
} from '#shared/api/customers.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { industriesCsv } from './csv.ts'
import { importRoute } from './import-route.ts'
import {
  countAdvertisersIn,
  deleteIndustry,
  findIndustry,
  insertIndustry,
  listIndustries,
  lockIndustries,
  moveAdvertisers,
  updateIndustry,
  type IndustryRow,
} from './queries.ts'

const PATH = '/api/industry/'

const list = route('GET', PATH, {
  summary: 'List the industries, with how many of your advertisers are in each.',
  level: 'staff',
  query: IndustryQuery,
  reply: IndustryList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listIndustries(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(present) })
  },
  csv: async ({ query, user, db }) => industriesCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get an industry.',
  level: 'staff',
  params: IdPath,
  reply: Industry,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Create an industry.',
  level: 'staff',
  body: CreateIndustry,
  reply: Industry,
  status: 201,
  async run({ body, user, db, now }) {
    const id = await insertIndustry(db, body, now)
    const detail = { name: body.name, changes: changedFields({}, body) }
    await note(db, { user, action: 'industry.create', id, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Rename an industry.',
  level: 'staff',
  params: IdPath,
  body: UpdateIndustry,
  reply: Industry,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const [before] = await lockVersion(db, { id, version, user })
    await updateIndustry(db, id, { ...changes, now })
    const detail = { name: before.name, changes: changedFields(before, changes) }
    await note(db, { user, action: 'industry.change', id, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete an industry without advertisers; 409 `in_use` says how many it has.',
  level: 'manager_or_finance',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const [{ name, name_zh }] = await lockVersion(db, { id, version, user })
    const advertisers = await countAdvertisersIn(db, id)
    if (advertisers > 0) throw refuse('in_use', { extra: { by: { advertisers } } })
    await deleteIndustry(db, id)
    const changes = changedFields({ name, name_zh }, { name: null, name_zh: null })
    await note(db, { user, action: 'industry.delete', id, now, detail: { name, changes } })
  },
})

const merge = route('POST', `${PATH}:id/merge/`, {
  summary: 'Move the advertisers of an industry into another one, and delete it.',
  level: 'manager_or_finance',
  params: IdPath,
  body: MergeIndustry,
  reply: Industry,
  async run({ params: { id }, body: { version, into }, user, db, now }) {
    const [merged, others] = await lockVersion(db, { id, version, user, beside: [into] })
    const target = others.find(other => other.id === into)
    if (!target) throw refuse('invalid', { fields: { into: ['field_not_available'] } })
    const advertisers = await moveAdvertisers(db, { from: id, into }, now)
    await deleteIndustry(db, id)
    const changes = changedFields({ into: null }, { into: target.name })
    const detail = { name: merged.name, advertisers, changes }
    await note(db, { user, action: 'industry.merge', id, now, detail })
    return await show(db, user, into)
  },
})

/** The industry and those beside it; refused when it has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user, beside = [] }: { id: number; version: number; user: SignedInUser; beside?: number[] },
) {
  const rows = await lockIndustries(trx, [id, ...beside])
  const row = rows.find(each => each.id === id)
  if (!row) throw refuse('not_found')
  if (row.version !== version) throw refuse('conflict', { extra: { industry: await show(trx, user, id) } })
  return [row, rows.filter(each => each !== row)] as const
}

async function show(db: Db, user: SignedInUser, id: number): Promise<Industry> {
  const row = await findIndustry(db, user, id)
  if (!row) throw refuse('not_found')
  return present(row)
}

const present = ({ created_at, last_modified_at, ...row }: IndustryRow): Industry => ({
  ...row,
  created_at: created_at.toISOString(),
  last_modified_at: last_modified_at.toISOString(),
})

const note = (
  trx: Trx,
  { user, id, now, ...line }: { user: SignedInUser; action: string; id: number; now: Date; detail: object },
) =>
  writeAudit(
    trx,
    { actor: user.id, action: line.action, object: 'industry', object_id: id, detail: { ...line.detail } },
    now,
  )

export const industriesRoutes = [list, read, create, update, remove, merge, importRoute]
