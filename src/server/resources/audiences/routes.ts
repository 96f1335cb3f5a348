import { isMakerOrManager } from '#shared/access.ts'
import {
  Audience,
  AudienceHistory,
  AudienceList,
  AudienceQuery,
  AudienceUploadList,
  CreateAudience,
  UpdateAudience,
} from '#shared/api/audiences.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import type { z } from 'zod'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { Effects } from '#server/http/effects.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { findUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { audiencesCsv } from './csv.ts'
import { findSeed, ga4Views, hasPixel, listUploads } from './detail-queries.ts'
import { erasureRoutes } from './erasure-routes.ts'
import { listHistory } from './history.ts'
import { membersRoute } from './members-route.ts'
import { presentAudiences, presentUpload } from './present.ts'
import {
  countLookalikes,
  countTargetAudiences,
  endAudience,
  findAudience,
  insertAudience,
  lastFilledAt,
  listAudiences,
  lockToEnd,
  updateAudience,
} from './queries.ts'
import { holdAudience, noteAudience, requirePlan } from './rights.ts'
import { expiryOf, problemsOf, problemsOfChange, withDefaults } from './rules.ts'
import { sourcesRoute } from './sources-route.ts'

const PATH = '/api/lta/'

const list = route('GET', PATH, {
  summary: 'List the audiences of your advertisers.',
  level: 'external_user',
  query: AudienceQuery,
  reply: AudienceList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listAudiences(db, user, query)
    return pageOf(request.url, query, { count, results: await presentAudiences(db, user, rows) })
  },
  csv: async ({ query, user, db }) => audiencesCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get an audience with its shares.',
  level: 'external_user',
  params: IdPath,
  reply: Audience,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const uploads = route('GET', `${PATH}:id/uploads/`, {
  summary: 'List the last 200 uploads of an audience; of each its counts, never its rows.',
  level: 'external_user',
  params: IdPath,
  reply: AudienceUploadList,
  async run({ params: { id }, user, db }) {
    if (!(await findAudience(db, user, id))) throw refuse('not_found')
    return (await listUploads(db, id)).map(presentUpload)
  },
})

const history = route('GET', `${PATH}:id/history/`, {
  summary: 'List the last 100 things that somebody did with an audience, the latest first.',
  level: 'external_user',
  params: IdPath,
  reply: AudienceHistory,
  async run({ params: { id }, user, db }) {
    const audience = await findAudience(db, user, id)
    if (!audience) throw refuse('not_found')
    return await listHistory(db, audience)
  },
})

const create = route('POST', PATH, {
  summary:
    'Create an audience; which fields it takes depends on its kind. Clients need the plan Advanced, here and for every change.',
  level: 'external_user',
  transaction: 'own',
  body: CreateAudience,
  reply: Audience,
  status: 201,
  async run({ body, user, db, now, effects: { audiences } }) {
    await refuseFaulty(db, user, body)
    const rows = body.kind === 'ga4' ? await usersOf(db, body, audiences) : 0
    return await inTransaction(db, async trx => {
      await refuseUnavailable(trx, body)
      const status = body.kind === 'customer_file' ? 'draft' : 'ready'
      const facts = withDefaults(body)
      const id = await insertAudience(trx, { ...facts, status, rows, created_by: user.id, now })
      const detail = { name: body.name, changes: changedFields({}, withoutTexts(facts)) }
      await noteAudience(trx, { action: 'audience.create', id, user, now, detail })
      return await show(trx, user, id)
    })
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change an audience’s texts, and of a customer file its consent and how long it is kept.',
  level: 'external_user',
  params: IdPath,
  body: UpdateAudience,
  reply: Audience,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await holdAudience(db, user, id)
    await refuseOlder(db, user, { ...before, expected: version })
    const fields = problemsOfChange(before.kind, changes)
    if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
    await updateAudience(db, id, { ...changes, ...(await newExpiry(db, before, changes.keep_days)), now })
    const difference = changedFields(withoutTexts(before), withoutTexts(changes))
    const detail = { name: before.name, changes: difference }
    await noteAudience(db, { action: 'audience.change', id, user, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary:
    'Delete an audience; its maker, or a manager. Its shares are removed at the platforms first: until then it is listed with them. 409 `in_use` when target audiences refer to it.',
  level: 'external_user',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const row = await lockToEnd(db, user, id)
    if (!row) throw refuse('not_found')
    await requirePlan(db, user)
    if (!isMakerOrManager(user, row)) throw refuse('forbidden')
    await refuseOlder(db, user, { ...row, expected: version })
    const lookalikes = await countLookalikes(db, id)
    if (lookalikes > 0) throw refuse('has_lookalikes', { extra: { by: { lookalikes } } })
    // Before its shares are ended: from then on nothing can refer to it, and it goes with the last of them.
    const references = await countTargetAudiences(db, id)
    if (references > 0) throw refuse('in_use', { extra: { by: { target_audiences: references } } })
    await endAudience(db, id, now)
    const detail = { name: row.name, kind: row.kind, rows: row.rows }
    await noteAudience(db, { action: 'audience.delete', id, user, now, detail })
  },
})

async function show(db: Db, user: SignedInUser, id: number): Promise<Audience> {
  const row = await findAudience(db, user, id)
  const [shown] = await presentAudiences(db, user, row ? [row] : [])
  if (!shown) throw refuse('not_found')
  return shown
}

async function refuseOlder(
  trx: Trx,
  user: SignedInUser,
  { id, version, expected }: { id: number; version: number; expected: number },
) {
  if (version !== expected) throw refuse('conflict', { extra: { audience: await show(trx, user, id) } })
}

/** Our copy is destroyed so many days after the list was last filled. */
async function newExpiry(
  trx: Trx,
  { id, expires_at }: { id: number; expires_at: Date | null },
  keepDays: number | undefined,
): Promise<{ expires_at?: Date }> {
  if (keepDays === undefined || expires_at === null) return {}
  const filledAt = await lastFilledAt(trx, id)
  return filledAt ? { expires_at: expiryOf(filledAt, { keep_days: keepDays }) } : {}
}

type NewAudience = z.output<typeof CreateAudience>

async function refuseFaulty(db: Db, user: SignedInUser, body: NewAudience) {
  await requirePlan(db, user)
  const available = (await findUsableAdvertiser(db, user, body.advertiser)) !== undefined
  const fields = {
    ...problemsOf(body),
    ...(!available && { advertiser: ['field_not_available'] as const }),
  }
  if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
}

/** What the audience is made of belongs to its advertiser. */
async function refuseUnavailable(trx: Trx, { advertiser, site, seed }: NewAudience) {
  if (site !== undefined && !(await hasPixel(trx, { site, advertiser }))) throw notAvailable('site')
  if (seed === undefined) return
  const found = await findSeed(trx, { seed, advertiser })
  if (!found) throw notAvailable('seed')
  if (!found.is_shared) throw refuse('invalid', { fields: { seed: ['seed_not_shared'] } })
}

/** How many users it has at the moment; 0 where the platform does not say, or cannot be expected now. */
async function usersOf(
  db: Db,
  { advertiser, ga4_view, ga4_audience }: NewAudience,
  { ga4Audiences }: Effects['audiences'],
): Promise<number> {
  const [view] = await ga4Views(db, { advertiser, id: ga4_view ?? 0 })
  if (!view) throw notAvailable('ga4_view')
  const { audiences, code } = await ga4Audiences(view)
  const found = audiences.find(({ audience }) => audience === ga4_audience)
  if (!found && code === null) throw notAvailable('ga4_audience')
  return found?.users ?? 0
}

const notAvailable = (field: string) => refuse('invalid', { fields: { [field]: ['field_not_available'] } })

/** The trail cannot be corrected: what people have written in sentences stays out of it. */
const withoutTexts = <Facts extends { description?: unknown; basis?: unknown }>({
  description: _description,
  basis: _basis,
  ...facts
}: Facts) => facts

export const audiencesRoutes = [
  list,
  sourcesRoute,
  ...erasureRoutes,
  read,
  uploads,
  history,
  create,
  update,
  remove,
  membersRoute,
]
