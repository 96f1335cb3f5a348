import {
  Adjustment,
  AdjustmentList,
  AdjustmentQuery,
  CreateAdjustment,
  UpdateAdjustment,
} from '#shared/api/ec-spend.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { isOnStep } from '#shared/billing/step.ts'
import { monthOf } from '#shared/month.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import {
  deleteAdjustment,
  findAdjustment,
  insertAdjustments,
  listAdjustments,
  updateAdjustment,
  type AdjustmentFields,
  type AdjustmentRow,
} from './adjustment-queries.ts'
import { EC_SPEND } from './month-routes.ts'
import { requireOpen } from './open-months.ts'
import { readCustomers } from './queries.ts'

const PATH = `${EC_SPEND}adjustment/`

const list = route('GET', PATH, {
  summary: 'List what is charged or credited beside the costs of accounts.',
  level: 'director_or_finance',
  rows: 'every',
  query: AdjustmentQuery,
  reply: AdjustmentList,
  async run({ query, db, request }) {
    const { count, rows } = await listAdjustments(db, query)
    return pageOf(request.url, query, { count, results: rows.map(present) })
  },
})

const create = route('POST', PATH, {
  summary:
    'Charge or credit an advertiser in an open month; `concerns_month` is that month unless it is given.',
  level: 'director_or_finance',
  body: CreateAdjustment,
  reply: Adjustment,
  status: 201,
  async run({ body, user, db, now }) {
    const fields = { ...body, concerns_month: body.concerns_month ?? body.month }
    await requireOpen(db, [fields.month])
    await checkFields(db, fields)
    const [id = 0] = await insertAdjustments(db, [fields], now)
    await note(db, {
      id,
      action: 'create',
      user: user.id,
      detail: { changes: changedFields({}, fields) },
      now,
    })
    return await show(db, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change an adjustment of an open month.',
  level: 'director_or_finance',
  params: IdPath,
  body: UpdateAdjustment,
  reply: Adjustment,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await changeable(db, { id, version, month: changes.month })
    const after = merged(before, changes)
    await checkFields(db, after)
    await updateAdjustment(db, { id, version }, { ...after, now })
    const detail = { changes: changedFields(before, after) }
    await note(db, { id, action: 'change', user: user.id, detail, now })
    return await show(db, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete an adjustment of an open month.',
  level: 'director_or_finance',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const before = await changeable(db, { id, version, month: undefined })
    await deleteAdjustment(db, id)
    const nothing = Object.fromEntries(Object.keys(before).map(field => [field, null]))
    const detail = { changes: changedFields(before, nothing) }
    await note(db, { id, action: 'delete', user: user.id, detail, now })
  },
})

/** What can be typed of it as it was read, while its month, and the one that it goes to, are open. */
async function changeable(
  trx: Trx,
  { id, version, month }: { id: number; version: number; month: string | undefined },
): Promise<AdjustmentFields> {
  const row = await findAdjustment(trx, id)
  if (!row) throw refuse('not_found')
  await requireOpen(trx, [monthOf(row.month), ...(month === undefined ? [] : [month])])
  // Again, since it waited for whoever held the month, or changes it now.
  const adjustment = await findAdjustment(trx, id, { lock: true })
  if (!adjustment) throw refuse('not_found')
  if (adjustment.version !== version) throw refuse('conflict', { extra: { adjustment: present(adjustment) } })
  const { advertiser, channel, concerns_month, currency, amount, reason, note: text } = present(adjustment)
  return {
    advertiser,
    channel,
    month: monthOf(adjustment.month),
    concerns_month,
    currency,
    amount,
    reason,
    note: text,
  }
}

type Changes = { [Field in keyof AdjustmentFields]?: AdjustmentFields[Field] | undefined }

const merged = (before: AdjustmentFields, changes: Changes): AdjustmentFields => ({
  advertiser: changes.advertiser ?? before.advertiser,
  channel: changes.channel ?? before.channel,
  month: changes.month ?? before.month,
  concerns_month: changes.concerns_month ?? before.concerns_month,
  currency: changes.currency ?? before.currency,
  amount: changes.amount ?? before.amount,
  reason: changes.reason ?? before.reason,
  note: changes.note ?? before.note,
})

async function checkFields(
  trx: Trx,
  { advertiser, month, concerns_month, currency, amount }: AdjustmentFields,
) {
  if ((await readCustomers(trx, { advertiser })).length === 0)
    throw refuse('invalid', { fields: { advertiser: ['field_not_available'] } })
  if (concerns_month > month) throw refuse('invalid', { fields: { concerns_month: ['field_invalid'] } })
  if (!isOnStep(BigInt(amount), currency)) throw refuse('invalid', { fields: { amount: ['amount_step'] } })
}

async function show(trx: Trx, id: number): Promise<Adjustment> {
  const row = await findAdjustment(trx, id)
  if (!row) throw refuse('not_found')
  return present(row)
}

const present = ({
  month,
  concerns_month,
  created_at,
  last_modified_at,
  ...row
}: AdjustmentRow): Adjustment => ({
  ...row,
  month: monthOf(month),
  concerns_month: monthOf(concerns_month),
  created_at: created_at.toISOString(),
  last_modified_at: last_modified_at.toISOString(),
})

const note = (
  trx: Trx,
  line: {
    id: number
    action: 'create' | 'change' | 'delete'
    user: number
    detail: Record<string, unknown>
    now: Date
  },
) =>
  writeAudit(
    trx,
    {
      actor: line.user,
      action: `adjustment.${line.action}`,
      object: 'adjustment',
      object_id: line.id,
      detail: line.detail,
    },
    line.now,
  )

export const adjustmentRoutes = [list, create, update, remove]
