import { isMakerOrManager } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import {
  CreatePublisher,
  Publisher,
  PublisherList,
  PublisherQuery,
  UpdatePublisher,
} from '#shared/api/materials.ts'
import { OfVersion } from '#shared/api/money.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { presentMade } from '#server/made-row.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { publishersCsv } from './csv.ts'
import { importRoute, publisherTexts } from './import-route.ts'
import {
  countLinks,
  deletePublisher,
  findPublisher,
  insertPublisher,
  listPublishers,
  lockPublisher,
  updatePublisher,
} from './queries.ts'

const PATH = '/api/publisher/'

const list = route('GET', PATH, {
  summary: 'List the publishers that campaigns are booked with; they are the whole agency’s.',
  level: 'staff',
  query: PublisherQuery,
  reply: PublisherList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listPublishers(db, query)
    return pageOf(request.url, query, { count, results: rows.map(row => presentMade(row, user)) })
  },
  csv: async ({ query, db }) => publishersCsv(db, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a publisher.',
  level: 'staff',
  params: IdPath,
  reply: Publisher,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Create a publisher.',
  level: 'staff',
  body: CreatePublisher,
  reply: Publisher,
  status: 201,
  async run({ body, user, db, now }) {
    const id = await insertPublisher(db, { ...body, created_by: user.id, now })
    const detail = { name: body.name, changes: changedFields({}, body, publisherTexts) }
    await note(db, { user, action: 'publisher.create', id, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change a publisher.',
  level: 'staff',
  params: IdPath,
  body: UpdatePublisher,
  reply: Publisher,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    await updatePublisher(db, id, { ...changes, now })
    const detail = { name: before.name, changes: changedFields(before, changes, publisherTexts) }
    await note(db, { user, action: 'publisher.change', id, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a publisher that no link names; its maker, or a manager. 409 `in_use` says how many do.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { name, type, channel, website, created_by } = await lockVersion(db, { id, version, user })
    if (!isMakerOrManager(user, { created_by })) throw refuse('forbidden')
    const links = await countLinks(db, id)
    if (links > 0) throw refuse('in_use', { extra: { by: { links } } })
    await deletePublisher(db, id)
    const gone = { name: null, type: null, channel: null, website: null }
    const detail = { name, changes: changedFields({ name, type, channel, website }, gone, publisherTexts) }
    await note(db, { user, action: 'publisher.delete', id, now, detail })
  },
})

/** Refused when it has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user }: { id: number; version: number; user: SignedInUser },
) {
  const row = await lockPublisher(trx, id)
  if (!row) throw refuse('not_found')
  if (row.version !== version) throw refuse('conflict', { extra: { publisher: await show(trx, user, id) } })
  return row
}

async function show(db: Db, user: SignedInUser, id: number): Promise<Publisher> {
  const row = await findPublisher(db, id)
  if (!row) throw refuse('not_found')
  return presentMade(row, user)
}

const note = (
  trx: Trx,
  { user, id, now, ...line }: { user: SignedInUser; action: string; id: number; now: Date; detail: object },
) =>
  writeAudit(
    trx,
    { actor: user.id, action: line.action, object: 'publisher', object_id: id, detail: { ...line.detail } },
    now,
  )

export const publishersRoutes = [list, read, create, update, remove, importRoute]
