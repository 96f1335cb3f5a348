import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import {
  AcceptQuotation,
  CancelQuotation,
  MOST_ACCEPTANCE_BYTES,
  NoteSpent,
  Quotation,
  RejectQuotation,
} from '#shared/api/quotations.ts'
import { isOnStep } from '#shared/billing/step.ts'
import { todayIn } from '#shared/date-range.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { acceptQuotation } from './accept.ts'
import { cancelQuotation } from './cancel.ts'
import { listLines, updateQuotation, updateTypedSpent } from './queries.ts'
import { QUOTATIONS } from './routes.ts'
import { sendQuotation } from './send.ts'
import { lockedFor, noteQuotation, refuseState, showQuotation } from './visible.ts'
import { copyQuotation, reviseQuotation } from './write-again.ts'

const send = route('POST', `${QUOTATIONS}:id/send/`, {
  summary: 'Send a draft: it gets its number, and what the customer reads does not change any more.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  reply: Quotation,
  async run({ params: { id }, body: { version }, user, db, now, effects: { settings, pdf } }) {
    const today = todayIn(settings.time_zone, now)
    const { row, others } = await lockedFor(db, id, { user, today, action: 'send', version })
    const detail = await sendQuotation(db, { row, others, user, today, now, pdf })
    await noteQuotation(db, id, { actor: user.id, action: 'send', detail, now })
    return await showQuotation(db, id, { user, today })
  },
})

const accept = route('POST', `${QUOTATIONS}:id/accept/`, {
  summary:
    'Note that the customer has accepted, as JSON or as a form with the signed document. The payments are made by its schedule.',
  level: 'staff',
  params: IdPath,
  body: AcceptQuotation,
  takes_form: true,
  largest_file: MOST_ACCEPTANCE_BYTES,
  reply: Quotation,
  async run({ params: { id }, body: { version, ...acceptance }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const locked = await lockedFor(db, id, { user, today, action: 'accept', version })
    await acceptQuotation(db, locked, { acceptance, user, today, now })
    return await showQuotation(db, id, { user, today })
  },
})

const reject = route('POST', `${QUOTATIONS}:id/reject/`, {
  summary: 'Note that the customer has rejected it, with the reason.',
  level: 'staff',
  params: IdPath,
  body: RejectQuotation,
  reply: Quotation,
  async run({ params: { id }, body: { version, reason }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const { row } = await lockedFor(db, id, { user, today, action: 'reject', version })
    await updateQuotation(db, id, { status: 'rejected', reason, ended_at: now, now })
    await noteQuotation(db, id, {
      actor: user.id,
      action: 'reject',
      detail: { number: row.number, reason },
      now,
    })
    return await showQuotation(db, id, { user, today })
  },
})

const cancel = route('POST', `${QUOTATIONS}:id/cancel/`, {
  summary:
    'Cancel a sent one; or an accepted one with its payments, unless one of them has an invoice number or a receipt.',
  level: 'staff',
  params: IdPath,
  body: CancelQuotation,
  reply: Quotation,
  async run({ params: { id }, body: { version, reason }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const locked = await lockedFor(db, id, { user, today, action: 'cancel', version })
    await cancelQuotation(db, locked, { reason, user, now })
    return await showQuotation(db, id, { user, today })
  },
})

const revise = route('POST', `${QUOTATIONS}:id/revise/`, {
  summary:
    'Write the next revision: a draft with the same number. It replaces this one once it is sent or accepted.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  reply: Quotation,
  status: 201,
  async run({ params: { id }, body: { version }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const { row, others } = await lockedFor(db, id, { user, today, action: 'revise', version })
    const revision = await reviseQuotation(db, { row, others, user, now })
    return await showQuotation(db, revision, { user, today })
  },
})

const copy = route('POST', `${QUOTATIONS}:id/copy/`, {
  summary: 'Write a new draft like this one.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  reply: Quotation,
  status: 201,
  async run({ params: { id }, body: { version }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const { row } = await lockedFor(db, id, { user, today, action: 'copy', version })
    const made = await copyQuotation(db, { row, user, now })
    return await showQuotation(db, made, { user, today })
  },
})

const noteSpent = route('POST', `${QUOTATIONS}:id/spent/`, {
  summary: 'Note what lines without ad accounts have delivered so far, of a draft or an accepted order.',
  level: 'staff',
  params: IdPath,
  body: NoteSpent,
  reply: Quotation,
  async run({ params: { id }, body: { version, lines }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const { row, state, revision } = await lockedFor(db, id, { user, today, action: 'edit', version })
    if (state !== 'draft' && state !== 'accepted') throw refuseState(user, revision)
    const stored = new Map((await listLines(db, id)).map(line => [line.id, line]))
    const fields: Record<string, ErrorCode[]> = {}
    for (const [index, { line, typed_spent }] of lines.entries()) {
      if (!stored.has(line)) fields[`lines.${index}.line`] = ['field_not_available']
      if (typed_spent !== null && !isOnStep(BigInt(typed_spent), row.currency))
        fields[`lines.${index}.typed_spent`] = ['amount_step']
    }
    if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
    for (const each of lines) await updateTypedSpent(db, each)
    await updateQuotation(db, id, { now })
    const spent = (of: (line: number) => unknown) =>
      Object.fromEntries(lines.map(({ line }) => [`typed_spent.${line}`, of(line)]))
    const typed = new Map(lines.map(({ line, typed_spent }) => [line, typed_spent]))
    const changes = changedFields(
      spent(line => stored.get(line)?.typed_spent),
      spent(line => typed.get(line)),
    )
    await noteQuotation(db, id, {
      actor: user.id,
      action: 'change',
      detail: { number: row.number, changes },
      now,
    })
    return await showQuotation(db, id, { user, today })
  },
})

export const actionRoutes = [send, accept, reject, cancel, revise, copy, noteSpent]
