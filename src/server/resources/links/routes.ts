import { isMakerOrManager } from '#shared/access.ts'
import { CreateLink, Link, LinkList, LinkQuery, UpdateLink } from '#shared/api/links.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { changesLink } from '#shared/links/build-link.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { bulkRoute } from './bulk-route.ts'
import { checkRoute } from './check-route.ts'
import { linksCsv } from './csv.ts'
import { presentLink } from './present.ts'
import { presetsById } from './preset-queries.ts'
import { presetRoutes } from './preset-routes.ts'
import { deleteLink, insertLinks, listLinks, lockLink, updateLink, type LockedLink } from './queries.ts'
import { findOwners } from './relation-queries.ts'
import {
  composeLink,
  idsOf,
  linkTexts,
  mergeLink,
  prepareLink,
  problemsOfRelations,
  relatedIdsOf,
  type FieldProblems,
  type LinkChanges,
} from './rules.ts'
import { showLink } from './show-link.ts'

const PATH = '/api/ad/'

const list = route('GET', PATH, {
  summary: 'List the campaign links of your advertisers.',
  level: 'staff',
  query: LinkQuery,
  reply: LinkList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listLinks(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(row => presentLink(user, row)) })
  },
  csv: async ({ query, user, db }) => linksCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a campaign link.',
  level: 'staff',
  params: IdPath,
  reply: Link,
  run: async ({ params: { id }, user, db }) => showLink(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Make a campaign link; a preset gives what is left out.',
  level: 'staff',
  body: CreateLink,
  reply: Link,
  status: 201,
  async run({ body, user, db, now }) {
    const prepared = prepareLink(body, {
      owners: await findOwners(db, user, relatedIdsOf([body])),
      presets: await presetsById(db, idsOf([body.preset])),
    })
    if ('problems' in prepared) throw invalid(prepared.problems)
    const { link } = prepared
    const [id = 0] = await insertLinks(db, [link], { created_by: user.id, now })
    const detail = { name: link.name, changes: changedFields({}, link, linkTexts) }
    await note(db, { user, action: 'link.create', id, now, detail })
    return await showLink(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change a campaign link; what its preset says applies to the whole of it.',
  level: 'staff',
  params: IdPath,
  body: UpdateLink,
  reply: Link,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    const relations = await findOwners(db, user, relatedIdsOf([changes]))
    const problems = problemsOfRelations(before.advertiser, changes, relations)
    const made = changesLink(changes) ? await composeChanged(db, before, changes) : null
    if (made?.link === null || Object.keys(problems).length > 0)
      throw invalid({ ...made?.problems, ...problems })
    const after = made
      ? {
          ...changes,
          ...made.facts,
          link: made.link,
          landing_url: made.landing_url,
          ga4_channel: made.ga4_channel,
        }
      : changes
    const isAnother = made !== null && made.link !== before.link
    await updateLink(db, id, { ...after, ...(isAnother && { check: null }), now })
    const detail = { name: before.name, changes: changedFields(before, after, linkTexts) }
    await note(db, { user, action: 'link.change', id, now, detail })
    return await showLink(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a campaign link; its maker, or a manager.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { name } = await lockVersion(db, { id, version, user, isDeletion: true })
    await deleteLink(db, id)
    await note(db, { user, action: 'link.delete', id, now, detail: { name } })
  },
})

async function composeChanged(trx: Trx, before: LockedLink, changes: LinkChanges) {
  const presets = await presetsById(trx, idsOf([before.preset]))
  return composeLink(mergeLink(before, changes), presets.get(before.preset ?? 0) ?? null)
}

/** Refused when it is not the caller's, or has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user, isDeletion }: { id: number; version: number; user: SignedInUser; isDeletion?: true },
): Promise<LockedLink> {
  const row = await lockLink(trx, user, id)
  if (!row) throw refuse('not_found')
  if (isDeletion && !isMakerOrManager(user, row)) throw refuse('forbidden')
  if (row.version !== version) throw refuse('conflict', { extra: { link: await showLink(trx, user, id) } })
  return row
}

const invalid = (fields: FieldProblems) => refuse('invalid', { fields })

const note = (
  trx: Trx,
  { user, id, now, ...line }: { user: SignedInUser; action: string; id: number; now: Date; detail: object },
) =>
  writeAudit(
    trx,
    { actor: user.id, action: line.action, object: 'link', object_id: id, detail: { ...line.detail } },
    now,
  )

export const linksRoutes = [...presetRoutes, list, read, create, bulkRoute, update, remove, checkRoute]
