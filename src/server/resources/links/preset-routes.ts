import type { z } from 'zod'
import { isMakerOrManager } from '#shared/access.ts'
import {
  CreateLinkPreset,
  LinkPreset,
  LinkPresetList,
  LinkPresetQuery,
  UpdateLinkPreset,
} from '#shared/api/links.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { utmFields, type UtmField, type UtmValues } from '#shared/links/parameters.ts'
import { problemsOfPreset, type LinkPresetFacts } from '#shared/links/presets.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { holdUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { presetsCsv } from './csv.ts'
import { mayChangePreset, presentPreset } from './present.ts'
import {
  deletePreset,
  findPreset,
  insertPreset,
  listPresets,
  lockPreset,
  updatePreset,
} from './preset-queries.ts'

const PATH = '/api/ad/preset/'
/** What people write: the trail does not keep it. */
const TEXTS = ['values', 'allowed']

const list = route('GET', PATH, {
  summary: 'List the presets of the agency and of your advertisers.',
  level: 'staff',
  query: LinkPresetQuery,
  reply: LinkPresetList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listPresets(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(row => presentPreset(user, row)) })
  },
  csv: async ({ query, user, db }) => presetsCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a preset of links.',
  level: 'staff',
  params: IdPath,
  reply: LinkPreset,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Make a preset of links for an advertiser; managers, also one of the agency (`advertiser` null).',
  level: 'staff',
  body: CreateLinkPreset,
  reply: LinkPreset,
  status: 201,
  async run({ body: { advertiser, name, ...entered }, user, db, now }) {
    if (!mayChangePreset(user, { advertiser })) throw refuse('forbidden')
    if (advertiser !== null && !(await holdUsableAdvertiser(db, user, advertiser)))
      throw refuse('invalid', { fields: { advertiser: ['field_not_available'] } })
    const facts = { name, ...valid(entered) }
    const id = await insertPreset(db, { ...facts, advertiser, created_by: user.id, now })
    const detail = { name, changes: changedFields({}, { advertiser, ...facts }, TEXTS) }
    await note(db, { user, action: 'preset.create', id, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change a preset of links; that of the agency, managers. Links that are made stay as they are.',
  level: 'staff',
  params: IdPath,
  body: UpdateLinkPreset,
  reply: LinkPreset,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    const { name } = before
    const facts = {
      name: changes.name ?? name,
      ...valid({
        platform: changes.platform === undefined ? before.platform : changes.platform,
        values: changes.values ?? before.values,
        locked: changes.locked ?? before.locked,
        allowed: changes.allowed ?? before.allowed,
      }),
    }
    await updatePreset(db, id, { ...facts, now })
    const detail = { name, changes: changedFields(before, facts, TEXTS) }
    await note(db, { user, action: 'preset.change', id, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a preset of links; its maker, or a manager. Links keep what it has given them.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { name } = await lockVersion(db, { id, version, user, isDeletion: true })
    await deletePreset(db, id)
    await note(db, { user, action: 'preset.delete', id, now, detail: { name } })
  },
})

type Entered = Pick<z.output<typeof CreateLinkPreset>, 'platform' | 'values' | 'locked' | 'allowed'>

/** As it is written down; refused when no link could follow it. */
function valid({ platform, locked, ...entered }: Entered): LinkPresetFacts {
  const values: Partial<UtmValues> = {}
  const allowed: Partial<Record<UtmField, string[]>> = {}
  for (const field of utmFields) {
    const [value, choices] = [entered.values[field], entered.allowed[field]]
    if (value) values[field] = value
    if (choices) allowed[field] = choices
  }
  const facts = { platform, values, locked: [...new Set(locked)], allowed }
  const fields = problemsOfPreset(facts)
  if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
  return facts
}

/** Refused when it is not the caller's to change, or has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user, isDeletion }: { id: number; version: number; user: SignedInUser; isDeletion?: true },
) {
  const row = await lockPreset(trx, user, id)
  if (!row) throw refuse('not_found')
  if (!mayChangePreset(user, row) || (isDeletion && !isMakerOrManager(user, row))) throw refuse('forbidden')
  if (row.version !== version) throw refuse('conflict', { extra: { preset: await show(trx, user, id) } })
  return row
}

async function show(db: Db, user: SignedInUser, id: number): Promise<LinkPreset> {
  const row = await findPreset(db, user, id)
  if (!row) throw refuse('not_found')
  return presentPreset(user, row)
}

const note = (
  trx: Trx,
  { user, id, now, ...line }: { user: SignedInUser; action: string; id: number; now: Date; detail: object },
) =>
  writeAudit(
    trx,
    { actor: user.id, action: line.action, object: 'preset', object_id: id, detail: { ...line.detail } },
    now,
  )

export const presetRoutes = [list, read, create, update, remove]
