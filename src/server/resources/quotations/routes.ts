import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import {
  CreateQuotation,
  Quotation,
  QuotationList,
  QuotationQuery,
  UpdateQuotation,
} from '#shared/api/quotations.ts'
import { todayIn } from '#shared/date-range.ts'
import { csvOf } from '#server/http/csv.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { changedDraft, checkDraft, draftOf, newDraft } from './draft.ts'
import { pageOfQuotations, quotationBatches, sumQuotations } from './list-queries.ts'
import { csvColumns, csvTitle, presentSummary } from './present.ts'
import { deleteQuotation, insertQuotation, listLines, replaceLines, updateQuotation } from './queries.ts'
import { isPossibleOwner } from './draft-queries.ts'
import { mayChange } from './rules.ts'
import { lockedFor, noteQuotation, refuseState, showQuotation } from './visible.ts'

export const QUOTATIONS = '/api/ad_insertion/quotation/'

const list = route('GET', QUOTATIONS, {
  summary:
    'List insertion orders of your advertisers, with the sums by state and currency of all that the filters find.',
  level: 'staff',
  query: QuotationQuery,
  reply: QuotationList,
  async run({ query, user, db, request, now, effects: { settings } }) {
    const reading = { query, today: todayIn(settings.time_zone, now) }
    const sums = await sumQuotations(db, user, reading)
    const rows = await pageOfQuotations(db, user, reading)
    const counted = sums.filter(sum => query.status === undefined || sum.status === query.status)
    return {
      ...pageOf(request.url, query, {
        count: counted.reduce((count, sum) => count + sum.count, 0),
        results: rows.map(row => presentSummary(row, reading.today)),
      }),
      sums: sums.map(sum => ({ ...sum, total: Number(sum.total) })),
    }
  },
  async csv({ query, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    async function* summaries() {
      for await (const rows of quotationBatches(db, user, { query, today }))
        yield rows.map(row => presentSummary(row, today))
    }
    return csvOf(csvTitle, csvColumns, summaries())
  },
})

const create = route('POST', QUOTATIONS, {
  summary:
    'Create a draft of an insertion order. What is left out comes from the advertiser, its fee agreements and the settings.',
  level: 'staff',
  body: CreateQuotation,
  reply: Quotation,
  status: 201,
  async run({ body, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const draft = await newDraft(db, body, { user, today })
    const { fields, lines } = await checkDraft(db, draft, today)
    const id = await insertQuotation(db, { ...fields, created_by: user.id }, now)
    await replaceLines(db, id, lines)
    const detail = { title: draft.title, advertiser: draft.advertiser, total: fields.total }
    await noteQuotation(db, id, { actor: user.id, action: 'create', detail, now })
    return await showQuotation(db, id, { user, today })
  },
})

const read = route('GET', `${QUOTATIONS}:id/`, {
  summary: 'Get an insertion order with its lines, its sums, its revisions and what you may do with it.',
  level: 'staff',
  params: IdPath,
  reply: Quotation,
  run: async ({ params: { id }, user, db, now, effects: { settings } }) =>
    showQuotation(db, id, { user, today: todayIn(settings.time_zone, now) }),
})

const update = route('PATCH', `${QUOTATIONS}:id/`, {
  summary:
    'Change a draft; of one that was sent only valid_until, owner and internal_note. An older `version` is refused with 409, with the current `quotation`.',
  level: 'staff',
  params: IdPath,
  body: UpdateQuotation,
  reply: Quotation,
  async run({ params: { id }, body: { version, ...changes }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const { row, state, revision } = await lockedFor(db, id, { user, today, action: 'edit', version })
    const changing = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    if (!mayChange(state, changing)) throw refuseState(user, revision)
    const before = draftOf(row, await listLines(db, id))
    const after = await changedDraft(db, { draft: before, changes, user, today })
    refuseOtherCustomer(row, changing)
    if (state === 'draft') {
      const { fields, lines } = await checkDraft(db, after, today)
      await updateQuotation(db, id, { ...fields, now })
      await replaceLines(db, id, lines)
    } else {
      const { valid_until, owner, internal_note } = after
      if (owner !== before.owner && !(await isPossibleOwner(db, owner)))
        throw refuse('invalid', { fields: { owner: ['field_not_available'] } })
      await updateQuotation(db, id, { valid_until, owner, internal_note, now })
    }
    const detail = { title: after.title, changes: changedFields(before, after) }
    await noteQuotation(db, id, { actor: user.id, action: 'change', detail, now })
    return await showQuotation(db, id, { user, today })
  },
})

/** A revision goes to whom the number was given, and what was paid of it counts in its currency. */
function refuseOtherCustomer({ number }: { number: string | null }, changing: readonly string[]) {
  if (number === null) return
  const fixed = changing.filter(field => field === 'advertiser' || field === 'currency')
  if (fixed.length > 0)
    throw refuse('invalid', {
      fields: Object.fromEntries(fixed.map(field => [field, ['field_not_available']])),
    })
}

const remove = route('DELETE', `${QUOTATIONS}:id/`, {
  summary: 'Delete a draft.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const { row } = await lockedFor(db, id, { user, today, action: 'delete', version })
    await deleteQuotation(db, id)
    const detail = { title: row.title, advertiser: row.advertiser, total: row.total }
    await noteQuotation(db, id, { actor: user.id, action: 'delete', detail, now })
  },
})

export const quotationsRoutes = [list, create, read, update, remove]
