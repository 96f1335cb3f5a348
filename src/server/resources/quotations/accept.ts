import type { Person } from '#shared/access.ts'
import type { z } from 'zod'
import { MOST_ACCEPTANCE_BYTES, type AcceptQuotation } from '#shared/api/quotations.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { imageTypeOf } from '#shared/images.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { lockPaymentsOf } from '#server/resources/payments/queries.ts'
import { insertFile } from './file-queries.ts'
import { askByShares, openOf, voidUntouched } from './order-payments.ts'
import { updateQuotation } from './queries.ts'
import { sha256Of } from './send.ts'
import { noteQuotation, type Locked } from './visible.ts'

interface Accepting {
  acceptance: Omit<z.output<typeof AcceptQuotation>, 'version'>
  user: Person
  /** In the organisation's zone. */
  today: string
  now: Date
}

/**
 * Makes it the order in force, with its payments. It replaces an accepted one of its number: what was asked
 * for that one and neither invoiced nor received is void, and the schedule covers what the rest leaves.
 */
export async function acceptQuotation(
  trx: Trx,
  { row, others }: Locked,
  { acceptance, user, today, now }: Accepting,
): Promise<void> {
  const { accepted_on, accepted_by, client_po = row.client_po, file } = acceptance
  if (accepted_on > today) throw refuse('invalid', { fields: { accepted_on: ['time_in_future'] } })
  if (file) await keepFile(trx, file, { quotation: row.id, now })
  const actor = user.id
  const reason = orderLabel(row) ?? ''
  const payments = await lockPaymentsOf(trx, [row.id, ...others.map(({ id }) => id)])
  const standing = await voidUntouched(trx, payments, { reason, actor, now })
  openOf(row, standing)
  for (const { id, status } of others)
    if (status === 'accepted') await updateQuotation(trx, id, { status: 'superseded', ended_at: now, now })
  await updateQuotation(trx, row.id, {
    status: 'accepted',
    accepted_on,
    accepted_by,
    accepted_at: now,
    client_po,
    now,
  })
  await askByShares(trx, row, { standing, accepted_on, actor, today, now })
  const detail = {
    number: row.number,
    accepted_on,
    accepted_by,
    total: row.total,
    has_file: file !== undefined,
  }
  await noteQuotation(trx, row.id, { actor, action: 'accept', detail, now })
}

async function keepFile(trx: Trx, file: File, { quotation, now }: { quotation: number; now: Date }) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const read = readAcceptance(bytes)
  if (typeof read === 'string') throw refuse('invalid', { fields: { file: [read] } })
  await insertFile(trx, {
    quotation,
    kind: 'acceptance',
    name: `acceptance.${read.ending}`,
    mime: read.mime,
    sha256: sha256Of(bytes),
    bytes,
    created_at: now,
  })
}

/** What the customer has signed, recognised by its content; the field's problem when it is none. */
function readAcceptance(bytes: Uint8Array): { mime: string; ending: string } | ErrorCode {
  if (bytes.length > MOST_ACCEPTANCE_BYTES) return 'file_too_large'
  const isPdf = String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
  const mime = isPdf ? 'application/pdf' : imageTypeOf(bytes)
  const ending = mime === null ? undefined : endings[mime]
  return mime === null || ending === undefined ? 'document_type' : { mime, ending }
}

const endings: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
}
