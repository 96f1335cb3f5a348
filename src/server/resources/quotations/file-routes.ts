import { IdPath } from '#shared/api/list.ts'
import { todayIn } from '#shared/date-range.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Db } from '#server/db/connect.ts'
import { attachment } from '#server/http/attachment.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { printedQuotation } from './document.ts'
import { draftOf } from './draft.ts'
import { findIssuer } from '#server/resources/issuer/queries.ts'
import { findFile, insertFile } from './file-queries.ts'
import { findQuotation, listLines, type QuotationRow } from './queries.ts'
import { QUOTATIONS } from './routes.ts'
import { printSent, readParties, withDays } from './send.ts'

const document = route('GET', `${QUOTATIONS}:id/pdf/`, {
  summary:
    'Get the document: as it was sent, or a draft as it is now, which says across its pages that it is one.',
  level: 'staff',
  transaction: 'own',
  // What was sent without a document gets it when somebody asks for it first.
  rows: 'every',
  params: IdPath,
  async run({ params: { id }, user, db, now, reply, effects: { settings, pdf } }) {
    const row = await find(db, user, id)
    const today = todayIn(settings.time_zone, now)
    const isUnsent = row.status === 'draft'
    const sent = isUnsent
      ? null
      : ((await findFile(db, id, 'pdf')) ?? (await printLater(db, row, { pdf, now })))
    const bytes = sent?.bytes ?? (await printDraft(db, row, { user, today, pdf }))
    const name = sent?.name ?? `${orderLabel(row) ?? row.title}.pdf`
    await reply
      .header('content-disposition', attachment(name))
      .header('cache-control', 'no-store')
      .type('application/pdf')
      .send(Buffer.from(bytes))
  },
})

async function find(db: Db, user: SignedInUser, id: number): Promise<QuotationRow> {
  const row = await findQuotation(db, user, id)
  if (!row) throw refuse('not_found')
  return row
}

async function printLater(db: Db, row: QuotationRow, { pdf, now }: { pdf: Effects['pdf']; now: Date }) {
  const { issue_on, valid_until, parties } = row
  if (issue_on === null || valid_until === null || parties === null) throw refuse('not_found')
  const { logo } = await findIssuer(db)
  const lines = await listLines(db, row.id)
  const file = await printSent({ ...row, issue_on, valid_until, parties }, { lines, logo, pdf, now })
  await insertFile(db, file)
  // Somebody else may have been faster.
  return (await findFile(db, row.id, 'pdf')) ?? file
}

async function printDraft(
  db: Db,
  row: QuotationRow,
  { user, today, pdf }: { user: SignedInUser; today: string; pdf: Effects['pdf'] },
): Promise<Uint8Array> {
  const issuer = await findIssuer(db)
  const lines = await listLines(db, row.id)
  const draft = withDays(draftOf(row, lines), { issuer, today })
  const parties = await readParties(db, { user }, { draft, issuer })
  const printed = { ...row, ...draft, label: orderLabel(row), parties, is_draft: true }
  return (await pdf.render(printedQuotation(printed, { lines, logo: issuer.logo }))).bytes
}

const acceptance = route('GET', `${QUOTATIONS}:id/acceptance/`, {
  summary: 'Get the document that the customer has signed.',
  level: 'staff',
  transaction: 'own',
  params: IdPath,
  async run({ params: { id }, user, db, reply }) {
    const row = await find(db, user, id)
    const file = await findFile(db, id, 'acceptance')
    if (!file) throw refuse('not_found')
    await reply
      .header('content-disposition', attachment(`${orderLabel(row) ?? ''} ${file.name}`.trim()))
      .header('cache-control', 'no-store')
      .type(file.mime)
      .send(Buffer.from(file.bytes))
  },
})

export const fileRoutes = [document, acceptance]
