import {
  CreatePlatformInvoice,
  PlatformInvoice,
  PlatformInvoiceList,
  PlatformInvoiceQuery,
  UpdatePlatformInvoice,
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
  currencyOf,
  deleteInvoice,
  findInvoice,
  findInvoiceOf,
  insertInvoice,
  listInvoices,
  updateInvoice,
  type InvoiceRow,
} from './invoice-queries.ts'
import { EC_SPEND } from './month-routes.ts'
import { requireOpen } from './open-months.ts'

const PATH = `${EC_SPEND}invoice/`

const list = route('GET', PATH, {
  summary: 'List the invoices of platforms, which count instead of what accounts report.',
  level: 'director_or_finance',
  rows: 'every',
  query: PlatformInvoiceQuery,
  reply: PlatformInvoiceList,
  async run({ query, db, request }) {
    const { count, rows } = await listInvoices(db, query)
    return pageOf(request.url, query, { count, results: rows.map(present) })
  },
})

const create = route('POST', PATH, {
  summary: 'Note the invoice of a platform for an account and an open month.',
  level: 'director_or_finance',
  body: CreatePlatformInvoice,
  reply: PlatformInvoice,
  status: 201,
  async run({ body, user, db, now }) {
    await requireOpen(db, [body.month])
    const currency = await currencyOf(db, body.ad_account)
    if (currency === null) throw refuse('invalid', { fields: { ad_account: ['account_unknown'] } })
    refuseOffStep(body.amount, currency)
    const id = await insertInvoice(db, body, now)
    if (id === null) {
      const other = await findInvoiceOf(db, body)
      throw refuse('conflict', { extra: { invoice: other && present(other) } })
    }
    const changes = changedFields({}, body)
    await note(db, { id, action: 'create', user: user.id, detail: { changes }, now })
    return await show(db, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change the invoice of a platform while its month is open.',
  level: 'director_or_finance',
  params: IdPath,
  body: UpdatePlatformInvoice,
  reply: PlatformInvoice,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await changeable(db, { id, version })
    if (changes.amount !== undefined) refuseOffStep(changes.amount, before.currency)
    const { amount = before.amount, number = before.number, note: text = before.note } = changes
    await updateInvoice(db, { id, version }, { amount, number, note: text, now })
    const detail = { changes: changedFields(before, changes) }
    await note(db, { id, action: 'change', user: user.id, detail, now })
    return await show(db, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete the invoice of a platform while its month is open: what the account reports counts again.',
  level: 'director_or_finance',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { ad_account, month, amount, number, note: text } = await changeable(db, { id, version })
    await deleteInvoice(db, id)
    const changes = changedFields(
      { ad_account, month, amount, number, note: text },
      { ad_account: null, month: null, amount: null, number: null, note: null },
    )
    await note(db, { id, action: 'delete', user: user.id, detail: { changes }, now })
  },
})

/** The invoice as it was read, of an open month. */
async function changeable(trx: Trx, { id, version }: { id: number; version: number }) {
  const row = await findInvoice(trx, id)
  if (!row) throw refuse('not_found')
  await requireOpen(trx, [monthOf(row.month)])
  // Again, since it waited for whoever held the month, or changes it now.
  const invoice = await findInvoice(trx, id, { lock: true })
  if (!invoice) throw refuse('not_found')
  if (invoice.version !== version) throw refuse('conflict', { extra: { invoice: present(invoice) } })
  return { ...invoice, month: monthOf(invoice.month) }
}

function refuseOffStep(amount: number, currency: string) {
  if (!isOnStep(BigInt(amount), currency)) throw refuse('invalid', { fields: { amount: ['amount_step'] } })
}

async function show(trx: Trx, id: number): Promise<PlatformInvoice> {
  const row = await findInvoice(trx, id)
  if (!row) throw refuse('not_found')
  return present(row)
}

const present = ({ month, created_at, last_modified_at, ...row }: InvoiceRow): PlatformInvoice => ({
  ...row,
  month: monthOf(month),
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
      action: `platform_invoice.${line.action}`,
      object: 'platform_invoice',
      object_id: line.id,
      detail: line.detail,
    },
    line.now,
  )

export const invoiceRoutes = [list, create, update, remove]
