import {
  AgreementPath,
  CreateFeeAgreement,
  FeeAgreement,
  FeeAgreements,
  UpdateFeeAgreement,
} from '#shared/api/customers.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { firstDayOf, monthOf } from '#shared/month.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import {
  deleteAgreement,
  holdMonths,
  insertAgreement,
  listAgreements,
  updateAgreement,
  type AgreementRow,
} from './fee-agreement-queries.ts'
import { changedTerms, keepsUsed, problemsOf, termsOf, type Terms } from './fee-agreement-rules.ts'
import { lockAdvertiser } from './queries.ts'
import { visibleAdvertiser } from './visible.ts'

const PATH = '/api/advertiser/:id/fee-agreement/'

const list = route('GET', PATH, {
  summary: 'List the fee agreements of an advertiser, from the latest month back.',
  level: 'staff',
  params: IdPath,
  reply: FeeAgreements,
  async run({ params: { id }, user, db }) {
    await visibleAdvertiser(db, user, id)
    // Staff do not read statements, but whether one has used the agreement.
    const rows = await readingEveryRow(db, () => listAgreements(db, id))
    return { results: rows.map(present) }
  },
})

const create = route('POST', PATH, {
  summary:
    'Agree on a service fee. Two of one channel and currency never share a month (`agreement_overlaps`).',
  level: 'director_or_finance',
  params: IdPath,
  body: CreateFeeAgreement,
  reply: FeeAgreement,
  status: 201,
  async run({ params: { id }, body, user, db, now }) {
    const { advertiser, agreements } = await lockAgreements(db, user, id)
    refuseFaulty(body, agreements)
    const aid = await insertAgreement(db, { ...rowOf(body), advertiser: id }, now)
    const detail = { name: advertiser.name, advertiser: id, changes: changedFields({}, body) }
    await note(db, { user, action: 'fee_agreement.create', id: aid, detail, now })
    return await show(db, id, aid)
  },
})

const update = route('PATCH', `${PATH}:aid/`, {
  summary:
    'Change a fee agreement. One that a locked month has used can only be ended (409 `agreement_used`).',
  level: 'director_or_finance',
  params: AgreementPath,
  body: UpdateFeeAgreement,
  reply: FeeAgreement,
  async run({ params: { id, aid }, body: { version, ...changes }, user, db, now }) {
    const { advertiser, agreements } = await lockAgreements(db, user, id)
    const row = ofVersion(agreements, aid, version)
    const before = termsOf(row)
    const after = changedTerms(before, changes)
    if (row.last_used !== null && !keepsUsed(before, after, monthOf(row.last_used)))
      throw refuseUsed(row.last_used)
    refuseFaulty(
      after,
      agreements.filter(each => each !== row),
    )
    await updateAgreement(db, aid, { ...rowOf(after), now })
    const detail = { name: advertiser.name, advertiser: id, changes: changedFields(before, after) }
    await note(db, { user, action: 'fee_agreement.change', id: aid, detail, now })
    return await show(db, id, aid)
  },
})

const remove = route('DELETE', `${PATH}:aid/`, {
  summary: 'Delete a fee agreement that no locked month has used.',
  level: 'director_or_finance',
  params: AgreementPath,
  body: OfVersion,
  async run({ params: { id, aid }, body: { version }, user, db, now }) {
    const { advertiser, agreements } = await lockAgreements(db, user, id)
    const row = ofVersion(agreements, aid, version)
    if (row.last_used !== null) throw refuseUsed(row.last_used)
    await deleteAgreement(db, aid)
    const before = termsOf(row)
    const gone = Object.fromEntries(Object.keys(before).map(field => [field, null]))
    const detail = { name: advertiser.name, advertiser: id, changes: changedFields(before, gone) }
    await note(db, { user, action: 'fee_agreement.delete', id: aid, detail, now })
  },
})

/**
 * With the advertiser locked, so that nobody else changes what is checked here, and no month being locked
 * meanwhile, which would use an agreement as it was.
 */
async function lockAgreements(trx: Trx, user: SignedInUser, id: number) {
  await holdMonths(trx)
  const advertiser = await lockAdvertiser(trx, user, id)
  if (!advertiser) throw refuse('not_found')
  return { advertiser, agreements: await listAgreements(trx, id) }
}

function ofVersion(agreements: readonly AgreementRow[], aid: number, version: number): AgreementRow {
  const row = agreements.find(each => each.id === aid)
  if (!row) throw refuse('not_found')
  if (row.version !== version) throw refuse('conflict', { extra: { fee_agreement: present(row) } })
  return row
}

function refuseFaulty(terms: Terms, others: readonly AgreementRow[]) {
  const fields = problemsOf(terms, others)
  if (fields) throw refuse('invalid', { fields })
}

const refuseUsed = (lastUsed: string) =>
  refuse('agreement_used', { extra: { last_month: monthOf(lastUsed) } })

async function show(trx: Trx, advertiser: number, aid: number): Promise<FeeAgreement> {
  const row = (await listAgreements(trx, advertiser)).find(({ id }) => id === aid)
  if (!row) throw refuse('not_found')
  return present(row)
}

const rowOf = (terms: Terms): Terms => ({
  ...terms,
  from_month: firstDayOf(terms.from_month),
  to_month: terms.to_month && firstDayOf(terms.to_month),
})

const present = (row: AgreementRow): FeeAgreement => ({
  id: row.id,
  version: row.version,
  ...termsOf(row),
  is_used: row.last_used !== null,
  created_at: row.created_at.toISOString(),
  last_modified_at: row.last_modified_at.toISOString(),
})

const note = (
  trx: Trx,
  {
    user,
    action,
    id,
    detail,
    now,
  }: { user: SignedInUser; action: string; id: number; detail: object; now: Date },
) =>
  writeAudit(
    trx,
    { actor: user.id, action, object: 'fee_agreement', object_id: id, detail: { ...detail } },
    now,
  )

export const feeAgreementRoutes = [list, create, update, remove]
