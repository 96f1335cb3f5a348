import { isMakerOrManager } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import { CreateSite, Site, SiteList, SiteQuery, UpdateSite } from '#shared/api/materials.ts'
import { OfVersion } from '#shared/api/money.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { presentMade } from '#server/made-row.ts'
import { holdUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { sitesCsv } from './csv.ts'
import { hasMetaPixel, importRoute, inTheTrail, siteTexts } from './import-route.ts'
import { countUses, deleteSite, findSite, insertSite, listSites, lockSite, updateSite } from './queries.ts'

const PATH = '/api/site/'

const list = route('GET', PATH, {
  summary: 'List the sites of your advertisers, with their pixels.',
  level: 'staff',
  query: SiteQuery,
  reply: SiteList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listSites(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(row => presentMade(row, user)) })
  },
  csv: async ({ query, user, db }) => sitesCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a site.',
  level: 'staff',
  params: IdPath,
  reply: Site,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Create a site of an advertiser; its address is stored in its normal form.',
  level: 'staff',
  body: CreateSite,
  reply: Site,
  status: 201,
  async run({ body, user, db, now }) {
    if (!(await holdUsableAdvertiser(db, user, body.advertiser)))
      throw refuse('invalid', { fields: { advertiser: ['field_not_available'] } })
    const id = await insertSite(db, { ...body, created_by: user.id, now })
    const detail = { name: body.name, changes: changedFields({}, inTheTrail(body), siteTexts) }
    await note(db, { user, action: 'site.create', id, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary:
    'Change or deactivate a site. 409 `in_use` when audiences need the Meta pixel that would go; it may be replaced.',
  level: 'staff',
  params: IdPath,
  body: UpdateSite,
  reply: Site,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    if (changes.pixels && hasMetaPixel(before) && !hasMetaPixel({ pixels: changes.pixels })) {
      const { audiences } = await usesOf(db, id)
      if (audiences > 0) throw refuse('in_use', { extra: { by: { audiences } } })
    }
    await updateSite(db, id, { ...changes, now })
    const detail = {
      name: before.name,
      changes: changedFields(inTheTrail(before), inTheTrail(changes), siteTexts),
    }
    await note(db, { user, action: 'site.change', id, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a site to which nothing points; its maker, or a manager. 409 `in_use` says what does.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { name, url, advertiser, platform, pixels, created_by } = await lockVersion(db, {
      id,
      version,
      user,
    })
    if (!isMakerOrManager(user, { created_by })) throw refuse('forbidden')
    const by = Object.fromEntries(Object.entries(await usesOf(db, id)).filter(([, count]) => count > 0))
    if (Object.keys(by).length > 0) throw refuse('in_use', { extra: { by } })
    await deleteSite(db, id)
    const gone = { name: null, url: null, advertiser: null, platform: null, pixels: [] }
    const before = inTheTrail({ name, url, advertiser, platform, pixels })
    const detail = { name, changes: changedFields(before, gone, siteTexts) }
    await note(db, { user, action: 'site.delete', id, now, detail })
  },
})

async function usesOf(trx: Trx, id: number): Promise<{ audiences: number; links: number }> {
  const [{ audiences, links } = { audiences: 0, links: 0 }] = await countUses(trx, [id])
  return { audiences, links }
}

/** Refused when it is not the caller's, or has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user }: { id: number; version: number; user: SignedInUser },
) {
  const row = await lockSite(trx, user, id)
  if (!row) throw refuse('not_found')
  if (row.version !== version) throw refuse('conflict', { extra: { site: await show(trx, user, id) } })
  return row
}

async function show(db: Db, user: SignedInUser, id: number): Promise<Site> {
  const row = await findSite(db, user, id)
  if (!row) throw refuse('not_found')
  return presentMade(row, user)
}

const note = (
  trx: Trx,
  { user, id, now, ...line }: { user: SignedInUser; action: string; id: number; now: Date; detail: object },
) =>
  writeAudit(
    trx,
    { actor: user.id, action: line.action, object: 'site', object_id: id, detail: { ...line.detail } },
    now,
  )

export const sitesRoutes = [list, read, create, update, remove, importRoute]
