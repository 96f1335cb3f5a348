import {
  CreateMetricLabel,
  MetricLabel,
  MetricLabelList,
  MetricLabelQuery,
  UpdateMetricLabel,
} from '#shared/api/insight-settings.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { unitOf } from '#shared/formula-channels.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { labelsCsv } from './csv.ts'
import {
  deleteLabel,
  findLabel,
  insertLabel,
  listLabels,
  lockLabel,
  updateLabel,
  type LabelRow,
} from './label-queries.ts'
import { mayWrite, noteSetting, refuseOfAgency, requireScope } from './scope.ts'

const PATH = '/api/insight-setting/labels/'

const list = route('GET', PATH, {
  summary: 'List the names that metrics have instead of the catalogue’s.',
  level: 'staff',
  query: MetricLabelQuery,
  reply: MetricLabelList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listLabels(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(row => present(row, user)) })
  },
  csv: async ({ query, user, db }) => labelsCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get the name of a metric.',
  level: 'staff',
  params: IdPath,
  reply: MetricLabel,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Name a metric, of one channel or of all, for an advertiser or, as a manager, for the agency.',
  level: 'staff',
  body: CreateMetricLabel,
  reply: MetricLabel,
  status: 201,
  async run({ body, user, db, now }) {
    await requireScope(db, user, body.advertiser)
    if (!hasMetric(body)) throw refuse('invalid', { fields: { metric: ['field_not_available'] } })
    const id = await insertLabel(db, body, now)
    const detail = { name: body.label, changes: changedFields({}, body) }
    await noteSetting(db, { action: 'label.create', id, user, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change the name of a metric.',
  level: 'staff',
  params: IdPath,
  body: UpdateMetricLabel,
  reply: MetricLabel,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    await updateLabel(db, id, { ...changes, now })
    const detail = { name: before.label, changes: changedFields(before, changes) }
    await noteSetting(db, { action: 'label.change', id, user, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Give a metric the name of the agency or of the catalogue again.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { metric, channel, label } = await lockVersion(db, { id, version, user })
    await deleteLabel(db, id)
    const gone = { metric: null, channel: null, label: null }
    const detail = { name: label, changes: changedFields({ metric, channel, label }, gone) }
    await noteSetting(db, { action: 'label.delete', id, user, now, detail })
  },
})

/** In the channel, or in any. */
const hasMetric = ({ channel, metric }: { channel: Channel | null; metric: string }) =>
  (channel === null ? channelIds : [channel]).some(each => unitOf(each, metric) !== null)

/** Refused when it is not the caller's to change, or has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user }: { id: number; version: number; user: SignedInUser },
) {
  const row = await lockLabel(trx, user, id)
  if (!row) throw refuse('not_found')
  refuseOfAgency(user, row)
  if (row.version !== version) throw refuse('conflict', { extra: { label: await show(trx, user, id) } })
  return row
}

async function show(trx: Trx, user: SignedInUser, id: number): Promise<MetricLabel> {
  const row = await findLabel(trx, user, id)
  if (!row) throw refuse('not_found')
  return present(row, user)
}

const present = (row: LabelRow, user: SignedInUser): MetricLabel => ({
  ...row,
  may_change: mayWrite(user, row),
  created_at: row.created_at.toISOString(),
  last_modified_at: row.last_modified_at.toISOString(),
})

export const labelRoutes = [list, read, create, update, remove]
