import {
  CalculatedMetric,
  CalculatedMetricList,
  CalculatedMetricQuery,
  CreateCalculatedMetric,
  UpdateCalculatedMetric,
} from '#shared/api/insight-settings.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { channelsOfFormula, whyNotCalculated } from '#shared/formula-channels.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { metricsCsv } from './csv.ts'
import {
  countMetrics,
  deleteMetric,
  findMetric,
  insertMetric,
  listMetrics,
  lockMetric,
  reportsWithMetrics,
  updateMetric,
  type MetricRow,
} from './metric-queries.ts'
import { mayWrite, noteSetting, refuseOfAgency, requireScope } from './scope.ts'

const PATH = '/api/insight-setting/metrics/'
/** Of an advertiser, and of the agency. */
const MOST_METRICS = 200

const list = route('GET', PATH, {
  summary: 'List the calculated metrics of the agency and of the advertisers whom you serve.',
  level: 'staff',
  query: CalculatedMetricQuery,
  reply: CalculatedMetricList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listMetrics(db, user, query)
    return pageOf(request.url, query, { count, results: await presentAll(db, user, rows) })
  },
  csv: async ({ query, user, db }) => metricsCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a calculated metric.',
  level: 'staff',
  params: IdPath,
  reply: CalculatedMetric,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Create a calculated metric of an advertiser, or of the whole agency as a manager.',
  level: 'staff',
  body: CreateCalculatedMetric,
  reply: CalculatedMetric,
  status: 201,
  async run({ body, user, db, now }) {
    await requireScope(db, user, body.advertiser)
    refuseFaulty(body)
    if ((await countMetrics(db, body.advertiser)) >= MOST_METRICS)
      throw refuse('invalid', { fields: { advertiser: ['field_too_many'] } })
    const id = await insertMetric(db, body, now)
    const detail = { name: body.name, changes: changedFields({}, body) }
    await noteSetting(db, { action: 'metric.create', id, user, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change or deactivate a calculated metric.',
  level: 'staff',
  params: IdPath,
  body: UpdateCalculatedMetric,
  reply: CalculatedMetric,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    refuseFaulty({ formula: changes.formula ?? before.formula, unit: changes.unit ?? before.unit })
    await updateMetric(db, id, { ...changes, now })
    const detail = { name: before.name, changes: changedFields(before, changes) }
    await noteSetting(db, { action: 'metric.change', id, user, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a calculated metric that no report has; 409 `in_use` says how many do.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { name, formula, unit, explanation } = await lockVersion(db, { id, version, user })
    const reports = (await reportsWithMetrics(db, [id])).get(id)
    if (reports !== undefined) throw refuse('in_use', { extra: { by: { reports } } })
    await deleteMetric(db, id)
    const gone = { name: null, formula: null, unit: null, explanation: null }
    const detail = { name, changes: changedFields({ name, formula, unit, explanation }, gone) }
    await noteSetting(db, { action: 'metric.delete', id, user, now, detail })
  },
})

/** The editor marks the place of the fault in the formula's text. */
function refuseFaulty(metric: Parameters<typeof whyNotCalculated>[0]) {
  const fault = whyNotCalculated(metric)
  if (!fault) return
  const detail = { at: fault.at, ...('detail' in fault && fault.detail) }
  throw refuse('invalid', { fields: { formula: [{ code: fault.code, detail }] } })
}

/** Refused when it is not the caller's to change, or has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user }: { id: number; version: number; user: SignedInUser },
) {
  const row = await lockMetric(trx, user, id)
  if (!row) throw refuse('not_found')
  refuseOfAgency(user, row)
  if (row.version !== version) throw refuse('conflict', { extra: { metric: await show(trx, user, id) } })
  return row
}

async function show(trx: Trx, user: SignedInUser, id: number): Promise<CalculatedMetric> {
  const row = await findMetric(trx, user, id)
  const [shown] = await presentAll(trx, user, row ? [row] : [])
  if (!shown) throw refuse('not_found')
  return shown
}

/** How many reports have one is no secret; which they are is not said. */
async function presentAll(trx: Trx, user: SignedInUser, rows: readonly MetricRow[]) {
  const ids = rows.map(({ id }) => id)
  const reports = await readingEveryRow(trx, () => reportsWithMetrics(trx, ids))
  return rows.map(row => ({
    ...row,
    channels: channelsOfFormula(row.formula),
    used_by: reports.get(row.id) ?? 0,
    may_change: mayWrite(user, row),
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }))
}

export const metricRoutes = [list, read, create, update, remove]
