import {
  ConversionDefinition,
  ConversionDefinitionList,
  ConversionDefinitionQuery,
  CreateConversionDefinition,
  UpdateConversionDefinition,
  type ConversionEntry,
} from '#shared/api/insight-settings.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import {
  clearDefault,
  deleteConversion,
  findConversion,
  insertConversion,
  listConversions,
  lockConversion,
  reportsWithConversions,
  updateConversion,
  type ConversionRow,
} from './conversion-queries.ts'
import { problemsOfEntries } from './conversion-rules.ts'
import { conversionsCsv } from './csv.ts'
import { noteSetting, requireScope } from './scope.ts'

const PATH = '/api/insight-setting/conversions/'

const list = route('GET', PATH, {
  summary: 'List what counts as a conversion for the advertisers whom you serve.',
  level: 'staff',
  query: ConversionDefinitionQuery,
  reply: ConversionDefinitionList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listConversions(db, user, query)
    return pageOf(request.url, query, { count, results: await presentAll(db, rows) })
  },
  csv: async ({ query, user, db }) => conversionsCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a conversion definition.',
  level: 'staff',
  params: IdPath,
  reply: ConversionDefinition,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary:
    'Say what counts as a conversion for an advertiser. A new default takes the place of the last one.',
  level: 'staff',
  body: CreateConversionDefinition,
  reply: ConversionDefinition,
  status: 201,
  async run({ body, user, db, now }) {
    await requireScope(db, user, body.advertiser)
    refuseFaulty(body.entries)
    if (body.is_default) await replaceDefault(db, { ...body, except: null, user, now })
    const id = await insertConversion(db, body, now)
    const detail = { name: body.name, changes: changedFields({}, body) }
    await noteSetting(db, { action: 'conversion.create', id, user, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change a conversion definition. A new default takes the place of the last one.',
  level: 'staff',
  params: IdPath,
  body: UpdateConversionDefinition,
  reply: ConversionDefinition,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    refuseFaulty(changes.entries ?? before.entries)
    if (changes.is_default) await replaceDefault(db, { ...before, except: id, user, now })
    await updateConversion(db, id, { ...changes, now })
    const detail = { name: before.name, changes: changedFields(before, changes) }
    await noteSetting(db, { action: 'conversion.change', id, user, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a conversion definition that no report has; 409 `in_use` says how many do.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { name, advertiser, entries } = await lockVersion(db, { id, version, user })
    const reports = (await reportsWithConversions(db, [id])).get(id)
    if (reports !== undefined) throw refuse('in_use', { extra: { by: { reports } } })
    await deleteConversion(db, id)
    const gone = { name: null, advertiser: null, entries: [] }
    const detail = { name, changes: changedFields({ name, advertiser, entries }, gone) }
    await noteSetting(db, { action: 'conversion.delete', id, user, now, detail })
  },
})

function refuseFaulty(entries: readonly ConversionEntry[]) {
  const fields = problemsOfEntries(entries)
  if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
}

/** The one that was it until now has another version, and a line of its own in the trail. */
async function replaceDefault(
  trx: Trx,
  scope: { advertiser: number; except: number | null; user: SignedInUser; now: Date },
) {
  const { user, now } = scope
  for (const { id, name } of await clearDefault(trx, scope)) {
    const changes = changedFields({ is_default: true }, { is_default: false })
    await noteSetting(trx, { action: 'conversion.change', id, user, now, detail: { name, changes } })
  }
}

/**
 * Refused when it is not the caller's, or has been changed since. Its advertiser is held first: two that
 * become the default come one after the other.
 */
async function lockVersion(
  trx: Trx,
  { id, version, user }: { id: number; version: number; user: SignedInUser },
): Promise<ConversionRow> {
  const found = await findConversion(trx, user, id)
  if (!found) throw refuse('not_found')
  await requireScope(trx, user, found.advertiser)
  const row = await lockConversion(trx, user, id)
  if (!row) throw refuse('not_found')
  if (row.version !== version) throw refuse('conflict', { extra: { conversion: await show(trx, user, id) } })
  return row
}

async function show(trx: Trx, user: SignedInUser, id: number): Promise<ConversionDefinition> {
  const row = await findConversion(trx, user, id)
  const [shown] = await presentAll(trx, row ? [row] : [])
  if (!shown) throw refuse('not_found')
  return shown
}

/** How many reports have one is no secret; which they are is not said. */
async function presentAll(trx: Trx, rows: readonly ConversionRow[]): Promise<ConversionDefinition[]> {
  const ids = rows.map(({ id }) => id)
  const reports = await readingEveryRow(trx, () => reportsWithConversions(trx, ids))
  return rows.map(row => ({
    ...row,
    used_by: reports.get(row.id) ?? 0,
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }))
}

export const conversionRoutes = [list, read, create, update, remove]
