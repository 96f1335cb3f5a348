import { isMakerOrManager } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import {
  CreateTargetAudience,
  TargetAudience,
  TargetAudienceList,
  TargetAudienceQuery,
  UpdateTargetAudience,
} from '#shared/api/target-audiences.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { holdUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { targetAudiencesCsv } from './csv.ts'
import { idsIn, presentTargetAudiences } from './present.ts'
import {
  deleteTargetAudience,
  findTargetAudience,
  holdAudiences,
  insertTargetAudience,
  listsOf,
  listTargetAudiences,
  lockTargetAudience,
  replaceLists,
  updateTargetAudience,
  type AudienceLists,
} from './queries.ts'

const PATH = '/api/targetaudience/'

const list = route('GET', PATH, {
  summary: 'List the target audiences of your advertisers, with their ages as each platform takes them.',
  level: 'staff',
  query: TargetAudienceQuery,
  reply: TargetAudienceList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listTargetAudiences(db, user, query)
    return pageOf(request.url, query, { count, results: await presentTargetAudiences(db, user, rows) })
  },
  csv: async ({ query, user, db }) => targetAudiencesCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a target audience.',
  level: 'staff',
  params: IdPath,
  reply: TargetAudience,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Create a target audience of an advertiser. Nothing is sent to platforms.',
  level: 'staff',
  body: CreateTargetAudience,
  reply: TargetAudience,
  status: 201,
  async run({ body, user, db, now }) {
    refuseAges(body)
    if (!(await holdUsableAdvertiser(db, user, body.advertiser)))
      throw faulty('advertiser', 'field_not_available')
    await refuseLists(db, body, body.audience_lists)
    const id = await insertTargetAudience(db, { ...body, created_by: user.id, now })
    await replaceLists(db, id, body.audience_lists)
    const detail = { name: body.name, changes: changedFields({}, inTheTrail(body), TEXTS) }
    await note(db, { user, action: 'target_audience.create', id, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change a target audience; its advertiser stays.',
  level: 'staff',
  params: IdPath,
  body: UpdateTargetAudience,
  reply: TargetAudience,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    refuseAges({
      age_min: changes.age_min ?? before.age_min,
      age_max: changes.age_max ?? before.age_max,
    })
    if (changes.audience_lists) {
      const { include, exclude } = before.audience_lists
      const lists = {
        include: changes.audience_lists.include ?? include,
        exclude: changes.audience_lists.exclude ?? exclude,
      }
      await refuseLists(db, before, lists)
      await replaceLists(db, id, lists)
    }
    await updateTargetAudience(db, id, { ...changes, now })
    const difference = changedFields(inTheTrail(before), inTheTrail(changes), TEXTS)
    const detail = { name: before.name, changes: difference }
    await note(db, { user, action: 'target_audience.change', id, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a target audience; its maker, or a manager.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { name, advertiser, created_by, age_min, age_max, audience_lists } = await lockVersion(db, {
      id,
      version,
      user,
    })
    if (!isMakerOrManager(user, { created_by })) throw refuse('forbidden')
    await deleteTargetAudience(db, id)
    const before = { name, advertiser, age_min, age_max, ...audience_lists }
    const gone = {
      name: null,
      advertiser: null,
      age_min: null,
      age_max: null,
      include: [],
      exclude: [],
    }
    const detail = { name, changes: changedFields(before, gone) }
    await note(db, { user, action: 'target_audience.delete', id, now, detail })
  },
})

const faulty = (field: string, code: 'age_order' | 'list_twice' | 'field_not_available') =>
  refuse('invalid', { fields: { [field]: [code] } })

function refuseAges({ age_min: least, age_max: most }: { age_min: number; age_max: number }) {
  if (most < least) throw faulty('age_max', 'age_order')
}

/** Its lists are of the same advertiser, and each is on one side. */
async function refuseLists(
  trx: Trx,
  { advertiser }: { advertiser: number },
  { include, exclude }: AudienceLists,
) {
  if (include.some(id => exclude.includes(id))) throw faulty('audience_lists', 'list_twice')
  const ids = [...include, ...exclude]
  const available = await holdAudiences(trx, { advertiser, ids })
  if (available.length < ids.length) throw faulty('audience_lists', 'field_not_available')
}

/** Refused when it is not the caller's, or has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user }: { id: number; version: number; user: SignedInUser },
) {
  const row = await lockTargetAudience(trx, user, id)
  if (!row) throw refuse('not_found')
  if (row.version !== version)
    throw refuse('conflict', { extra: { target_audience: await show(trx, user, id) } })
  return { ...row, audience_lists: idsIn((await listsOf(trx, [id])).get(id) ?? []) }
}

async function show(db: Db, user: SignedInUser, id: number): Promise<TargetAudience> {
  const row = await findTargetAudience(db, user, id)
  const [shown] = await presentTargetAudiences(db, user, row ? [row] : [])
  if (!shown) throw refuse('not_found')
  return shown
}

/** What people write: the trail, which cannot be corrected, does not keep it. */
const TEXTS = ['locations', 'interests', 'note']
const inTheTrail = <Facts extends { audience_lists?: object | undefined }>({
  audience_lists,
  ...facts
}: Facts) => ({ ...facts, ...audience_lists })

const note = (
  trx: Trx,
  { user, id, now, ...line }: { user: SignedInUser; action: string; id: number; now: Date; detail: object },
) =>
  writeAudit(
    trx,
    {
      actor: user.id,
      action: line.action,
      object: 'target_audience',
      object_id: id,
      detail: { ...line.detail },
    },
    now,
  )

export const targetAudiencesRoutes = [list, read, create, update, remove]
